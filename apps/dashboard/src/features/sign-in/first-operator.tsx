import { Code, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { CreateFirstOperator } from '@signpost/contract';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';
import { LinkAnchor } from '../../ui/router-link.tsx';
import { EmailField } from './email-field.tsx';
import { OutsideForm } from './form.tsx';
import { optionsQuery } from './options.ts';
import { emailFault, nameFault, passwordFault, passwordRule } from './rules.ts';
import { SignedOutNote } from './signed-out-note.tsx';
import { useEnter } from './use-enter.ts';

/** Where whoever has installed the server becomes its operator. */
export function FirstOperator() {
  const enter = useEnter((body: CreateFirstOperator) => call('createFirstOperator', { body }), '/codes/new');
  const options = useQuery(optionsQuery);
  const form = useForm({
    initialValues: { token: '', name: '', email: '', password: '' },
    validate: {
      token: value => (value.trim() ? null : 'Enter the token from the server'),
      name: nameFault,
      email: emailFault,
      password: passwordFault,
    },
  });
  if (options.data?.first_user === false)
    return (
      <SignedOutNote title="This server has an operator">
        The operator can make an account for you.
      </SignedOutNote>
    );
  return (
    <OutsideForm
      title="Set up this server"
      description="You become its operator, with an account without limits. The token shows that the server is yours."
      action="Become the operator"
      busy={enter.isPending}
      error={enter.error}
      failure="Setup failed"
      onSubmit={form.onSubmit(values => enter.mutate({ ...values, token: values.token.trim() }))}
      footer={
        <>
          You have an account?{' '}
          <LinkAnchor to="/sign-in" underline="always">
            Sign in
          </LinkAnchor>
        </>
      }
    >
      <TextInput
        label="Token"
        description={
          <>
            From the file <Command>first-operator-token</Command> on the server; its log says where. Is there
            none? Run <Command>signpost admin create-user</Command> with <Command>--operator</Command>{' '}
            instead.
          </>
        }
        descriptionProps={{ lh: 1.6 }}
        autoComplete="off"
        spellCheck={false}
        autoFocus
        {...form.getInputProps('token')}
      />
      <TextInput label="Name" autoComplete="name" {...form.getInputProps('name')} />
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

/** Read and typed as a whole. */
const Command = ({ children }: { readonly children: string }) => (
  <Code style={{ whiteSpace: 'nowrap' }}>{children}</Code>
);
