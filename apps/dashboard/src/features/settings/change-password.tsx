import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { fieldErrors } from '../../api/field-errors.ts';
import { call } from '../../api/operations.ts';
import { settingsText } from '../../strings/settings.ts';
import { Panel } from '../../ui/panel.tsx';
import { PasswordInput } from '../../ui/password-input.tsx';
import { notifyDone, Problem } from '../../ui/problem.tsx';
import { passwordFault, passwordRule } from '../sign-in/rules.ts';
import { CurrentPassword, currentPasswordFault } from './password-field.tsx';
import { sessionsQuery } from './queries.ts';

const text = settingsText.account.password;
const fields = ['current_password', 'new_password'] as const;

export function ChangePassword() {
  const client = useQueryClient();
  const form = useForm({
    initialValues: { current_password: '', new_password: '' },
    validate: { current_password: currentPasswordFault, new_password: passwordFault },
  });
  const change = useMutation({
    mutationFn: (body: typeof form.values) => call('changePassword', { body }),
    onSuccess: async () => {
      form.reset();
      notifyDone(text.changed);
      await client.invalidateQueries(sessionsQuery);
    },
    onError: error => form.setErrors(fieldErrors(error, fields)),
  });
  const isOnField = Object.keys(fieldErrors(change.error, fields)).length > 0;
  return (
    <Panel title={text.title} description={text.text}>
      <form onSubmit={form.onSubmit(values => change.mutate(values))} noValidate>
        <Stack maw={420}>
          <CurrentPassword {...form.getInputProps('current_password')} />
          <PasswordInput
            label={text.next}
            description={passwordRule}
            autoComplete="new-password"
            {...form.getInputProps('new_password')}
          />
          {change.error && !isOnField ? <Problem error={change.error} title={text.failed} /> : null}
          <Group>
            <Button type="submit" variant="default" loading={change.isPending}>
              {text.action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}
