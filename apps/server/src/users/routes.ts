import { accountOperations, type Me, permissions, type User as WireUser } from '@signpost/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Routes } from '../http/routes.ts';
import { addressBlock, type ClientAddress } from '../kernel/addresses/client-address.ts';
import type { LinkNames } from '../kernel/addresses/link-names.ts';
import { type Caller, getCreationLimit, type Person } from '../kernel/caller.ts';
import { AppError } from '../kernel/errors.ts';
import { formatId, parseId, type Uuid } from '../kernel/ids.ts';
import type { AccountClosing } from './account-closing.ts';
import { presentPending } from './invitations/routes.ts';
import type { Invitations } from './invitations/service.ts';
import type { Membership } from './members/member.ts';
import { presentOwnAccount } from './members/routes.ts';
import type { FirstOperator } from './operators/first-operator.ts';
import type { EmailChanges } from './recovery/email-change.ts';
import type { PendingEmail } from './recovery/email-change-store.ts';
import type { Recovery } from './recovery/recovery.ts';
import type { Client, Users } from './service.ts';
import { pickHeaders } from './sign-in/guard.ts';
import type { PasswordChange } from './sign-in/password-change.ts';
import type { User } from './user.ts';

type Parts = {
  readonly users: Users;
  readonly firstOperator: Pick<FirstOperator, 'create'>;
  readonly recovery: Recovery;
  readonly passwordChange: PasswordChange;
  readonly emailChanges: EmailChanges;
  readonly closing: AccountClosing;
  readonly invitations: Pick<Invitations, 'listPending'>;
  readonly sendsMail: boolean;
  readonly clientAddress: ClientAddress;
  readonly service: Me['service'];
  readonly linkNames: LinkNames;
  /** What the owner sees of a suspension of the account. */
  readonly ownSuspension: (accountId: Uuid) => Promise<NonNullable<Me['account']>['suspension']>;
};

const done = { done: true as const };

