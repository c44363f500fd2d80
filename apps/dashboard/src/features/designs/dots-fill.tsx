import { Stack } from '@mantine/core';
import { resolveStyle, type Style } from '@signpost/qr';
import { lazy, Suspense } from 'react';
import { designsText } from '../../strings/designs.ts';
import { LabelledChoice } from '../../ui/labelled-choice.tsx';
import { ColorField } from './color-field.tsx';
import { startGradient } from './gradient.ts';

const GradientFields = lazy(() =>
  import('./gradient-fields.tsx').then(module => ({ default: module.GradientFields })),
);

type Props = { readonly style: Style; readonly onChange: (style: Style) => void };

const text = designsText.style;

/** The colour of the dots, or the colours that they run through. */
export function DotsFill({ style, onChange }: Props) {
  const { dotsGradient, ...plain } = style;
  const { dotsColor } = resolveStyle(style);
  return (
    <Stack gap="sm">
      <LabelledChoice
        label={text.fill}
        names={text.fills}
        value={dotsGradient ? 'gradient' : 'plain'}
        onChange={fill =>
          onChange(fill === 'plain' ? plain : { ...plain, dotsGradient: startGradient(dotsColor) })
        }
      />
      {dotsGradient ? (
        <Suspense>
          <GradientFields
            gradient={dotsGradient}
            onChange={next => onChange({ ...style, dotsGradient: next })}
          />
        </Suspense>
      ) : (
        <ColorField
          label={text.colors.dotsColor}
          value={dotsColor}
          onChange={color => onChange({ ...style, dotsColor: color })}
        />
      )}
    </Stack>
  );
}
