import { Radio, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { renderSvg, resolveStyle, type Style } from '@signpost/qr';
import { useId } from 'react';
import { designsText } from '../../strings/designs.ts';
import { Problem } from '../../ui/problem.tsx';
import { Wait } from '../../ui/wait.tsx';
import { ColorField } from './color-field.tsx';
import classes from './frame-fields.module.css';
import { type Frame, useFrames } from './frames.ts';

type Props = {
  readonly frame: Frame | null;
  /** Of the code inside, whose corners give the frame its colour. */
  readonly style: Style;
  readonly onChange: (frame: Frame | null) => void;
};

type Frames = NonNullable<ReturnType<typeof useFrames>['data']>;

const text = designsText.frame;

/** The frames to choose from, what they say, and in which colour. */
export function FrameFields({ frame, style, onChange }: Props) {
  const { data, error, refetch } = useFrames();
  const id = useId();
  if (error) return <Problem error={error} title={text.notLoaded} onRetry={() => void refetch()} />;
  if (!data) return <Wait lines={1} height={96} />;
  const choose = (value: string) => {
    const type = data.frameTypes.find(one => one === value);
    onChange(type ? { text: text.defaultText, ...frame, type } : null);
  };
  return (
    <Stack gap="sm">
      <Radio.Group label={text.label} name={id} value={frame?.type ?? 'none'} onChange={choose}>
        <div className={classes.cards}>
          {['none' as const, ...data.frameTypes].map(type => (
            <Radio.Card key={type} value={type} className={classes.card} aria-label={nameOf(type)}>
              <span className={classes.sample} style={{ backgroundImage: sampleOf(data, type) }} />
              <Text size="xs" mt={4} ta="center">
                {nameOf(type)}
              </Text>
            </Radio.Card>
          ))}
        </div>
      </Radio.Group>
      {frame && (
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            label={text.text}
            value={frame.text}
            maxLength={data.longestFrameText}
            onChange={event => onChange({ ...frame, text: event.currentTarget.value })}
            error={frameFault(data, frame)}
          />
          <ColorField
            label={text.color}
            value={frame.color ?? resolveStyle(style).cornersSquareColor}
            onChange={color => onChange({ ...frame, color })}
          />
        </SimpleGrid>
      )}
    </Stack>
  );
}

/** Why a frame cannot be drawn, in a sentence, or null. */
export function frameFault({ missingLetter }: Pick<Frames, 'missingLetter'>, frame: Frame): string | null {
  if (frame.text.trim() === '') return text.noText;
  const missing = missingLetter(frame.text);
  return missing === null ? null : text.missing(missing);
}

const nameOf = (type: 'none' | Frame['type']) => (type === 'none' ? text.none : text.types[type]);

/** A real code in that frame, as small as it is. */
function sampleOf({ frameOf }: Frames, type: 'none' | Frame['type']): string {
  const options = type === 'none' ? {} : { frame: frameOf({ type, text: text.defaultText }, {}) };
  return `url("data:image/svg+xml,${encodeURIComponent(renderSvg('HTTPS://A.BC/DEF', {}, 256, options))}")`;
}
