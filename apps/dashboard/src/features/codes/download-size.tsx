import { Group, NumberInput, Select, Stack, Text } from '@mantine/core';
import { downloadText } from '../../strings/download.ts';
import { LabelledChoice } from '../../ui/labelled-choice.tsx';
import {
  inUnit,
  isTooSmall,
  type Subject,
  safeSize,
  sizeFault,
  sizeInMm,
  type Wish,
} from './download-file.ts';

type Props = {
  readonly subject: Subject;
  readonly wish: Wish;
  readonly onChange: (part: Partial<Wish>) => void;
};

const text = downloadText;

/** Pixels for a screen; else a width, the smallest that is safe, and for print the resolution. */
export function DownloadSize({ subject, wish, onChange }: Props) {
  const isScreen = wish.use === 'screen';
  const safe = safeSize(subject, wish.unit);
  const input = (
    <NumberInput
      label={isScreen ? text.pixels : text.size}
      value={Number.isNaN(wish.size) ? '' : wish.size}
      onChange={value => onChange({ size: typeof value === 'number' ? value : Number.NaN })}
      min={0}
      step={isScreen ? 128 : wish.unit === 'mm' ? 5 : 0.25}
      decimalScale={isScreen || wish.unit === 'mm' ? 0 : 2}
      error={sizeFault(subject, wish)}
      {...(isScreen ? {} : { style: { flex: '1 1 7rem' } })}
    />
  );
  if (isScreen) return input;
  return (
    <Stack gap="md">
      <Stack gap={6}>
        <Group gap="sm" align="flex-start" wrap="nowrap">
          {input}
          <Select
            label={text.unit}
            data={Object.entries(text.units).map(([value, label]) => ({ value, label }))}
            value={wish.unit}
            onChange={value => {
              const unit = value as Wish['unit'];
              onChange({ unit, size: inUnit(sizeInMm(wish), unit) });
            }}
            allowDeselect={false}
            w={104}
          />
        </Group>
        <Text size="xs" role="status" {...(isTooSmall(subject, wish) ? { fw: 500 } : { c: 'dimmed' })}>
          {isTooSmall(subject, wish) ? text.tooSmall(safe) : text.safe(safe)}
        </Text>
      </Stack>
      {wish.use === 'print' && wish.format === 'png' && (
        <LabelledChoice
          label={text.resolution}
          names={{ '300': text.dpi(300), '600': text.dpi(600) }}
          value={`${wish.dpi}`}
          onChange={value => onChange({ dpi: value === '600' ? 600 : 300 })}
        />
      )}
    </Stack>
  );
}
