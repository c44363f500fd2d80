import { Alert, Code, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDocumentTitle } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';
import { signInText } from '../../strings/sign-in.ts';
import { LinkAnchor } from '../../ui/router-link.tsx';
import { EmailField } from './email-field.tsx';
import { OutsideForm } from './form.tsx';
import { optionsQuery } from './options.ts';
import { emailFault } from './rules.ts';

const words = signInText.forgotPassword;

export function ForgotPassword() {
  const ask = useMutation({ mutationFn: (email: string) => call('requestReset', { body: { email } }) });
  const options = useQuery(optionsQuery);
  const form = useForm({ initialValues: { email: '' }, validate: { email: emailFault } });
  if (options.data?.sends_mail === false) return <NoMail />;
  return (
    <OutsideForm
      title={words.title}
      description={words.description}
      action={words.action}
      busy={ask.isPending}
      error={ask.error}
      failure={words.failure}
      onSubmit={form.onSubmit(({ email }) => ask.mutate(email))}
      footer={
        <LinkAnchor to="/sign-in" underline="always">
          {signInText.backToSignIn}
        </LinkAnchor>
      }
    >
      {ask.isSuccess && (
        <Alert title={words.sentTitle} role="status">
          {words.sent}
        </Alert>
      )}
      <EmailField autoFocus {...form.getInputProps('email')} />
    </OutsideForm>
  );
}

/** What to do where no mail can be sent. */
function NoMail() {
  useDocumentTitle(signInText.pageTitle(words.title));
  return (
    <Stack gap="md">
      <Title order={1} fz={22}>
        {words.title}
      </Title>
      <Text size="sm">{words.noMail}</Text>
      <Code block>{words.command}</Code>
      <Text size="sm" ta="center">
        <LinkAnchor to="/sign-in" underline="always">
          {signInText.backToSignIn}
        </LinkAnchor>
      </Text>
    </Stack>
  );
}
