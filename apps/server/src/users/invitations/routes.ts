import {
  accountOperations,
  type InvitationDetails,
  type PendingInvitation,
  type Invitation as WireInvitation,
} from '@signpost/contract';
import type { Routes } from '../../http/routes.ts';
import { formatId, parseId } from '../../kernel/ids.ts';
import { presentOwnAccount } from '../members/routes.ts';
import { type Invitation, maskEmail } from './invitation.ts';
import type { Joining } from './joining.ts';
import type { Invitations, SentInvitation } from './service.ts';

type Parts = { readonly invitations: Invitations; readonly joining: Joining };

/** Inviting people to an account, and joining one. */
export function addInvitationRoutes(routes: Routes, { invitations, joining }: Parts): void {
  routes.add(accountOperations.listInvitations, async ({ caller }) => ({
    data: (await invitations.list(caller.accountId)).map(present),
  }));

  const own = { writesEvent: true };

  routes.add(
    accountOperations.createInvitation,
    async ({ body, ...acting }) => presentSent(await invitations.create(acting, body)),
    own,
  );

  routes.add(
    accountOperations.resendInvitation,
    async ({ params, ...acting }) => presentSent(await invitations.resend(acting, parseId('inv', params.id))),
    own,
  );

  routes.add(
    accountOperations.revokeInvitation,
    async ({ params, ...acting }) => {
      await invitations.revoke(acting, parseId('inv', params.id));
      return { revoked: true as const, id: params.id };
    },
    own,
  );

  routes.add(
    accountOperations.acceptInvitation,
    async ({ person, body, writeEvent }) =>
      presentOwnAccount(await joining.accept(person, body.token, writeEvent)),
    own,
  );

  routes.add(accountOperations.readInvitation, async ({ body }) =>
    presentDetails(await joining.read(body.token)),
  );
}

const nameInviter = ({ inviterEmail }: Invitation) => inviterEmail ?? 'The operator of this service';

const present = (invitation: Invitation): WireInvitation => ({
  id: formatId('inv', invitation.id),
  email: invitation.email,
  role: invitation.role,
  invited_by: nameInviter(invitation),
  created_at: invitation.sentAt.toISOString(),
  expires_at: invitation.expiresAt.toISOString(),
  expired: invitation.expired,
});

const presentSent = (invitation: SentInvitation) => ({ ...present(invitation), link: invitation.link });

/** To a person whose address was invited. The link alone opens it. */
export const presentPending = (invitation: Invitation): PendingInvitation => ({
  account_name: invitation.accountName,
  role: invitation.role,
  invited_by: nameInviter(invitation),
  expires_at: invitation.expiresAt.toISOString(),
});

const presentDetails = (invitation: Invitation): InvitationDetails => ({
  ...presentPending(invitation),
  email: maskEmail(invitation.email),
});
