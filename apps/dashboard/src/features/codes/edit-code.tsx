import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { QrCode } from '@signpost/contract';
import { fieldErrors } from '../../api/field-errors.ts';
import { RefusedButton } from '../../ui/refused-button.tsx';
import { useRefusal } from '../shell/use-refusal.ts';
import { codeFaults } from './new-code.ts';
import { useUpdateCode } from './use-update-code.ts';

/** Name and destination. Only what differs is sent. */
export function EditCode({ code }: { readonly code: QrCode }) {
  const update = useUpdateCode(code.id);
  const refusal = useRefusal();
  const form = useForm({
    initialValues: { name: code.name, destination_url: code.destination_url },
    validate: { name: codeFaults.name, destination_url: codeFaults.destination_url },
  });
  const locked = refusal ? ({ readOnly: true, variant: 'filled' } as const) : {};
  const save = form.onSubmit(({ name, destination_url }) =>
    update.mutate(
      {
        ...(name === code.name ? {} : { name }),
        ...(destination_url === code.destination_url ? {} : { destination_url }),
      },
      { onError: error => form.setErrors(fieldErrors(error, ['name', 'destination_url'])) },
    ),
  );
  return (
    <form onSubmit={save} noValidate>
      <Stack>
        <TextInput label="Name" description={refusal} {...locked} {...form.getInputProps('name')} />
        <TextInput
          label="Destination"
          description={refusal ?? hintFor(code)}
          type="url"
          {...locked}
          {...form.getInputProps('destination_url')}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={() => form.reset()} disabled={!form.isDirty()}>
            Discard
          </Button>
          {refusal ? (
            <RefusedButton reason={refusal}>Save</RefusedButton>
          ) : (
            <Button type="submit" loading={update.isPending} disabled={!form.isDirty()}>
              Save
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

const hintFor = ({ availability }: QrCode): string =>
  availability.state === 'suspended'
    ? 'Saved at once; scans go there when the code is released.'
    : 'Scans go to the new place as soon as it is saved. The printed code stays the same.';
