import { ColorInput, Stack } from '@mantine/core';
import { colorPattern } from '@signpost/qr';
import { codesText } from '../../strings/codes.ts';
import type { Wish } from './download-file.ts';
import { LabelledChoice } from './labelled-choice.tsx';

type Props = { readonly wish: Wish; readonly onChange: (part: Partial<Wish>) => void };

const text = codesText.download;
const isColor = (value: string) => new RegExp(colorPattern).test(value);

/** Of this file alone: the design of the code stays as it is. */
export function DownloadBackground({ wish, onChange }: Props) {
  return (
    <Stack gap="xs">
      <LabelledChoice
        label={text.background}
        names={text.backgrounds}
        value={wish.background}
        onChange={background => onChange({ background })}
        hint={wish.background === 'none' ? text.clearHint : ''}
      />
      {wish.background === 'color' && (
        <ColorInput
          aria-label={text.color}
          value={wish.color}
          onChange={value => isColor(value) && onChange({ color: value.toUpperCase() })}
          format="hex"
          popoverProps={{ withinPortal: true }}
          eyeDropperButtonProps={{ 'aria-label': codesText.design.pick(text.color) }}
        />
      )}
    </Stack>
  );
}
