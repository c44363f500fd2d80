import { Alert, Button, Checkbox, Group, type PasswordInputProps, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { modals } from '@mantine/modals';
import type { OperatorPerson } from '@signpost/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEventHandler, ReactNode } from 'react';
import { fieldErrors } from '../../api/field-errors.ts';
import { call } from '../../api/operations.ts';
import { operatorText } from '../../strings/operator.ts';
import { notifyDone, Problem } from '../../ui/problem.tsx';
import { Snippet } from '../../ui/snippet.tsx';
import { CurrentPassword, currentPasswordFault } from '../settings/password-field.tsx';
import { meQuery } from '../shell/me.ts';

const text = operatorText.people;

export const openSetOperator = (person: OperatorPerson) =>
  modals.open({
    title: person.is_operator ? text.removeTitle : text.makeTitle,
    children: <SetOperator person={person} />,
    closeOnClickOutside: false,
  });

export const openResetLink = (person: OperatorPerson, sendsMail: boolean) =>
  modals.open({
    title: text.resetTitle,
    children: <ResetLink person={person} sendsMail={sendsMail} />,
    closeOnClickOutside: false,
  });

type PersonProps = { readonly person: OperatorPerson };

function SetOperator({ person }: PersonProps) {
  const client = useQueryClient();
  const isMaking = !person.is_operator;
  const mustVouch = isMaking && !person.email_verified;
  const form = useForm({
    initialValues: { even_unconfirmed: false, current_password: '' },
    validate: {
      even_unconfirmed: value => (mustVouch && !value ? text.unconfirmedMissing : null),
      current_password: currentPasswordFault,
    },
  });
  const set = useMutation({
    mutationFn: (values: typeof form.values) =>
      call('setPersonOperator', { params: { id: person.id }, body: { ...values, is_operator: isMaking } }),
    onSuccess: async () => {
      modals.closeAll();
      notifyDone(isMaking ? text.made(person.email) : text.removed(person.email));
      await client.invalidateQueries({ queryKey: ['operator', 'people'] });
      // Whoever has removed themselves leaves these pages.
      await client.invalidateQueries(meQuery);
    },
    onError: error => form.setErrors(fieldErrors(error, ['current_password'])),
  });
  return (
    <PasswordForm
      password={form.getInputProps('current_password')}
      error={set.error}
      failure={text.operatorFailed}
      action={isMaking ? text.make : text.remove}
      isBusy={set.isPending}
      onSubmit={form.onSubmit(values => set.mutate(values))}
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {isMaking ? text.makeText(person.email) : text.removeText(person.email)}
      </Text>
      {mustVouch && (
        <Alert color="orange">
          <Stack gap="xs">
            <Text size="sm">{text.unconfirmedText}</Text>
            <Checkbox
              label={text.unconfirmedCheck}
              {...form.getInputProps('even_unconfirmed', { type: 'checkbox' })}
            />
          </Stack>
        </Alert>
      )}
    </PasswordForm>
  );
}

function ResetLink({ person, sendsMail }: PersonProps & { readonly sendsMail: boolean }) {
  const form = useForm({
    initialValues: { current_password: '' },
    validate: { current_password: currentPasswordFault },
  });
  const send = useMutation({
    mutationFn: (body: typeof form.values) => call('sendPersonReset', { params: { id: person.id }, body }),
    onSuccess: ({ link }) => {
      if (link !== null) return;
      modals.closeAll();
      notifyDone(text.resetSent(person.email));
    },
    onError: error => form.setErrors(fieldErrors(error, ['current_password'])),
  });
  if (send.data?.link)
    return (
      <Stack>
        <Text size="sm">{text.linkText}</Text>
        <Snippet text={send.data.link} what={text.link} />
        <Group justify="flex-end">
          <Button onClick={() => modals.closeAll()}>{text.done}</Button>
        </Group>
      </Stack>
    );
  return (
    <PasswordForm
      password={form.getInputProps('current_password')}
      error={send.error}
      failure={text.resetFailed}
      action={sendsMail ? text.resetAction : text.resetNoMailAction}
      isBusy={send.isPending}
      onSubmit={form.onSubmit(values => send.mutate(values))}
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {sendsMail ? text.resetText(person.email) : text.resetNoMailText}
      </Text>
    </PasswordForm>
  );
}

type FormProps = {
  readonly password: PasswordInputProps;
  readonly error: unknown;
  readonly failure: string;
  readonly action: string;
  readonly isBusy: boolean;
  readonly onSubmit: FormEventHandler<HTMLFormElement>;
  readonly children: ReactNode;
};

/** What happens, the operator's password, and the button. */
function PasswordForm({ password, error, failure, action, isBusy, onSubmit, children }: FormProps) {
  const isOnField = Object.keys(fieldErrors(error, ['current_password'])).length > 0;
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        {children}
        <CurrentPassword data-autofocus {...password} />
        {error && !isOnField ? <Problem error={error} title={failure} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => modals.closeAll()}>
            {operatorText.cancel}
          </Button>
          <Button type="submit" loading={isBusy}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
