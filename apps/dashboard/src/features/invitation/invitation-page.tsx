import { useMutation, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { switchAccount } from '../../api/account.ts';
import { call } from '../../api/operations.ts';
import { queryClient } from '../../api/query-client.ts';
import { isApiError } from '../../api/request.ts';
import { noteSignedIn, seemsSignedIn } from '../../api/signed-in.ts';
import { peopleText } from '../../strings/people.ts';
import { notifyDone, Problem } from '../../ui/problem.tsx';
import { Wait } from '../../ui/wait.tsx';
import { meQuery } from '../shell/me.ts';
import { useLinkToken } from '../sign-in/use-link-token.ts';
import { AcceptInvitation } from './accept-invitation.tsx';
import { fitsMask } from './fits-mask.ts';
import { InvalidInvitation } from './invalid-invitation.tsx';
import { JoinByForm } from './join-by-form.tsx';
import { OtherAddress } from './other-address.tsx';
import { invitationQuery, isWhole } from './queries.ts';

/**
 * The page that the link of an invitation leads to. Whether it may be accepted is decided by the server; what is asked here is
 * only which way there is the shortest.
 */
export function InvitationPage() {
  const token = useLinkToken();
  const router = useRouter();
  const [isSignedIn, setIsSignedIn] = useState(seemsSignedIn);
  const invitation = useQuery(invitationQuery(token));
  const me = useQuery({ ...meQuery, enabled: isSignedIn });
  const accept = useMutation({
    mutationFn: () => call('acceptInvitation', { body: { token } }),
    onSuccess: async ({ id, name }) => {
      switchAccount(id);
      await goIn(name);
    },
  });

  /** With nothing left of what was loaded before, but for this page while it is still seen. */
  async function goIn(name: string): Promise<void> {
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'invitation' });
    await router.navigate({ to: '/codes' });
    queryClient.removeQueries({ queryKey: ['invitation'] });
    notifyDone(peopleText.invitation.accepted(name));
  }

  /** The session has changed: who is signed in is asked again. */
  function changeSession(isIn: boolean): void {
    noteSignedIn(isIn);
    queryClient.removeQueries({ queryKey: meQuery.queryKey });
    accept.reset();
    setIsSignedIn(isIn);
  }

  if (!isWhole(token) || isRefused(invitation.error)) return <InvalidInvitation isSignedIn={isSignedIn} />;
  if (invitation.error) return <Problem error={invitation.error} onRetry={() => void invitation.refetch()} />;
  const isStranger = !isSignedIn || (isApiError(me.error) && me.error.status === 401);
  if (!invitation.data || (!isStranger && me.isPending)) return <Wait lines={3} />;
  const details = invitation.data;
  if (isStranger)
    return (
      <JoinByForm
        details={details}
        token={token}
        onSignedUp={() => {
          noteSignedIn(true);
          return goIn(details.account_name);
        }}
        onSignedIn={() => {
          changeSession(true);
          accept.mutate();
        }}
      />
    );
  if (!me.data) return <Problem error={me.error} onRetry={() => void me.refetch()} />;
  const { email } = me.data.user;
  return fitsMask(email, details.email) ? (
    <AcceptInvitation details={details} email={email} accept={accept} />
  ) : (
    <OtherAddress details={details} email={email} onSignedOut={() => changeSession(false)} />
  );
}

const isRefused = (error: unknown): boolean => isApiError(error) && [400, 403, 404].includes(error.status);
