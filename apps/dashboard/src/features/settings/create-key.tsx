import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { modals } from '@mantine/modals';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { fieldErrors } from '../../api/field-errors.ts';
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
    initialValues: { name: '', current_password: '' },
    validate: {
      name: value => (value.trim() ? null : 'Say what the key is for'),
      current_password: value => (value ? null : 'Enter your password'),
    },
  });
  const create = useMutation({
    mutationFn: (values: typeof form.values) => call('createKey', { body: { ...values, mode } }),
    onSuccess: () => client.invalidateQueries(keysQuery),
    onError: error => form.setErrors(fieldErrors(error, ['name'])),
  });
  if (create.data) return <Secret value={create.data.key} what="API key" onDone={() => modals.closeAll()} />;
  return (
    <form onSubmit={form.onSubmit(values => create.mutate(values))} noValidate>
      <Stack>
        <TextInput
          label="Name"
          description="What the key is for, so that you know it again."
          placeholder="Online shop"
          data-autofocus
          {...form.getInputProps('name')}
        />
        <PasswordInput
          label="Your password"
          description="Asked again, because a key stays when you sign out."
          autoComplete="current-password"
          {...form.getInputProps('current_password')}
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
