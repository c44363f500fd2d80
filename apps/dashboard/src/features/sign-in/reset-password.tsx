import { Alert, Button, Checkbox, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDocumentTitle } from '@mantine/hooks';
import type { PasswordReset } from '@signpost/contract';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';
import { noteSignedIn } from '../../api/signed-in.ts';
import { signInText } from '../../strings/sign-in.ts';
import { PasswordInput } from '../../ui/password-input.tsx';
import { LinkAnchor } from '../../ui/router-link.tsx';
import { OutsideForm } from './form.tsx';
import { passwordFault, passwordRule } from './rules.ts';
import { useLinkToken } from './use-link-token.ts';

const words = signInText.resetPassword;

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
      title={words.title}
      description={words.description}
      action={words.action}
      busy={change.isPending}
      error={change.error}
      failure={words.failure}
      onSubmit={form.onSubmit(values => change.mutate(values))}
      footer={<LinkAnchor to="/forgot-password">{words.newLink}</LinkAnchor>}
    >
      {token === '' && (
        <Alert color="orange" title={words.incompleteTitle} role="alert">
          {words.incomplete}
        </Alert>
      )}
      <PasswordInput
        label={words.newPassword}
        description={passwordRule}
        autoComplete="new-password"
        autoFocus
        {...form.getInputProps('password')}
      />
      <Checkbox
        label={words.revokeKeys}
        description={words.revokeKeysHint}
        {...form.getInputProps('revoke_keys', { type: 'checkbox' })}
      />
    </OutsideForm>
  );
}

/** What the reset did besides, and what is left to look at. */
function Changed({ reset }: { readonly reset: PasswordReset }) {
  useDocumentTitle(signInText.pageTitle(words.changedTitle));
  const { keys_revoked: keys, email_confirmed: isFirst } = reset;
  const { codes_paused: codes, webhooks_disabled: webhooks } = reset;
  return (
    <Stack gap="md" role="status">
      <Title order={1} fz={22}>
        {words.changedTitle}
      </Title>
      <Text size="sm">
        {words.signedOut} {keys > 0 && words.keysRevoked(keys)}
      </Text>
      {isFirst && (
        <Alert color="orange" title={words.checkTitle}>
          {words.check} {codes > 0 && words.codesPaused(codes)} {webhooks > 0 && words.webhooksOff(webhooks)}{' '}
          {words.checkAll}
        </Alert>
      )}
      <Button component="a" href="/app/sign-in" fullWidth>
        {signInText.signIn}
      </Button>
    </Stack>
  );
}