/** Sign-in, sessions, and the signed-in user. */
export function addUserRoutes(routes: Routes, parts: Parts): void {
  const { users, firstOperator, recovery, passwordChange, sendsMail, clientAddress, service } = parts;
  const { emailChanges, closing, invitations, ownSuspension, linkNames } = parts;
  const toClient = ({ raw: { request } }: { raw: { request: FastifyRequest } }): Client => ({
    headers: pickHeaders(request),
    address: addressBlock(
      clientAddress(request.socket.remoteAddress ?? '', request.headers['x-forwarded-for']),
    ),
  });

  async function presentAccount(caller: Caller, membership: Membership): Promise<Me['account']> {
    const { accountId, testTag, plan } = caller;
    const used = await users.codesUsed(caller);
    const suspension = caller.suspension && (await ownSuspension(accountId));
    return {
      ...presentOwnAccount(membership),
      permissions: permissions.filter(permission => membership.permissions.has(permission)),
      editors_delete: membership.editorsDelete,
      requests_per_minute: plan.requestsPerMinute,
      code_quota: plan.codeQuota,
      quota_scope: plan.quotaScope,
      codes_used: used[plan.quotaScope],
      session_codes: plan.sessionCodes,
      session_codes_used: used.sessions,
      test_codes: plan.testCodes,
      test_codes_used: used.test,
      creations_per_minute: getCreationLimit(plan),
      webhooks: plan.webhooks,
      test_short_base_url: linkNames.testBase(testTag),
      suspension,
      held: caller.heldSince !== null,
    };
  }

  async function presentMe(person: Person, caller: Caller | null): Promise<Me> {
    const memberships = await users.memberships(person);
    const membership = memberships.find(({ accountId }) => accountId === caller?.accountId);
    return {
      user: presentUser({ ...person, id: person.userId }),
      language: await users.language(person),
      account: caller && membership ? await presentAccount(caller, membership) : null,
      accounts: memberships.map(presentOwnAccount),
      invitations: (await invitations.listPending(person)).map(presentPending),
      service,
    };
  }

  const own = { writesEvent: true };

  routes.add(accountOperations.signInOptions, async () => {
    const { signUp, firstUser } = await users.options();
    return { sign_up: signUp, first_user: firstUser, sends_mail: sendsMail };
  });

  routes.add(
    accountOperations.signUp,
    async call => {
      const { value, cookies } = await users.signUp(call.body, toClient(call), call.writeEvent);
      setCookies(call.raw.reply, cookies);
      return { user: presentUser(value) };
    },
    own,
  );

  routes.add(
    accountOperations.createFirstOperator,
    async call => {
      const { value, cookies } = await firstOperator.create(call.body, toClient(call), call.writeEvent);
      setCookies(call.raw.reply, cookies);
      return { user: presentUser(value) };
    },
    own,
  );

  routes.add(accountOperations.signIn, async call => {
    const { value, cookies } = await users.signIn(call.body, toClient(call)).catch((error: unknown) => {
      // After the response: how long it took must not tell whether the address is known.
      if (error instanceof AppError && error.code === 'unauthorized')
        call.raw.reply.raw.once('close', () => users.recordSignInFailure(call.body.email, call.requestId));
      throw error;
    });
    setCookies(call.raw.reply, cookies);
    call.noteEvent({ userId: value.id });
    return { user: presentUser(value) };
  });

  routes.add(
    accountOperations.signOut,
    async call => {
      const { cookies } = await users.signOut(call.person, toClient(call), call.writeEvent);
      setCookies(call.raw.reply, cookies);
      return done;
    },
    own,
  );

  routes.add(accountOperations.requestReset, async call => {
    await recovery.requestReset(call.body.email, toClient(call).address);
    return done;
  });

  routes.add(
    accountOperations.resetPassword,
    async call => {
      const { token, password, revoke_keys: revokeKeys = false } = call.body;
      const link = { token, password, revokeKeys };
      const reset = await recovery.resetPassword(link, toClient(call).address, call.writeEvent);
      setCookies(call.raw.reply, reset.cookies);
      return {
        ...done,
        keys_revoked: reset.keysRevoked,
        email_confirmed: reset.emailConfirmed,
        codes_paused: reset.codesPaused,
        webhooks_disabled: reset.webhooksDisabled,
      };
    },
    own,
  );

  routes.add(
    accountOperations.verifyEmail,
    async call => {
      const { body, person, writeEvent } = call;
      await recovery.verifyEmail(body.token, { id: person.userId }, toClient(call).address, writeEvent);
      return done;
    },
    own,
  );

  routes.add(accountOperations.sendVerification, async ({ person }) => {
    await recovery.sendVerification({ ...person, id: person.userId });
    return done;
  });

  routes.add(
    accountOperations.changePassword,
    async call => {
      const { current_password: current, new_password: next } = call.body;
      const change = { current, next, writeEvent: call.writeEvent };
      const { cookies } = await passwordChange.change(call.person, change, toClient(call));
      setCookies(call.raw.reply, cookies);
      return done;
    },
    own,
  );

  routes.add(accountOperations.getEmailChange, async ({ person }) =>
    presentEmailChange(await emailChanges.pending(person)),
  );

  routes.add(
    accountOperations.changeEmail,
    async call => {
      const { email, current_password: password } = call.body;
      const given = { email, password };
      return presentEmailChange(
        await emailChanges.request(call.person, given, toClient(call), call.writeEvent),
      );
    },
    own,
  );

  routes.add(
    accountOperations.confirmEmailChange,
    async call => {
      await emailChanges.confirm(call.body.token, call.person, toClient(call), call.writeEvent);
      return done;
    },
    own,
  );

  routes.add(
    accountOperations.cancelEmailChange,
    async ({ person, writeEvent }) => {
      await emailChanges.cancel(person, writeEvent);
      return presentEmailChange(null);
    },
    own,
  );

  routes.add(
    accountOperations.closeAccount,
    async call => {
      const { confirmation, current_password: password } = call.body;
      const given = { confirmation, password, writeEvent: call.writeEvent };
      const { cookies } = await closing.close(call.person, call.caller.accountId, given, toClient(call));
      setCookies(call.raw.reply, cookies);
      return done;
    },
    own,
  );

  routes.add(accountOperations.listSessions, async ({ person }) => ({
    data: (await users.sessions(person)).map(session => ({
      id: formatId('ses', session.id),
      current: session.id === person.sessionId,
      device: session.device,
      created_at: session.createdAt.toISOString(),
      expires_at: session.expiresAt.toISOString(),
    })),
  }));

  routes.add(
    accountOperations.revokeSession,
    async ({ person, params, writeEvent }) => {
      await users.endSession(person, parseId('ses', params.id), writeEvent);
      return done;
    },
    own,
  );

  routes.add(
    accountOperations.revokeOtherSessions,
    async ({ person, writeEvent }) => {
      await users.endOtherSessions(person, writeEvent);
      return done;
    },
    own,
  );

  routes.add(accountOperations.getMe, async ({ person, caller }) => presentMe(person, caller));

  routes.add(
    accountOperations.updateMe,
    async ({ person, caller, body, writeEvent }) => {
      await users.updateProfile(person, body, writeEvent);
      return presentMe({ ...person, name: body.name ?? person.name }, caller);
    },
    own,
  );
}

/** The guard may already have set the cookies of a renewed session; these come after them. */
function setCookies(reply: FastifyReply, cookies: readonly string[]): void {
  for (const cookie of cookies) reply.header('set-cookie', cookie);
}

const presentEmailChange = (pending: PendingEmail | null) => ({
  pending: pending && { email: pending.email, expires_at: pending.expiresAt.toISOString() },
});

const presentUser = ({ id, email, name, emailVerified, isOperator }: User): WireUser => ({
  id: formatId('user', id),
  email,
  name,
  email_verified: emailVerified,
  is_operator: isOperator,
});
