import { NumberInput, Stack } from '@mantine/core';
import { printText } from '../../strings/print.ts';
import { LabelledChoice } from '../../ui/labelled-choice.tsx';
import { type PrintJob, sizeFault } from './print-job.ts';

type Props = { readonly job: PrintJob; readonly onChange: (part: Partial<PrintJob>) => void };

const text = printText.files;

/** How the images of a ZIP are made. */
export function FileFields({ job, onChange }: Props) {
  return (
    <Stack gap="md">
      <LabelledChoice
        label={text.format}
        names={text.formats}
        value={job.format}
        onChange={format => onChange({ format })}
      />
      <NumberInput
        label={text.size}
        value={Number.isNaN(job.sizePx) ? '' : job.sizePx}
        onChange={value => onChange({ sizePx: typeof value === 'number' ? value : Number.NaN })}
        step={128}
        min={0}
        allowDecimal={false}
        error={sizeFault(job)}
      />
    </Stack>
  );
}
