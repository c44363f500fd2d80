import { SimpleGrid, Stack } from '@mantine/core';
import { cornersDotTypes, cornersSquareTypes, dotsTypes, resolveStyle, type Style } from '@signpost/qr';
import { designsText } from '../../strings/designs.ts';
import { ColorField } from './color-field.tsx';
import { CompactField } from './compact-field.tsx';
import { DotsFill } from './dots-fill.tsx';
import { LogoField } from './logo-field.tsx';
import { ShapeChoice } from './shape-choice.tsx';

type Props = {
  readonly style: Style;
  readonly onChange: (style: Style) => void;
  /** The link of a code in this style: its length decides how large a logo can be. */
  readonly link: string;
};

const colors = ['backgroundColor', 'cornersSquareColor', 'cornersDotColor'] as const;
const text = designsText.style;

/** The logo, shapes and colours. A corner that nobody has coloured follows the dots. */
export function StyleFields({ style, onChange, link }: Props) {
  const resolved = resolveStyle(style);
  const change = (part: Partial<Style>) => onChange({ ...style, ...part });
  return (
    <Stack gap="lg">
      <LogoField style={style} onChange={onChange} link={link} />
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
      <DotsFill style={style} onChange={onChange} />
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        {colors.map(field => (
          <ColorField
            key={field}
            label={text.colors[field]}
            value={resolved[field]}
            onChange={color => change({ [field]: color })}
          />
        ))}
      </SimpleGrid>
      <CompactField style={style} onChange={onChange} link={link} />
    </Stack>
  );
}
