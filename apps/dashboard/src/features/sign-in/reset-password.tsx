import { Alert, Button, Checkbox, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDocumentTitle } from '@mantine/hooks';
import type { PasswordReset } from '@signpost/contract';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';
import { noteSignedIn } from '../../api/signed-in.ts';
import { LinkAnchor } from '../../ui/router-link.tsx';
import { OutsideForm } from './form.tsx';
import { passwordFault, passwordRule } from './rules.ts';
import { useLinkToken } from './use-link-token.ts';

export function ResetPassword() {
  const token = useLinkToken();
  const form = useForm({
    initialValues: { password: '', revoke_keys: false },
    validate: { password: passwordFault },
  });
  const change = useMutation({
    mutationFn: (values: typeof form.values) => call('resetPassword', { body: { ...values, token } }),
    onSuccess: () => noteSignedIn(false),
  });
  if (change.data) return <Changed reset={change.data} />;
  return (
    <OutsideForm
      title="Choose a new password"
      description="It ends every session, and every other link that was sent to you."
      action="Change password"
      busy={change.isPending}
      error={change.error}
      failure="The password was not changed"
      onSubmit={form.onSubmit(values => change.mutate(values))}
      footer={<LinkAnchor to="/forgot-password">Ask for a new link</LinkAnchor>}
    >
      {token === '' && (
        <Alert color="orange" title="This link is not complete" role="alert">
          Open it from the mail again, or ask for a new one.
        </Alert>
      )}
      <PasswordInput
        label="New password"
        description={passwordRule}
        autoComplete="new-password"
        autoFocus
        {...form.getInputProps('password')}
      />
      <Checkbox
        label="Revoke all API keys too"
        description="Tick this if somebody else may have had your password. Programs that use a key stop until they get a new one."
        {...form.getInputProps('revoke_keys', { type: 'checkbox' })}
      />
    </OutsideForm>
  );
}

/** What the reset did besides, and what is left to look at. */
function Changed({ reset }: { readonly reset: PasswordReset }) {
  useDocumentTitle('Password changed · Signpost');
  const { keys_revoked: keys, email_confirmed: isFirst } = reset;
  const { codes_paused: codes, webhooks_disabled: webhooks } = reset;
  return (
    <Stack gap="md" role="status">
      <Title order={1} fz={22}>
        Your password is changed
      </Title>
      <Text size="sm">
        Every session has ended.{' '}
        {keys > 0 && `${keys === 1 ? '1 API key was' : `${keys} API keys were`} revoked.`}
      </Text>
      {isFirst && (
        <Alert color="orange" title="Look through the account">
          Nobody had confirmed this e-mail before, so somebody else may have created the account.{' '}
          {codes > 0 &&
            `Its codes are paused (${codes}): resume those that you made, and delete the others. `}
          {webhooks > 0 && `Its webhooks are disabled (${webhooks}). `}
          Check where everything leads, and delete what is not yours.
        </Alert>
      )}
      <Button component="a" href="/app/sign-in" fullWidth>
        Sign in
      </Button>
    </Stack>
  );
}
