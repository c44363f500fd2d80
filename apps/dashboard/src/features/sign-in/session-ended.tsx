import { Anchor, Button, Group, getDefaultZIndex, Modal, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useWindowEvent } from '@mantine/hooks';
import type { Me, SignIn } from '@signpost/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';
import { resumeSession, useSessionEnded } from '../../api/session.ts';
import { noteSignedIn } from '../../api/signed-in.ts';
import { signInText } from '../../strings/sign-in.ts';
import { useEscape } from '../../ui/escape.ts';
import { PasswordInput } from '../../ui/password-input.tsx';
import { Problem } from '../../ui/problem.tsx';
import { leaveUnsaved } from '../../ui/unsaved-work.ts';
import { meQuery, readMe, useMe } from '../shell/me.ts';
import { EmailField } from './email-field.tsx';
import { emailFault } from './rules.ts';

const words = signInText.sessionEnded;
const isSignIn = { isSignIn: true };
const readAgain = () => readMe(isSignIn);

/** Asks for the sign-in over the page when its session has ended, so that nothing on it is lost. */
export function SessionEnded() {
  return useSessionEnded() ? <SignInAgain /> : null;
}

function SignInAgain() {
  const before = useMe();
  const client = useQueryClient();
  const form = useForm({
    initialValues: { email: before.user.email, password: '' },
    validate: { email: emailFault, password: value => (value ? null : signInText.passwordMissing) },
  });
  const enter = useMutation({
    mutationFn: async (body: SignIn) => {
      await call('signIn', { body }, undefined, isSignIn);
      return await readAgain();
    },
    onSuccess: goOn,
  });

  function goOn(me: Me): void {
    noteSignedIn(true);
    if (me.user.id === before.user.id && me.account?.id === before.account?.id) {
      client.setQueryData(meQuery.queryKey, me);
      resumeSession();
    } else {
      // The page, and what was typed on it, belong to somebody else.
      leaveUnsaved();
      window.location.reload();
    }
  }

  const look = useMutation({ mutationFn: readAgain, onSuccess: goOn });
  // Somebody may have signed in in another tab. If not, the dialog stays.
  useWindowEvent('focus', () => {
    if (!enter.isPending && !look.isPending) look.mutate();
  });
  // No dialog below is closed with what was typed there.
  useEscape(true, () => {});

  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnClickOutside={false}
      title={words.title}
      zIndex={getDefaultZIndex('overlay') - 1}
      overlayProps={{ blur: 4 }}
      transitionProps={{ duration: 0 }}
    >
      <form onSubmit={form.onSubmit(values => enter.mutate(values))} noValidate>
        <Stack>
          <Text size="sm">{words.text}</Text>
          {enter.error && <Problem error={enter.error} title={words.failure} />}
          <EmailField {...form.getInputProps('email')} />
          <PasswordInput
            label={signInText.password}
            autoComplete="current-password"
            data-autofocus
            {...form.getInputProps('password')}
            description={
              <Anchor size="xs" href="/app/forgot-password" target="_blank" rel="noreferrer">
                {signInText.signInForm.forgot}
              </Anchor>
            }
            inputWrapperOrder={['label', 'input', 'description', 'error']}
          />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" component="a" href="/app/sign-in" onClick={leaveUnsaved}>
              {words.leave}
            </Button>
            <Button type="submit" loading={enter.isPending}>
              {signInText.signIn}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
