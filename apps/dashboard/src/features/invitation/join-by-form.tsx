import { Button, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { InvitationDetails } from '@signpost/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors } from '../../api/field-errors.ts';
import { call } from '../../api/operations.ts';
import { language } from '../../strings/language.ts';
import { peopleText } from '../../strings/people.ts';
import { signInText } from '../../strings/sign-in.ts';
import { PasswordInput } from '../../ui/password-input.tsx';
import { Problem } from '../../ui/problem.tsx';
import { EmailField } from '../sign-in/email-field.tsx';
import { emailFault, nameFault, passwordFault, passwordRule } from '../sign-in/rules.ts';
import { InvitationHead } from './invitation-head.tsx';

const text = peopleText.invitation;

type Props = {
  readonly details: InvitationDetails;
  readonly token: string;
  readonly onSignedUp: () => Promise<void>;
  readonly onSignedIn: () => void;
};

type Way = 'new' | 'known';

/** For somebody who is not signed in: a sign-in of their own, new or one that they have, and the account in one step. */
export function JoinByForm({ details, ...form }: Props) {
  const [way, setWay] = useState<Way>('new');
  return (
    <Stack gap="md">
      <InvitationHead details={details} />
      <SegmentedControl
        fullWidth
        aria-label={text.choice}
        value={way}
        onChange={value => setWay(value as Way)}
        data={[
          { value: 'new', label: text.signUp },
          { value: 'known', label: text.signIn },
        ]}
      />
      {way === 'new' ? (
        <SignUpForm {...form} mask={details.email} />
      ) : (
        <SignInForm {...form} mask={details.email} />
      )}
    </Stack>
  );
}

type FormProps = Omit<Props, 'details'> & { readonly mask: string };

function SignUpForm({ token, mask, onSignedUp }: FormProps) {
  const form = useForm({
    initialValues: { name: '', email: '', password: '' },
    validate: { name: nameFault, email: emailFault, password: passwordFault },
  });
  const fields = ['name', 'email', 'password'] as const;
  const signUp = useMutation({
    mutationFn: (values: typeof form.values) =>
      call('signUp', { body: { ...values, invitation: token, language } }),
    onSuccess: onSignedUp,
    onError: error => form.setErrors(fieldErrors(error, fields)),
  });
  const isOnField = Object.keys(fieldErrors(signUp.error, fields)).length > 0;
  return (
    <form onSubmit={form.onSubmit(values => signUp.mutate(values))} noValidate>
      <Stack gap="md">
        {signUp.error && !isOnField ? <Problem error={signUp.error} title={text.failed} /> : null}
        <TextInput label={signInText.name} autoComplete="name" {...form.getInputProps('name')} />
        <EmailField description={text.sameAddress(mask)} {...form.getInputProps('email')} />
        <PasswordInput
          label={signInText.password}
          description={passwordRule}
          autoComplete="new-password"
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={signUp.isPending} fullWidth mt="xs">
          {text.signUpAction}
        </Button>
      </Stack>
    </form>
  );
}

function SignInForm({ mask, onSignedIn }: FormProps) {
  const form = useForm({
    initialValues: { email: '', password: '' },
    validate: { email: emailFault, password: value => (value ? null : signInText.passwordMissing) },
  });
  const signIn = useMutation({
    mutationFn: (body: typeof form.values) => call('signIn', { body }, undefined, { isSignIn: true }),
    onSuccess: onSignedIn,
  });
  return (
    <form onSubmit={form.onSubmit(values => signIn.mutate(values))} noValidate>
      <Stack gap="md">
        {signIn.error ? <Problem error={signIn.error} title={signInText.signInForm.failure} /> : null}
        <EmailField description={text.sameAddress(mask)} {...form.getInputProps('email')} />
        <PasswordInput
          label={signInText.password}
          autoComplete="current-password"
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={signIn.isPending} fullWidth mt="xs">
          {text.signInAction}
        </Button>
        <Text size="xs" c="dimmed" ta="center">
          {text.forgot}
        </Text>
      </Stack>
    </form>
  );
}
