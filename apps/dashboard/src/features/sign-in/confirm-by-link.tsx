import { Alert, Button, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDocumentTitle } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { call } from '../../api/operations.ts';
import { isApiError } from '../../api/request.ts';
import { noteSignedIn, seemsSignedIn } from '../../api/signed-in.ts';
import { signInText } from '../../strings/sign-in.ts';
import { PasswordInput } from '../../ui/password-input.tsx';
import { EmailField } from './email-field.tsx';
import { OutsideForm } from './form.tsx';
import { useLinkToken } from './use-link-token.ts';

type Words = Readonly<
  Record<
    | 'title'
    | 'signInFirst'
    | 'signInEmail'
    | 'signInAndConfirm'
    | 'explanation'
    | 'action'
    | 'failure'
    | 'incompleteTitle'
    | 'incomplete'
    | 'confirmedTitle'
    | 'confirmed'
    | 'next',
    string
  >
>;

type Props = {
  readonly words: Words;
  readonly operation: 'verifyEmail' | 'confirmEmailChange';
  /** Where the button leads once it is confirmed. */
  readonly nextUrl: string;
  readonly footer: ReactNode;
};

/**
 * The page that a link in an e-mail leads to. It confirms by a click: a filter that only opens the links of a mail confirms
 * nothing. It takes a session of the account that is confirmed, so that nobody can confirm an account of somebody else. Where
 * the mail is opened on another device, this page signs in first.
 */
export function ConfirmByLink({ words, operation, nextUrl, footer }: Props) {
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
      await call(operation, { body: { token } });
    },
    onSuccess: () => client.clear(),
  });
  if (confirm.isSuccess) return <Confirmed words={words} nextUrl={nextUrl} />;
  const isRefused = isApiError(confirm.error) && [401, 403].includes(confirm.error.status);
  const mustSignIn = isRefused || !seemsSignedIn();
  return (
    <OutsideForm
      title={words.title}
      description={mustSignIn ? words.signInFirst : words.explanation}
      action={mustSignIn ? words.signInAndConfirm : words.action}
      busy={confirm.isPending}
      error={confirm.error}
      failure={words.failure}
      onSubmit={form.onSubmit(body => confirm.mutate({ body: mustSignIn ? body : null }))}
      footer={footer}
    >
      {token === '' && (
        <Alert color="orange" title={words.incompleteTitle} role="alert">
          {words.incomplete}
        </Alert>
      )}
      {mustSignIn && (
        <>
          <EmailField label={words.signInEmail} {...form.getInputProps('email')} />
          <PasswordInput
            label={signInText.password}
            autoComplete="current-password"
            {...form.getInputProps('password')}
          />
        </>
      )}
    </OutsideForm>
  );
}

function Confirmed({ words, nextUrl }: Pick<Props, 'words' | 'nextUrl'>) {
  useDocumentTitle(signInText.pageTitle(words.confirmedTitle));
  return (
    <Stack gap="md" role="status">
      <Title order={1} fz={22}>
        {words.confirmedTitle}
      </Title>
      <Text size="sm">{words.confirmed}</Text>
      <Button component="a" href={nextUrl} fullWidth>
        {words.next}
      </Button>
    </Stack>
  );
}
