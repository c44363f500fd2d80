import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { SignUp as SignUpBody } from '@signpost/contract';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';
import { language } from '../../strings/language.ts';
import { signInText } from '../../strings/sign-in.ts';
import { PasswordInput } from '../../ui/password-input.tsx';
import { LinkAnchor } from '../../ui/router-link.tsx';
import { Sentence } from '../../ui/sentence.tsx';
import { EmailField } from './email-field.tsx';
import { OutsideForm } from './form.tsx';
import { NoOperator } from './no-operator.tsx';
import { optionsQuery } from './options.ts';
import { emailFault, nameFault, passwordFault, passwordRule } from './rules.ts';
import { SignedOutNote } from './signed-out-note.tsx';
import { useEnter } from './use-enter.ts';

const words = signInText.signUpForm;

export function SignUp() {
  const enter = useEnter((body: SignUpBody) => call('signUp', { body: { ...body, language } }), '/codes/new');
  const options = useQuery(optionsQuery);
  const form = useForm({
    initialValues: { name: '', email: '', password: '' },
    validate: { name: nameFault, email: emailFault, password: passwordFault },
  });
  if (options.data?.sign_up === false)
    return <SignedOutNote title={words.closedTitle}>{words.closed}</SignedOutNote>;
  return (
    <OutsideForm
      title={words.title}
      description={words.description}
      action={words.action}
      busy={enter.isPending}
      error={enter.error}
      failure={words.failure}
      onSubmit={form.onSubmit(values => enter.mutate(values))}
      footer={
        <Sentence
          text={words.hasAccount}
          parts={{
            link: (
              <LinkAnchor to="/sign-in" underline="always">
                {signInText.signIn}
              </LinkAnchor>
            ),
          }}
        />
      }
    >
      <NoOperator />
      <TextInput label={signInText.name} autoComplete="name" autoFocus {...form.getInputProps('name')} />
      <EmailField {...form.getInputProps('email')} />
      <PasswordInput
        label={signInText.password}
        description={passwordRule}
        autoComplete="new-password"
        {...form.getInputProps('password')}
      />
    </OutsideForm>
  );
}
