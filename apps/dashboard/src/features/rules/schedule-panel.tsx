import { Button, Group, NumberInput, SimpleGrid, Stack, TextInput } from '@mantine/core';
import type { QrCode, UpdateQrCode } from '@signpost/contract';
import { rulesText } from '../../strings/rules.ts';
import { formatDateTime } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { RefusedButton } from '../../ui/refused-button.tsx';
import { destinationFault, withScheme } from '../codes/destination.ts';
import { useCodeForm } from '../codes/use-code-form.tsx';
import { useRefusal } from '../shell/use-refusal.ts';
import { localValue } from './conditions-fields.tsx';

const text = rulesText.schedule;
type Values = { starts_at: string; expires_at: string; max_scans: number | string; fallback_url: string };

const showTime = (local: string) => (local === '' ? '' : formatDateTime(new Date(local).toISOString()));
const parts = {
  fields: {
    starts_at: { label: text.starts, show: showTime },
    expires_at: { label: text.ends, show: showTime },
    max_scans: { label: text.limit, show: (value: number | string) => String(value) },
    fallback_url: { label: text.fallback, show: (value: string) => value },
  },
  toValues: ({ starts_at, expires_at, max_scans, fallback_url }: QrCode): Values => ({
    starts_at: localValue(starts_at),
    expires_at: localValue(expires_at),
    max_scans: max_scans ?? '',
    fallback_url: fallback_url ?? '',
  }),
  toChange(values: Values, base: QrCode): UpdateQrCode {
    const { starts_at, expires_at } = values;
    const max_scans = values.max_scans === '' ? null : Number(values.max_scans);
    const fallback_url = withScheme(values.fallback_url) || null;
    return {
      ...(starts_at === localValue(base.starts_at) ? {} : { starts_at: momentOf(starts_at) }),
      ...(expires_at === localValue(base.expires_at) ? {} : { expires_at: momentOf(expires_at) }),
      ...(max_scans === base.max_scans ? {} : { max_scans }),
      ...(fallback_url === base.fallback_url ? {} : { fallback_url }),
    };
  },
  validate: {
    expires_at: (value: string, { starts_at }: Values) =>
      value !== '' && starts_at !== '' && value <= starts_at ? text.faults.end : null,
    fallback_url: (value: string) => (value.trim() === '' ? null : destinationFault(value)),
  },
};

/** When a code begins and ends, after how many scans it stops, and where scanners go meanwhile. */
export function SchedulePanel({ code }: { readonly code: QrCode }) {
  const { form, isPending, canSave, save, conflict } = useCodeForm(code, parts);
  const refusal = useRefusal('qrcodes:write');
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
          {conflict}
          <Group justify="flex-end">
            {refusal ? (
              <RefusedButton reason={refusal}>{text.save}</RefusedButton>
            ) : (
              <Button type="submit" loading={isPending} disabled={!canSave}>
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
