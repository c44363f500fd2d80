import { useForm } from '@mantine/form';
import type { SignIn as SignInBody } from '@signpost/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { call } from '../../api/operations.ts';
import { signInText } from '../../strings/sign-in.ts';
import { PasswordInput } from '../../ui/password-input.tsx';
import { LinkAnchor } from '../../ui/router-link.tsx';
import { Sentence } from '../../ui/sentence.tsx';
import { EmailField } from './email-field.tsx';
import { OutsideForm } from './form.tsx';
import { NoOperator } from './no-operator.tsx';
import { optionsQuery } from './options.ts';
import { emailFault } from './rules.ts';
import { useEnter } from './use-enter.ts';

const route = getRouteApi('/outside/sign-in');

const words = signInText.signInForm;

export function SignIn() {
  const { next } = route.useSearch();
  const enter = useEnter((body: SignInBody) => call('signIn', { body }), next);
  const options = useQuery(optionsQuery);
  const form = useForm({
    initialValues: { email: '', password: '' },
    validate: { email: emailFault, password: value => (value ? null : signInText.passwordMissing) },
  });
  return (
    <OutsideForm
      title={signInText.signIn}
      action={signInText.signIn}
      busy={enter.isPending}
      error={enter.error}
      failure={words.failure}
      onSubmit={form.onSubmit(values => enter.mutate(values))}
      footer={
        options.data?.sign_up === false ? (
          words.closed
        ) : (
          <Sentence
            text={words.isNew}
            parts={{
              link: (
                <LinkAnchor to="/sign-up" underline="always">
                  {words.create}
                </LinkAnchor>
              ),
            }}
          />
        )
      }
    >
      <NoOperator />
      <EmailField autoFocus {...form.getInputProps('email')} />
      <PasswordInput
        label={signInText.password}
        autoComplete="current-password"
        {...form.getInputProps('password')}
        description={
          <LinkAnchor to="/forgot-password" size="xs">
            {words.forgot}
          </LinkAnchor>
        }
        inputWrapperOrder={['label', 'input', 'description', 'error']}
      />
    </OutsideForm>
  );
}
