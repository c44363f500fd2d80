import { PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { SignUp as SignUpBody } from '@signpost/contract';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';
import { LinkAnchor } from '../../ui/router-link.tsx';
import { EmailField } from './email-field.tsx';
import { OutsideForm } from './form.tsx';
import { optionsQuery } from './options.ts';
import { emailFault, nameFault, passwordFault, shortestPassword } from './rules.ts';
import { useEnter } from './use-enter.ts';

export function SignUp() {
  const enter = useEnter((body: SignUpBody) => call('signUp', { body }), '/codes/new');
  const options = useQuery(optionsQuery);
  const form = useForm({
    initialValues: { name: '', email: '', password: '' },
    validate: { name: nameFault, email: emailFault, password: passwordFault },
  });
  return (
    <OutsideForm
      title="Create an account"
      description={
        options.data?.first_user
          ? 'You are the first here, so you become the operator of this server.'
          : 'Your first code is a minute away.'
      }
      action="Create account"
      busy={enter.isPending}
      error={enter.error}
      failure="The account was not created"
      onSubmit={form.onSubmit(values => enter.mutate(values))}
      footer={
        <>
          You have one?{' '}
          <LinkAnchor to="/sign-in" underline="always">
            Sign in
          </LinkAnchor>
        </>
      }
    >
      <TextInput label="Name" autoComplete="name" autoFocus {...form.getInputProps('name')} />
      <EmailField {...form.getInputProps('email')} />
      <PasswordInput
        label="Password"
        description={`At least ${shortestPassword} characters`}
        autoComplete="new-password"
        {...form.getInputProps('password')}
      />
    </OutsideForm>
  );
}
