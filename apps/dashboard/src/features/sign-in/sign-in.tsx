import { PasswordInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { SignIn as SignInBody } from '@signpost/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { call } from '../../api/operations.ts';
import { LinkAnchor } from '../../ui/router-link.tsx';
import { EmailField } from './email-field.tsx';
import { OutsideForm } from './form.tsx';
import { NoOperator } from './no-operator.tsx';
import { optionsQuery } from './options.ts';
import { emailFault } from './rules.ts';
import { useEnter } from './use-enter.ts';

const route = getRouteApi('/outside/sign-in');

export function SignIn() {
  const { next } = route.useSearch();
  const enter = useEnter((body: SignInBody) => call('signIn', { body }), next);
  const options = useQuery(optionsQuery);
  const form = useForm({
    initialValues: { email: '', password: '' },
    validate: { email: emailFault, password: value => (value ? null : 'Enter your password') },
  });
  return (
    <OutsideForm
      title="Sign in"
      action="Sign in"
      busy={enter.isPending}
      error={enter.error}
      failure="You are not signed in"
      onSubmit={form.onSubmit(values => enter.mutate(values))}
      footer={
        options.data?.sign_up === false ? (
          'Accounts are made by the operator of this server.'
        ) : (
          <>
            New here?{' '}
            <LinkAnchor to="/sign-up" underline="always">
              Create an account
            </LinkAnchor>
          </>
        )
      }
    >
      <NoOperator />
      <EmailField autoFocus {...form.getInputProps('email')} />
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        {...form.getInputProps('password')}
        description={
          <LinkAnchor to="/forgot-password" size="xs">
            Forgotten?
          </LinkAnchor>
        }
        inputWrapperOrder={['label', 'input', 'description', 'error']}
      />
    </OutsideForm>
  );
}
