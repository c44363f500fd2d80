import { ColorInput, SimpleGrid, Stack } from '@mantine/core';
import {
  colorPattern,
  cornersDotTypes,
  cornersSquareTypes,
  dotsTypes,
  resolveStyle,
  type Style,
} from '@signpost/qr';
import { codesText } from '../../strings/codes.ts';
import { ShapeChoice } from './shape-choice.tsx';

type Props = { readonly style: Style; readonly onChange: (style: Style) => void };

const isColor = (value: string) => new RegExp(colorPattern).test(value);
const swatches = ['#000000', '#0C4A6E', '#14532D', '#581C87', '#7F1D1D', '#FFFFFF'];

const colors = ['dotsColor', 'backgroundColor', 'cornersSquareColor', 'cornersDotColor'] as const;
const text = codesText.design;

/** Shapes and colours. A corner that nobody has coloured follows the dots. */
export function StyleFields({ style, onChange }: Props) {
  const resolved = resolveStyle(style);
  const change = (part: Partial<Style>) => onChange({ ...style, ...part });
  return (
    <Stack gap="lg">
      <ShapeChoice label={text.dots} field="dotsType" words={dotsTypes} style={style} onChange={change} />
      <ShapeChoice
        label={text.corners}
        field="cornersSquareType"
        words={cornersSquareTypes}
        style={style}
        onChange={change}
      />
      <ShapeChoice
        label={text.centres}
        field="cornersDotType"
        words={cornersDotTypes}
        style={style}
        onChange={change}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {colors.map(field => (
          <ColorInput
            key={field}
            label={text.colors[field]}
            value={resolved[field]}
            onChange={value => isColor(value) && change({ [field]: value.toUpperCase() })}
            swatches={swatches}
            format="hex"
            popoverProps={{ withinPortal: true }}
            eyeDropperButtonProps={{ 'aria-label': text.pick(text.colors[field]) }}
          />
        ))}
      </SimpleGrid>
    </Stack>
  );
}
