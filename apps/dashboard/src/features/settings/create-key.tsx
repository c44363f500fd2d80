import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { modals } from '@mantine/modals';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Mode } from '../../api/mode.ts';
import { call } from '../../api/operations.ts';
import { Problem } from '../../ui/problem.tsx';
import { Secret } from '../../ui/secret.tsx';
import { keysQuery } from './queries.ts';

export const openCreateKey = (mode: Mode) =>
  modals.open({
    title: mode === 'live' ? 'New live key' : 'New test key',
    children: <CreateKey mode={mode} />,
    closeOnClickOutside: false,
  });

function CreateKey({ mode }: { readonly mode: Mode }) {
  const client = useQueryClient();
  const form = useForm({
    initialValues: { name: '' },
    validate: { name: value => (value.trim() ? null : 'Say what the key is for') },
  });
  const create = useMutation({
    mutationFn: (name: string) => call('createKey', { body: { name, mode } }),
    onSuccess: () => client.invalidateQueries(keysQuery),
  });
  if (create.data) return <Secret value={create.data.key} what="API key" onDone={() => modals.closeAll()} />;
  return (
    <form onSubmit={form.onSubmit(({ name }) => create.mutate(name))} noValidate>
      <Stack>
        <TextInput
          label="Name"
          description="What the key is for, so that you know it again."
          placeholder="Online shop"
          data-autofocus
          {...form.getInputProps('name')}
        />
        {create.error ? <Problem error={create.error} title="The key was not created" /> : null}
        <Group justify="flex-end">
          <Button type="submit" loading={create.isPending}>
            Create key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
