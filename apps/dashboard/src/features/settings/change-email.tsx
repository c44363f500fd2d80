import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { modals } from '@mantine/modals';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { fieldErrors } from '../../api/field-errors.ts';
import { call } from '../../api/operations.ts';
import { settingsText } from '../../strings/settings.ts';
import { notifyDone, Problem } from '../../ui/problem.tsx';
import { CurrentPassword, currentPasswordFault } from './password-field.tsx';
import { emailChangeQuery } from './queries.ts';

const text = settingsText.account.email;

export const openChangeEmail = () =>
  modals.open({ title: text.change, children: <ChangeEmail />, closeOnClickOutside: false });

function ChangeEmail() {
  const client = useQueryClient();
  const form = useForm({
    initialValues: { email: '', current_password: '' },
    validate: {
      email: value => (/^[^\s@]+@[^\s@]+$/.test(value.trim()) ? null : text.missing),
      current_password: currentPasswordFault,
    },
  });
  const change = useMutation({
    mutationFn: ({ email, current_password }: typeof form.values) =>
      call('changeEmail', { body: { email: email.trim(), current_password } }),
    onSuccess: (answer, { email }) => {
      client.setQueryData(emailChangeQuery.queryKey, answer);
      modals.closeAll();
      notifyDone(text.sent(email.trim()));
    },
    onError: error => form.setErrors(fieldErrors(error, ['email', 'current_password'])),
  });
  const isOnField = Object.keys(fieldErrors(change.error, ['email', 'current_password'])).length > 0;
  return (
    <form onSubmit={form.onSubmit(values => change.mutate(values))} noValidate>
      <Stack>
        <Text size="sm">{text.dialogText}</Text>
        <TextInput
          label={text.newAddress}
          type="email"
          inputMode="email"
          autoComplete="email"
          data-autofocus
          {...form.getInputProps('email')}
        />
        <CurrentPassword {...form.getInputProps('current_password')} />
        {change.error && !isOnField ? <Problem error={change.error} title={text.failed} /> : null}
        <Group justify="flex-end">
          <Button type="submit" loading={change.isPending}>
            {text.send}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
