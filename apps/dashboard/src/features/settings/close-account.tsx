import { Button, Group, List, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { modals } from '@mantine/modals';
import { useMutation } from '@tanstack/react-query';
import { fieldErrors } from '../../api/field-errors.ts';
import { call } from '../../api/operations.ts';
import { settingsText } from '../../strings/settings.ts';
import { Panel } from '../../ui/panel.tsx';
import { notifyDone, Problem } from '../../ui/problem.tsx';
import { RefusedButton } from '../../ui/refused-button.tsx';
import { useMe } from '../shell/me.ts';
import { useLoseAccount } from '../shell/use-lose-account.ts';
import { useRoleRefusal } from '../shell/use-refusal.ts';
import { CurrentPassword, currentPasswordFault } from './password-field.tsx';

const text = settingsText.account.close;
const fields = ['confirmation', 'current_password'] as const;

export function CloseAccount() {
  const { user } = useMe();
  const refusal = useRoleRefusal('account:own');
  const lose = useLoseAccount();
  const open = () =>
    modals.open({
      title: text.dialogTitle,
      children: <Confirm email={user.email} onClosed={lose} />,
      closeOnClickOutside: false,
    });
  return (
    <Panel title={text.title} description={text.text}>
      <Group>
        {refusal ? (
          <RefusedButton reason={refusal} variant="default">
            {text.action}
          </RefusedButton>
        ) : (
          <Button variant="outline" color="red" c="var(--mantine-color-text)" onClick={open}>
            {text.action}
          </Button>
        )}
      </Group>
    </Panel>
  );
}

type ConfirmProps = { readonly email: string; readonly onClosed: () => Promise<void> };

function Confirm({ email, onClosed }: ConfirmProps) {
  const form = useForm({
    initialValues: { confirmation: '', current_password: '' },
    validate: {
      confirmation: value => (value.trim().toLowerCase() === email ? null : text.confirmationWrong),
      current_password: currentPasswordFault,
    },
  });
  const close = useMutation({
    mutationFn: (body: typeof form.values) => call('closeAccount', { body }),
    onSuccess: async () => {
      modals.closeAll();
      await onClosed();
      notifyDone(text.closed);
    },
    onError: error => form.setErrors(fieldErrors(error, fields)),
  });
  const isOnField = Object.keys(fieldErrors(close.error, fields)).length > 0;
  return (
    <form onSubmit={form.onSubmit(values => close.mutate(values))} noValidate>
      <Stack>
        <List size="sm" spacing="xs">
          {text.consequences.map(one => (
            <List.Item key={one}>{one}</List.Item>
          ))}
        </List>
        <TextInput
          label={text.confirmation(email)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          data-autofocus
          {...form.getInputProps('confirmation')}
        />
        <CurrentPassword {...form.getInputProps('current_password')} />
        {close.error && !isOnField ? <Problem error={close.error} title={text.failed} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => modals.closeAll()}>
            {text.cancel}
          </Button>
          <Button type="submit" color="red.8" loading={close.isPending}>
            {text.confirm}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
