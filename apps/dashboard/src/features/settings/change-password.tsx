import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';
import { Panel } from '../../ui/panel.tsx';
import { notifyDone, Problem } from '../../ui/problem.tsx';
import { passwordFault, passwordRule } from '../sign-in/rules.ts';
import { sessionsQuery } from './queries.ts';

export function ChangePassword() {
  const client = useQueryClient();
  const form = useForm({
    initialValues: { current_password: '', new_password: '' },
    validate: {
      current_password: value => (value ? null : 'Enter your password of now'),
      new_password: passwordFault,
    },
  });
  const change = useMutation({
    mutationFn: (body: typeof form.values) => call('changePassword', { body }),
    onSuccess: async () => {
      form.reset();
      notifyDone('Your password is changed, and every other session has ended.');
      await client.invalidateQueries(sessionsQuery);
    },
  });
  return (
    <Panel title="Password" description="Changing it ends every other session.">
      <form onSubmit={form.onSubmit(values => change.mutate(values))} noValidate>
        <Stack maw={420}>
          <PasswordInput
            label="Password now"
            autoComplete="current-password"
            {...form.getInputProps('current_password')}
          />
          <PasswordInput
            label="New password"
            description={passwordRule}
            autoComplete="new-password"
            {...form.getInputProps('new_password')}
          />
          {change.error ? <Problem error={change.error} title="The password was not changed" /> : null}
          <Group>
            <Button type="submit" variant="default" loading={change.isPending}>
              Change password
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}
