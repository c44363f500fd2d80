import { Stack } from '@mantine/core';
import { downloadText } from '../../strings/download.ts';
import { LabelledChoice } from '../../ui/labelled-choice.tsx';
import { ColorField } from '../designs/color-field.tsx';
import { isForPrinters, type Wish } from './download-file.ts';

type Props = { readonly wish: Wish; readonly onChange: (part: Partial<Wish>) => void };

const text = downloadText;

/** On paper there is no see-through. */
const solid = text.solidBackgrounds as Readonly<Record<Wish['background'], string>>;

/** Of this file alone: the design of the code stays as it is. */
export function DownloadBackground({ wish, onChange }: Props) {
  return (
    <Stack gap="xs">
      <LabelledChoice
        label={text.background}
        names={isForPrinters(wish) ? solid : text.backgrounds}
        value={wish.background}
        onChange={background => onChange({ background })}
        hint={wish.background === 'none' ? text.clearHint : ''}
      />
      {wish.background === 'color' && (
        <ColorField
          label={text.color}
          isLabelHidden
          value={wish.color}
          onChange={color => onChange({ color })}
        />
      )}
    </Stack>
  );
}
