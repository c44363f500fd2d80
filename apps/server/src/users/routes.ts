import { accountOperations, type Me, type User as WireUser } from '@signpost/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Routes } from '../http/routes.ts';
import { type Caller, creationLimitOf, type Person } from '../kernel/caller.ts';
import { addressBlock, type ClientAddress } from '../kernel/client-address.ts';
import { formatId, parseId, type Uuid } from '../kernel/ids.ts';
import { testBaseUrlOf } from '../kernel/link-key.ts';
import type { FirstOperator } from './first-operator.ts';
import { headersOf } from './guard.ts';
import type { PasswordChange } from './password-change.ts';
import type { Recovery } from './recovery.ts';
import type { From, Users } from './service.ts';
import type { User } from './user.ts';

type Parts = {
  readonly users: Users;
  readonly firstOperator: Pick<FirstOperator, 'become'>;
  readonly recovery: Recovery;
  readonly passwordChange: PasswordChange;
  readonly sendsMail: boolean;
  readonly clientAddress: ClientAddress;
  readonly service: Me['service'];
  /** What an owner is told of a suspension of the account. */
  readonly ownSuspension: (accountId: Uuid) => Promise<Me['account']['suspension']>;
};

const done = { done: true as const };

/** Sign-in, and who is signed in. */
export function addUserRoutes(routes: Routes, parts: Parts): void {
  const { users, firstOperator, recovery, passwordChange, sendsMail, clientAddress, service } = parts;
  const { ownSuspension } = parts;
  const from = ({ raw: { request } }: { raw: { request: FastifyRequest } }): From => ({
    headers: headersOf(request),
    address: addressBlock(
      clientAddress(request.socket.remoteAddress ?? '', request.headers['x-forwarded-for']),
    ),
  });

  async function presentMe(person: Person, caller: Caller): Promise<Me> {
    const { accountId, testTag, plan } = caller;
    const name = await users.accountName(accountId);
    const used = await users.codesUsed(caller);
    const suspension = caller.suspension && (await ownSuspension(accountId));
    return {
      user: presentUser({ ...person, id: person.userId }),
      account: {
        id: formatId('acct', accountId),
        name,
        plan: plan.name,
        requests_per_minute: plan.requestsPerMinute,
        code_quota: plan.codeQuota,
        quota_scope: plan.quotaScope,
        codes_used: used[plan.quotaScope],
        session_codes: plan.sessionCodes,
        session_codes_used: used.sessions,
        test_codes: plan.testCodes,
        test_codes_used: used.test,
        creations_per_minute: creationLimitOf(plan),
        webhooks: plan.webhooks,
        test_short_base_url: testBaseUrlOf(service.short_base_url, testTag),
        suspension,
        held: caller.heldSince !== null,
      },
      service,
    };
  }

  routes.add(accountOperations.signInOptions, async () => {
    const { signUp, firstUser } = await users.options();
    return { sign_up: signUp, first_user: firstUser, sends_mail: sendsMail };
  });

  routes.add(accountOperations.signUp, async call => {
    const { value, cookies } = await users.signUp(call.body, from(call));
    setCookies(call.raw.reply, cookies);
    return { user: presentUser(value) };
  });

  routes.add(accountOperations.createFirstOperator, async call => {
    const { value, cookies } = await firstOperator.become(call.body, from(call));
    setCookies(call.raw.reply, cookies);
    return { user: presentUser(value) };
  });

  routes.add(accountOperations.signIn, async call => {
    const { value, cookies } = await users.signIn(call.body, from(call));
    setCookies(call.raw.reply, cookies);
    return { user: presentUser(value) };
  });

  routes.add(accountOperations.signOut, async call => {
    setCookies(call.raw.reply, (await users.signOut(from(call))).cookies);
    return done;
  });

  routes.add(accountOperations.requestReset, async call => {
    await recovery.requestReset(call.body.email, from(call).address);
    return done;
  });

  routes.add(accountOperations.resetPassword, async call => {
    const { token, password, revoke_keys: revokeKeys = false } = call.body;
    const reset = await recovery.resetPassword({ token, password, revokeKeys }, from(call).address);
    setCookies(call.raw.reply, reset.cookies);
    return {
      ...done,
      keys_revoked: reset.keysRevoked,
      email_confirmed: reset.emailConfirmed,
      codes_paused: reset.codesPaused,
      webhooks_disabled: reset.webhooksDisabled,
    };
  });

  routes.add(accountOperations.verifyEmail, async call => {
    await recovery.verifyEmail(call.body.token, { id: call.person.userId }, from(call).address);
    return done;
  });

  routes.add(accountOperations.sendVerification, async ({ person }) => {
    await recovery.sendVerification({ ...person, id: person.userId });
    return done;
  });

  routes.add(accountOperations.changePassword, async call => {
    const { current_password: current, new_password: next } = call.body;
    const { cookies } = await passwordChange.change(call.person, current, next, from(call));
    setCookies(call.raw.reply, cookies);
    return done;
  });

  routes.add(accountOperations.listSessions, async ({ person }) => ({
    data: (await users.sessions(person)).map(session => ({
      id: formatId('ses', session.id),
      current: session.id === person.sessionId,
      device: session.device,
      created_at: session.createdAt.toISOString(),
      expires_at: session.expiresAt.toISOString(),
    })),
  }));

  routes.add(accountOperations.revokeSession, async ({ person, params }) => {
    await users.endSession(person, parseId('ses', params.id));
    return done;
  });

  routes.add(accountOperations.revokeOtherSessions, async ({ person }) => {
    await users.endOtherSessions(person);
    return done;
  });

  routes.add(accountOperations.getMe, async ({ person, caller }) => presentMe(person, caller));

  routes.add(accountOperations.updateMe, async ({ person, caller, body }) => {
    await users.setName(person, body.name);
    return presentMe({ ...person, name: body.name }, caller);
  });
}

/** Those of a session that was renewed on the way in are there already; the newer ones come after them. */
function setCookies(reply: FastifyReply, cookies: readonly string[]): void {
  for (const cookie of cookies) reply.header('set-cookie', cookie);
}

const presentUser = ({ id, email, name, emailVerified, isOperator }: User): WireUser => ({
  id: formatId('user', id),
  email,
  name,
  email_verified: emailVerified,
  is_operator: isOperator,
});
