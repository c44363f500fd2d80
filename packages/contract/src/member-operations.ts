import Type from 'typebox';
import {
  CreateAccount,
  CreateInvitation,
  GivenInvitation,
  InvitationDetails,
  InvitationList,
  Member,
  MemberList,
  OwnAccount,
  OwnAccountList,
  RemovedMember,
  RevokedInvitation,
  SentInvitation,
  UpdateAccount,
  UpdateMember,
} from './members.ts';
import type { Operation } from './operation.ts';
import { Done } from './users.ts';

const params = (description: string) => Type.Object({ id: Type.String({ description }) });
const invitationParams = params('Id of the invitation, `inv_…`.');
const memberParams = params('Id of the person, `user_…`.');

const common = { noReplay: true, tag: 'People' } as const;
const session = { ...common, authScheme: 'session' } as const;
const managed = { ...session, permission: 'account:manage' } as const;
const own = { ...session, permission: 'profile:manage', withoutAccount: true } as const;

/** The people of an account, the accounts of a person, and invitations. */
export const memberOperations = {
  listOwnAccounts: {
    ...own,
    id: 'listOwnAccounts',
    method: 'GET',
    path: '/account/accounts',
    summary: 'List the accounts of the user',
    description: 'Returns the accounts that the signed-in person belongs to, each with its recent scans.',
    success: { status: 200, description: 'The accounts.', schema: OwnAccountList },
    errors: [],
  },
  createAccount: {
    ...own,
    id: 'createAccount',
    method: 'POST',
    path: '/account/accounts',
    summary: 'Create another account',
    description:
      'Creates an account whose owner is the signed-in person. Where sign-up is closed, only a person who owns an account, or an operator, can create another one.',
    body: CreateAccount,
    whileSuspended: true,
    success: { status: 201, description: 'The new account.', schema: OwnAccount },
    errors: ['forbidden', 'no_account', 'not_found', 'quota_exceeded'],
  },
  updateAccount: {
    ...session,
    id: 'updateAccount',
    method: 'PATCH',
    path: '/account/settings',
    permission: 'account:own',
    summary: 'Change the name and the rules of the account',
    description: 'Changes its name, and whether editors may delete codes.',
    body: UpdateAccount,
    success: { status: 200, description: 'The account was changed.', schema: Done },
    errors: ['forbidden'],
  },
  listMembers: {
    ...managed,
    id: 'listMembers',
    method: 'GET',
    path: '/account/members',
    summary: 'List the people of the account',
    description: 'Returns who belongs to the account, with role.',
    success: { status: 200, description: 'The people.', schema: MemberList },
    errors: [],
  },
  updateMember: {
    ...managed,
    id: 'updateMember',
    method: 'PATCH',
    path: '/account/members/{id}',
    summary: 'Change the role of a person',
    description:
      'Takes effect with the next request of that person, on every process. Only an owner can change an owner or make one, and an account keeps at least one owner.',
    params: memberParams,
    body: UpdateMember,
    success: { status: 200, description: 'The person with the new role.', schema: Member },
    errors: ['forbidden', 'not_found', 'last_owner'],
  },
  removeMember: {
    ...managed,
    id: 'removeMember',
    method: 'DELETE',
    path: '/account/members/{id}',
    summary: 'Remove a person from the account',
    description:
      'By the time of the response no process lets the person in. Open live views end within a second, and exports with their next part. API keys that the person created stay valid: revoke them separately.',
    params: memberParams,
    whileSuspended: true,
    success: { status: 200, description: 'The person was removed.', schema: RemovedMember },
    errors: ['forbidden', 'not_found', 'last_owner'],
  },
  leaveAccount: {
    ...session,
    id: 'leaveAccount',
    method: 'POST',
    path: '/account/leave',
    permission: 'profile:manage',
    summary: 'Leave the account',
    description: 'Removes the signed-in person from the account. The last owner cannot leave.',
    whileSuspended: true,
    success: { status: 200, description: 'The person has left the account.', schema: Done },
    errors: ['last_owner'],
  },
  listInvitations: {
    ...managed,
    id: 'listInvitations',
    method: 'GET',
    path: '/account/invitations',
    summary: 'List invitations',
    description: 'Returns the invitations that nobody has accepted yet, expired ones included.',
    success: { status: 200, description: 'The invitations.', schema: InvitationList },
    errors: [],
  },
  createInvitation: {
    ...managed,
    id: 'createInvitation',
    method: 'POST',
    path: '/account/invitations',
    summary: 'Invite a person',
    description:
      'Sends a link that works once within 7 days, for a person with this email address. A second invitation to the same address replaces the first. The response does not tell whether the address is known. Only an owner can invite an owner. At most 20 per day and account, 3 per day and address, and 100 pending.',
    body: CreateInvitation,
    showsSecret: true,
    success: { status: 201, description: 'The invitation.', schema: SentInvitation },
    errors: ['forbidden', 'quota_exceeded', 'rate_limit_exceeded'],
  },
  resendInvitation: {
    ...managed,
    id: 'resendInvitation',
    method: 'POST',
    path: '/account/invitations/{id}/resend',
    summary: 'Send an invitation again',
    description: 'Sends a new link, which works for another 7 days. Earlier links stop working.',
    params: invitationParams,
    showsSecret: true,
    success: { status: 200, description: 'The invitation.', schema: SentInvitation },
    errors: ['forbidden', 'not_found', 'quota_exceeded', 'rate_limit_exceeded'],
  },
  revokeInvitation: {
    ...managed,
    id: 'revokeInvitation',
    method: 'DELETE',
    path: '/account/invitations/{id}',
    summary: 'Revoke an invitation',
    description: 'By the time of the response its link does not work any more.',
    params: invitationParams,
    whileSuspended: true,
    success: { status: 200, description: 'The invitation was revoked.', schema: RevokedInvitation },
    errors: ['forbidden', 'not_found'],
  },
  acceptInvitation: {
    ...own,
    id: 'acceptInvitation',
    method: 'POST',
    path: '/account/invitations/accept',
    summary: 'Accept an invitation',
    description:
      'Adds the signed-in person to the account. Needs the token of the link, and the confirmed email address that was invited. The role of the person who invited is checked again.',
    body: GivenInvitation,
    whileSuspended: true,
    success: { status: 200, description: 'The account that the person belongs to now.', schema: OwnAccount },
    errors: ['forbidden', 'quota_exceeded'],
  },
  readInvitation: {
    ...common,
    authScheme: 'anonymousSameSite',
    id: 'readInvitation',
    changesNothing: true,
    method: 'POST',
    path: '/auth/invitation',
    summary: 'Read an invitation',
    description:
      'Returns who invites to which account. The token is in the body, so that it reaches no log. Limited by IP address.',
    body: GivenInvitation,
    success: { status: 200, description: 'The invitation.', schema: InvitationDetails },
    errors: ['forbidden'],
  },
} as const satisfies Record<string, Operation>;
