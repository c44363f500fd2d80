import { PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { SignUp as SignUpBody } from '@signpost/contract';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';
import { LinkAnchor } from '../../ui/router-link.tsx';
import { EmailField } from './email-field.tsx';
import { OutsideForm } from './form.tsx';
import { NoOperator } from './no-operator.tsx';
import { optionsQuery } from './options.ts';
import { emailFault, nameFault, passwordFault, passwordRule } from './rules.ts';
import { SignedOutNote } from './signed-out-note.tsx';
import { useEnter } from './use-enter.ts';

export function SignUp() {
  const enter = useEnter((body: SignUpBody) => call('signUp', { body }), '/codes/new');
  const options = useQuery(optionsQuery);
  const form = useForm({
    initialValues: { name: '', email: '', password: '' },
    validate: { name: nameFault, email: emailFault, password: passwordFault },
  });
  if (options.data?.sign_up === false)
    return (
      <SignedOutNote title="Sign-up is closed">
        Accounts are made by the operator of this server. Ask them for one.
      </SignedOutNote>
    );
  return (
    <OutsideForm
      title="Create an account"
      description="Your first code is a minute away."
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
      <NoOperator />
      <TextInput label="Name" autoComplete="name" autoFocus {...form.getInputProps('name')} />
      <EmailField {...form.getInputProps('email')} />
      <PasswordInput
        label="Password"
        description={passwordRule}
        autoComplete="new-password"
        {...form.getInputProps('password')}
      />
    </OutsideForm>
  );
}
