import { Alert, Button, Stack } from '@mantine/core';
import type { InvitationDetails } from '@signpost/contract';
import { IconMailOff } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { peopleText } from '../../strings/people.ts';
import { Problem } from '../../ui/problem.tsx';
import { endSession } from '../shell/use-sign-out.ts';
import { InvitationHead } from './invitation-head.tsx';

const text = peopleText.invitation;

type Props = {
  readonly details: InvitationDetails;
  readonly email: string;
  readonly onSignedOut: () => void;
};

/** For somebody who is signed in with an address that was not invited. */
export function OtherAddress({ details, email, onSignedOut }: Props) {
  const signOut = useMutation({ mutationFn: endSession, onSuccess: onSignedOut });
  return (
    <Stack gap="md">
      <InvitationHead details={details} />
      <Alert color="orange" icon={<IconMailOff aria-hidden />} title={text.otherTitle} role="status">
        <span style={{ overflowWrap: 'anywhere' }}>{text.other(email)}</span>
      </Alert>
      {signOut.error ? <Problem error={signOut.error} title={text.notSignedOut} /> : null}
      <Button fullWidth loading={signOut.isPending} onClick={() => signOut.mutate()}>
        {text.signOut}
      </Button>
    </Stack>
  );
}
