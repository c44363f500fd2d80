import { NumberInput, Stack } from '@mantine/core';
import { isNearlyBlack, type Style } from '@signpost/qr';
import { downloadText } from '../../strings/download.ts';
import { LabelledChoice } from '../../ui/labelled-choice.tsx';
import { bleedFault, type Wish } from './download-file.ts';

type Props = {
  readonly style: Style;
  readonly wish: Wish;
  readonly onChange: (part: Partial<Wish>) => void;
};

const text = downloadText;

/** What a printing house asks for: how far the background goes beyond the cut, and with which ink. */
export function DownloadPress({ style, wish, onChange }: Props) {
  const canBeBlack = isNearlyBlack(style);
  return (
    <Stack gap="md">
      <NumberInput
        label={text.bleed}
        description={text.bleedHint}
        value={Number.isNaN(wish.bleedMm) ? '' : wish.bleedMm}
        onChange={value => onChange({ bleedMm: typeof value === 'number' ? value : Number.NaN })}
        min={0}
        step={1}
        decimalScale={1}
        error={bleedFault(wish)}
      />
      <LabelledChoice
        label={text.ink}
        names={text.inks}
        value={wish.ink}
        onChange={ink => onChange({ ink })}
        disabled={canBeBlack ? [] : ['k']}
        hint={canBeBlack ? text.inkHint : text.inkRefused}
      />
    </Stack>
  );
}
