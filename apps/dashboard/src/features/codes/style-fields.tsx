import { ColorInput, SimpleGrid, Stack } from '@mantine/core';
import {
  colorPattern,
  cornersDotTypes,
  cornersSquareTypes,
  dotsTypes,
  resolveStyle,
  type Style,
} from '@signpost/qr';
import { ShapeChoice } from './shape-choice.tsx';

type Props = { readonly style: Style; readonly onChange: (style: Style) => void };

const isColor = (value: string) => new RegExp(colorPattern).test(value);
const swatches = ['#000000', '#0C4A6E', '#14532D', '#581C87', '#7F1D1D', '#FFFFFF'];

const colors = [
  { field: 'dotsColor', label: 'Dots' },
  { field: 'backgroundColor', label: 'Background' },
  { field: 'cornersSquareColor', label: 'Corner squares' },
  { field: 'cornersDotColor', label: 'Corner centres' },
] as const;

/** Shapes and colours. A corner that nobody has coloured follows the dots. */
export function StyleFields({ style, onChange }: Props) {
  const resolved = resolveStyle(style);
  const change = (part: Partial<Style>) => onChange({ ...style, ...part });
  return (
    <Stack gap="lg">
      <ShapeChoice label="Dots" field="dotsType" words={dotsTypes} style={style} onChange={change} />
      <ShapeChoice
        label="Corner squares"
        field="cornersSquareType"
        words={cornersSquareTypes}
        style={style}
        onChange={change}
      />
      <ShapeChoice
        label="Corner centres"
        field="cornersDotType"
        words={cornersDotTypes}
        style={style}
        onChange={change}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {colors.map(({ field, label }) => (
          <ColorInput
            key={field}
            label={`Colour of the ${label.toLowerCase()}`}
            value={resolved[field]}
            onChange={value => isColor(value) && change({ [field]: value.toUpperCase() })}
            swatches={swatches}
            format="hex"
            popoverProps={{ withinPortal: true }}
            eyeDropperButtonProps={{
              'aria-label': `Pick the colour of ${label.toLowerCase()} from the screen`,
            }}
          />
        ))}
      </SimpleGrid>
    </Stack>
  );
}
