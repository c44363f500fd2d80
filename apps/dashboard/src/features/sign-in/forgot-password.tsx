import { Alert } from '@mantine/core';
import { useForm } from '@mantine/form';
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
          {options.data?.sends_mail === false
            ? 'This server sends no mail. If there is an account with this address, its operator finds the link in the log and can hand it on.'
            : 'If there is an account with this address, the link is on its way. It works for an hour.'}
        </Alert>
      )}
      <EmailField autoFocus {...form.getInputProps('email')} />
    </OutsideForm>
  );
}
