import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { QrCode } from '@signpost/contract';
import { codeFaults } from './new-code.ts';
import { useUpdateCode } from './use-update-code.ts';

/** Name and destination. Only what differs is sent. */
export function EditCode({ code }: { readonly code: QrCode }) {
  const update = useUpdateCode(code.id);
  const form = useForm({
    initialValues: { name: code.name, destination_url: code.destination_url },
    validate: { name: codeFaults.name, destination_url: codeFaults.destination_url },
  });
  const save = form.onSubmit(({ name, destination_url }) =>
    update.mutate({
      ...(name === code.name ? {} : { name }),
      ...(destination_url === code.destination_url ? {} : { destination_url }),
    }),
  );
  return (
    <form onSubmit={save} noValidate>
      <Stack>
        <TextInput label="Name" {...form.getInputProps('name')} />
        <TextInput
          label="Destination"
          description="Scans go to the new place as soon as it is saved. The printed code stays the same."
          type="url"
          {...form.getInputProps('destination_url')}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={() => form.reset()} disabled={!form.isDirty()}>
            Discard
          </Button>
          <Button type="submit" loading={update.isPending} disabled={!form.isDirty()}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
