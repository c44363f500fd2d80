import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { modals } from '@mantine/modals';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMode } from '../../api/mode.ts';
import { call } from '../../api/operations.ts';
import { Problem } from '../../ui/problem.tsx';
import { Secret } from '../../ui/secret.tsx';
import { destinationFault } from '../codes/new-code.ts';
import { webhooksQuery } from './queries.ts';

export const openCreateWebhook = () =>
  modals.open({ title: 'New endpoint', children: <CreateWebhook />, closeOnClickOutside: false });

function CreateWebhook() {
  const mode = useMode();
  const client = useQueryClient();
  const form = useForm({ initialValues: { url: '', description: '' }, validate: { url: destinationFault } });
  const create = useMutation({
    mutationFn: (body: typeof form.values) => call('createWebhook', { body }),
    onSuccess: () => client.invalidateQueries(webhooksQuery(mode)),
  });
  if (create.data)
    return <Secret value={create.data.secret} what="signing secret" onDone={() => modals.closeAll()} />;
  return (
    <form onSubmit={form.onSubmit(values => create.mutate(values))} noValidate>
      <Stack>
        <TextInput
          label="Address"
          description="Takes a POST for each scan and answers with 2xx."
          placeholder="https://example.com/hooks/signpost"
          type="url"
          data-autofocus
          {...form.getInputProps('url')}
        />
        <TextInput
          label="Description"
          placeholder="A note for yourself"
          {...form.getInputProps('description')}
        />
        {create.error ? <Problem error={create.error} title="The endpoint was not created" /> : null}
        <Group justify="flex-end">
          <Button type="submit" loading={create.isPending}>
            Create endpoint
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
