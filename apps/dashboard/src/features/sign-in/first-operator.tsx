import { Code, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { CreateFirstOperator } from '@signpost/contract';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';
import { signInText } from '../../strings/sign-in.ts';
import { PasswordInput } from '../../ui/password-input.tsx';
import { LinkAnchor } from '../../ui/router-link.tsx';
import { Sentence } from '../../ui/sentence.tsx';
import { EmailField } from './email-field.tsx';
import { OutsideForm } from './form.tsx';
import { optionsQuery } from './options.ts';
import { emailFault, nameFault, passwordFault, passwordRule } from './rules.ts';
import { SignedOutNote } from './signed-out-note.tsx';
import { useEnter } from './use-enter.ts';

const words = signInText.firstOperator;

/** Where the person who has installed the server becomes its operator. */
export function FirstOperator() {
  const enter = useEnter((body: CreateFirstOperator) => call('createFirstOperator', { body }), '/codes/new');
  const options = useQuery(optionsQuery);
  const form = useForm({
    initialValues: { token: '', name: '', email: '', password: '' },
    validate: {
      token: value => (value.trim() ? null : words.tokenMissing),
      name: nameFault,
      email: emailFault,
      password: passwordFault,
    },
  });
  if (options.data?.first_user === false)
    return <SignedOutNote title={words.takenTitle}>{words.taken}</SignedOutNote>;
  return (
    <OutsideForm
      title={words.title}
      description={words.description}
      action={words.action}
      busy={enter.isPending}
      error={enter.error}
      failure={words.failure}
      onSubmit={form.onSubmit(values => enter.mutate({ ...values, token: values.token.trim() }))}
      footer={
        <Sentence
          text={signInText.signUpForm.hasAccount}
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
      <TextInput
        label={words.token}
        description={
          <Sentence
            text={words.tokenHint}
            parts={{
              file: <Command>{words.tokenFile}</Command>,
              command: <Command>{words.command}</Command>,
              option: <Command>{words.commandOption}</Command>,
            }}
          />
        }
        descriptionProps={{ lh: 1.6 }}
        autoComplete="off"
        spellCheck={false}
        autoFocus
        {...form.getInputProps('token')}
      />
      <TextInput label={signInText.name} autoComplete="name" {...form.getInputProps('name')} />
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

/** Read and typed as a whole. */
const Command = ({ children }: { readonly children: string }) => (
  <Code style={{ whiteSpace: 'nowrap' }}>{children}</Code>
);
