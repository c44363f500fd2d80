import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { modals } from '@mantine/modals';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { fieldErrors } from '../../api/field-errors.ts';
import type { Mode } from '../../api/mode.ts';
import { call } from '../../api/operations.ts';
import { settingsText } from '../../strings/settings.ts';
import { Problem } from '../../ui/problem.tsx';
import { Secret } from '../../ui/secret.tsx';
import { KeyFields, keyFormFields, newKeyForm, toKeyBody } from './key-fields.tsx';
import { CurrentPassword, currentPasswordFault } from './password-field.tsx';
import { keysQuery } from './queries.ts';

const text = settingsText.keys;

export const openCreateKey = (mode: Mode) =>
  modals.open({
    title: text.create[mode],
    children: <CreateKey mode={mode} />,
    closeOnClickOutside: false,
  });

function CreateKey({ mode }: { readonly mode: Mode }) {
  const client = useQueryClient();
  const form = useForm({
    initialValues: newKeyForm,
    validate: {
      name: value => (value.trim() ? null : text.nameMissing),
      current_password: currentPasswordFault,
    },
  });
  const create = useMutation({
    mutationFn: (values: typeof form.values) =>
      call('createKey', {
        body: { ...toKeyBody(values), current_password: values.current_password, mode },
      }),
    onSuccess: () => client.invalidateQueries(keysQuery),
    onError: error => form.setErrors(fieldErrors(error, keyFormFields)),
  });
  if (create.data)
    return <Secret value={create.data.key} what={text.secret} onDone={() => modals.closeAll()} />;
  const isOnField = Object.keys(fieldErrors(create.error, keyFormFields)).length > 0;
  return (
    <form onSubmit={form.onSubmit(values => create.mutate(values))} noValidate>
      <Stack>
        <KeyFields form={form} />
        <CurrentPassword description={text.passwordHint} {...form.getInputProps('current_password')} />
        {create.error && !isOnField ? <Problem error={create.error} title={text.failed} /> : null}
        <Group justify="flex-end">
          <Button type="submit" loading={create.isPending}>
            {text.action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
