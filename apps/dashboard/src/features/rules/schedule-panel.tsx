import { Button, Group, NumberInput, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { QrCode } from '@signpost/contract';
import { fieldErrors } from '../../api/field-errors.ts';
import { commonText } from '../../strings/common.ts';
import { rulesText } from '../../strings/rules.ts';
import { Panel } from '../../ui/panel.tsx';
import { useNotSaved } from '../../ui/problem.tsx';
import { RefusedButton } from '../../ui/refused-button.tsx';
import { useUnsavedWork } from '../../ui/unsaved-work.ts';
import { destinationFault, withScheme } from '../codes/destination.ts';
import { useUpdateCode } from '../codes/use-update-code.tsx';
import { useRefusal } from '../shell/use-refusal.ts';
import { localValue } from './conditions-fields.tsx';

const text = rulesText.schedule;
const fields = ['starts_at', 'expires_at', 'max_scans', 'fallback_url'] as const;

type Values = { starts_at: string; expires_at: string; max_scans: number | string; fallback_url: string };

/** When a code begins and ends, after how many scans it stops, and where scanners go meanwhile. */
export function SchedulePanel({ code }: { readonly code: QrCode }) {
  const { change, isPending } = useUpdateCode(code);
  const refusal = useRefusal();
  const notSaved = useNotSaved(commonText.problem.notSaved);
  const form = useForm<Values>({
    initialValues: {
      starts_at: localValue(code.starts_at),
      expires_at: localValue(code.expires_at),
      max_scans: code.max_scans ?? '',
      fallback_url: code.fallback_url ?? '',
    },
    validate: {
      expires_at: (value, { starts_at }) =>
        value !== '' && starts_at !== '' && value <= starts_at ? text.faults.end : null,
      fallback_url: value => (value.trim() === '' ? null : destinationFault(value)),
    },
  });
  useUnsavedWork(form.isDirty());
  const save = form.onSubmit(({ starts_at, expires_at, max_scans, fallback_url }) =>
    change(
      {
        starts_at: momentOf(starts_at),
        expires_at: momentOf(expires_at),
        max_scans: max_scans === '' ? null : Number(max_scans),
        fallback_url: withScheme(fallback_url) || null,
      },
      (error, again) => {
        const faults = fieldErrors(error, fields);
        form.setErrors(faults);
        if (Object.keys(faults).length === 0) notSaved.notify(error, again);
      },
    ),
  );
  return (
    <Panel title={text.title}>
      <form onSubmit={save} noValidate>
        <Stack>
          <SimpleGrid cols={{ base: 1, md: 3 }} spacing="sm">
            <TextInput type="datetime-local" label={text.starts} {...form.getInputProps('starts_at')} />
            <TextInput type="datetime-local" label={text.ends} {...form.getInputProps('expires_at')} />
            <NumberInput
              label={text.limit}
              description={text.limitHint}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              min={1}
              max={1_000_000_000}
              allowDecimal={false}
              {...form.getInputProps('max_scans')}
            />
          </SimpleGrid>
          <TextInput
            inputMode="url"
            label={text.fallback}
            description={text.fallbackHint}
            placeholder={text.urlPlaceholder}
            autoCapitalize="off"
            autoComplete="off"
            {...form.getInputProps('fallback_url')}
            onBlur={event => form.setFieldValue('fallback_url', withScheme(event.currentTarget.value))}
          />
          <Group justify="flex-end">
            {refusal ? (
              <RefusedButton reason={refusal}>{text.save}</RefusedButton>
            ) : (
              <Button type="submit" loading={isPending} disabled={!form.isDirty()}>
                {text.save}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}

const momentOf = (local: string): string | null => (local === '' ? null : new Date(local).toISOString());
