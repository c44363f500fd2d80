import { Alert, Button, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDocumentTitle } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';
import { isApiError } from '../../api/request.ts';
import { noteSignedIn, seemsSignedIn } from '../../api/signed-in.ts';
import { LinkAnchor } from '../../ui/router-link.tsx';
import { EmailField } from './email-field.tsx';
import { OutsideForm } from './form.tsx';
import { useLinkToken } from './use-link-token.ts';

/**
 * Confirms by a click: a filter that only opens the links of a mail confirms nothing. It takes a session of the account that
 * is confirmed, so that who did not sign up cannot confirm an account of somebody else. Where the mail is opened on another
 * device, this page signs in first.
 */
export function VerifyEmail() {
  const token = useLinkToken();
  const client = useQueryClient();
  const form = useForm({ initialValues: { email: '', password: '' } });
  const confirm = useMutation({
    mutationFn: async ({ body }: { readonly body: typeof form.values | null }) => {
      if (body) {
        await call('signIn', { body });
        noteSignedIn(true);
        client.clear();
      }
      await call('verifyEmail', { body: { token } });
    },
    onSuccess: () => client.clear(),
  });
  if (confirm.isSuccess) return <Confirmed />;
  const isRefused = isApiError(confirm.error) && [401, 403].includes(confirm.error.status);
  const mustSignIn = isRefused || !seemsSignedIn();
  return (
    <OutsideForm
      title="Confirm your e-mail"
      description={
        mustSignIn
          ? 'Sign in to the account that you created with this address. If you did not create one, ignore the mail and close this page.'
          : 'Confirm only if you created this account yourself.'
      }
      action={mustSignIn ? 'Sign in and confirm' : 'Confirm e-mail'}
      busy={confirm.isPending}
      error={confirm.error}
      failure="The address was not confirmed"
      onSubmit={form.onSubmit(body => confirm.mutate({ body: mustSignIn ? body : null }))}
      footer={<LinkAnchor to="/codes">Go to your codes</LinkAnchor>}
    >
      {token === '' && (
        <Alert color="orange" title="This link is not complete" role="alert">
          Open it from the mail again, or ask for a new one after you have signed in.
        </Alert>
      )}
      {mustSignIn && (
        <>
          <EmailField {...form.getInputProps('email')} />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            {...form.getInputProps('password')}
          />
        </>
      )}
    </OutsideForm>
  );
}

function Confirmed() {
  useDocumentTitle('E-mail confirmed · Signpost');
  return (
    <Stack gap="md" role="status">
      <Title order={1} fz={22}>
        Your e-mail is confirmed
      </Title>
      <Text size="sm">Thank you. You can close this page, or go on.</Text>
      <Button component="a" href="/app/codes" fullWidth>
        Go to your codes
      </Button>
    </Stack>
  );
}
