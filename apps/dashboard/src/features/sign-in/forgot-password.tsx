import { Alert, Code, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDocumentTitle } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';
import { LinkAnchor } from '../../ui/router-link.tsx';
import { EmailField } from './email-field.tsx';
import { OutsideForm } from './form.tsx';
import { optionsQuery } from './options.ts';
import { emailFault } from './rules.ts';

export function ForgotPassword() {
  const ask = useMutation({ mutationFn: (email: string) => call('requestReset', { body: { email } }) });
  const options = useQuery(optionsQuery);
  const form = useForm({ initialValues: { email: '' }, validate: { email: emailFault } });
  if (options.data?.sends_mail === false) return <NoMail />;
  return (
    <OutsideForm
      title="Choose a new password"
      description="We send a link to your e-mail address. It works once."
      action="Send the link"
      busy={ask.isPending}
      error={ask.error}
      failure="The link was not sent"
      onSubmit={form.onSubmit(({ email }) => ask.mutate(email))}
      footer={
        <LinkAnchor to="/sign-in" underline="always">
          Back to sign in
        </LinkAnchor>
      }
    >
      {ask.isSuccess && (
        <Alert title="Look into your mail" role="status">
          If there is an account with this address, the link is on its way. It works for an hour.
        </Alert>
      )}
      <EmailField autoFocus {...form.getInputProps('email')} />
    </OutsideForm>
  );
}

/** What to do where no mail can be sent. */
function NoMail() {
  useDocumentTitle('Choose a new password · Signpost');
  return (
    <Stack gap="md">
      <Title order={1} fz={22}>
        Choose a new password
      </Title>
      <Text size="sm">
        This server sends no mail. Ask its operator for a link to set a new password: they make one with this
        command.
      </Text>
      <Code block>signpost admin reset-link YOUR-EMAIL</Code>
      <Text size="sm" ta="center">
        <LinkAnchor to="/sign-in" underline="always">
          Back to sign in
        </LinkAnchor>
      </Text>
    </Stack>
  );
}
