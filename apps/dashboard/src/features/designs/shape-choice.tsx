import { Group, Radio, Text } from '@mantine/core';
import { renderSvg, type Style } from '@signpost/qr';
import { useId } from 'react';
import { designsText } from '../../strings/designs.ts';
import classes from './shape-choice.module.css';

type Field = 'dotsType' | 'cornersSquareType' | 'cornersDotType';
type Props = {
  readonly label: string;
  readonly field: Field;
  readonly words: readonly string[];
  readonly style: Style;
  readonly onChange: (part: Partial<Style>) => void;
};

/** The shapes to choose from, each shown as it looks rather than told by its word. */
export function ShapeChoice({ label, field, words, style, onChange }: Props) {
  const id = useId();
  const chosen = style[field] ?? defaultOf(field, style);
  return (
    <Radio.Group
      label={label}
      name={id}
      value={chosen}
      onChange={value => onChange({ [field]: value } as Partial<Style>)}
    >
      <Group gap="xs" mt={6} align="stretch">
        {words.map(word => (
          <Radio.Card key={word} value={word} className={classes.card} aria-label={nameOf(word)}>
            <span
              className={classes.sample}
              data-field={field}
              style={{ backgroundImage: sample(field, word) }}
            />
            <Text size="xs" mt={4} ta="center">
              {nameOf(word)}
            </Text>
          </Radio.Card>
        ))}
      </Group>
    </Radio.Group>
  );
}

const defaultOf = (field: Field, style: Style) =>
  field === 'cornersDotType' && style.cornersSquareType === 'dot' ? 'dot' : 'square';

const nameOf = (word: string) => designsText.style.shapes[word] ?? word;

/** A real code of that shape, of which the card shows a part. */
function sample(field: Field, word: string): string {
  const svg = renderSvg('HTTPS://A.BC/DEF', { [field]: word } as Style, 256);
  return `url("data:image/svg+xml,${encodeURIComponent(svg)}")`;
}
