import { Button, Stack, Text } from '@mantine/core';
import type { InvitationDetails } from '@signpost/contract';
import { peopleText } from '../../strings/people.ts';
import { Problem } from '../../ui/problem.tsx';
import { InvitationHead } from './invitation-head.tsx';

const text = peopleText.invitation;

type Props = {
  readonly details: InvitationDetails;
  readonly email: string;
  readonly accept: { readonly mutate: () => void; readonly isPending: boolean; readonly error: unknown };
};

/** For somebody who is signed in with the invited address. */
export function AcceptInvitation({ details, email, accept }: Props) {
  return (
    <Stack gap="md">
      <InvitationHead details={details} />
      {accept.error ? <Problem error={accept.error} title={text.failed} /> : null}
      <Button fullWidth loading={accept.isPending} onClick={() => accept.mutate()}>
        {text.accept}
      </Button>
      <Text size="sm" c="dimmed" ta="center" style={{ overflowWrap: 'anywhere' }}>
        {text.signedInAs(email)}
      </Text>
    </Stack>
  );
}
