import { Button, Group, Stack, TextInput } from '@mantine/core';
import type { QrCode, UpdateQrCode } from '@signpost/contract';
import { codesText } from '../../strings/codes.ts';
import { RefusedButton } from '../../ui/refused-button.tsx';
import { useRefusal } from '../shell/use-refusal.ts';
import { withScheme } from './destination.ts';
import { DestinationField } from './destination-field.tsx';
import { codeFaults } from './new-code.ts';
import { useCodeForm } from './use-code-form.tsx';

const text = codesText.form;
const show = (value: string) => value;
const parts = {
  fields: {
    name: { label: text.name, show },
    destination_url: { label: text.destination, show },
  },
  toValues: ({ name, destination_url }: QrCode) => ({ name, destination_url }),
  toChange(values: { name: string; destination_url: string }, base: QrCode): UpdateQrCode {
    const destination_url = withScheme(values.destination_url);
    return {
      ...(values.name === base.name ? {} : { name: values.name }),
      ...(destination_url === base.destination_url ? {} : { destination_url }),
    };
  },
  validate: codeFaults,
};

/** Name and destination. */
export function EditCode({ code }: { readonly code: QrCode }) {
  const { form, isPending, canSave, save, discard, conflict } = useCodeForm(code, parts);
  const refusal = useRefusal('qrcodes:write');
  const locked = refusal ? { locked: { readOnly: true, variant: 'filled' } as const } : {};
  return (
    <form onSubmit={save} noValidate>
      <Stack>
        <TextInput
          label={text.name}
          description={refusal}
          {...locked.locked}
          {...form.getInputProps('name')}
        />
        <DestinationField
          value={form.values.destination_url}
          onChange={value => form.setFieldValue('destination_url', value)}
          error={form.errors.destination_url}
          description={
            refusal ?? (code.availability.state === 'suspended' ? text.editHintSuspended : text.editHint)
          }
          {...locked}
        />
        {conflict}
        <Group justify="flex-end">
          <Button variant="default" onClick={discard} disabled={!form.isDirty()}>
            {text.discard}
          </Button>
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
  );
}
