import { accountOperations, type Me, type User as WireUser } from '@signpost/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Routes } from '../http/routes.ts';
import type { Caller, Person } from '../kernel/caller.ts';
import { addressBlock, type ClientAddress } from '../kernel/client-address.ts';
import { formatId, parseId } from '../kernel/ids.ts';
import { headersOf } from './guard.ts';
import type { From, Users } from './service.ts';
import type { User } from './user.ts';

type Parts = {
  readonly users: Users;
  readonly sendsMail: boolean;
  readonly clientAddress: ClientAddress;
  readonly service: Me['service'];
};

const done = { done: true as const };

/** Sign-in, and who is signed in. */
export function addUserRoutes(routes: Routes, { users, sendsMail, clientAddress, service }: Parts): void {
  const from = ({ raw: { request } }: { raw: { request: FastifyRequest } }): From => ({
    headers: headersOf(request),
    address: addressBlock(
      clientAddress(request.socket.remoteAddress ?? '', request.headers['x-forwarded-for']),
    ),
  });

  async function presentMe(person: Person, caller: Caller): Promise<Me> {
    const { accountId, plan } = caller;
    const name = await users.accountName(accountId);
    const used = await users.codesUsed(caller);
    return {
      user: presentUser({ ...person, id: person.userId }),
      account: {
        id: formatId('acct', accountId),
        name,
        plan: plan.name,
        requests_per_minute: plan.requestsPerMinute,
        code_quota: plan.codeQuota,
        quota_scope: plan.quotaScope,
        codes_used: used,
        webhooks: plan.webhooks,
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
    await users.requestReset(call.body.email, from(call));
    return done;
  });

  routes.add(accountOperations.resetPassword, async call => {
    await users.resetPassword(call.body.token, call.body.password, from(call));
    return done;
  });

  routes.add(accountOperations.changePassword, async call => {
    const { current_password: current, new_password: next } = call.body;
    setCookies(call.raw.reply, (await users.changePassword(call.person, current, next, from(call))).cookies);
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

const presentUser = ({ id, email, name, isOperator }: User): WireUser => ({
  id: formatId('user', id),
  email,
  name,
  is_operator: isOperator,
});
