import { AsyncLocalStorage } from 'node:async_hooks';
import { createTestApi, type Reply, roomyPlan, type TestApi } from '@signpost/testing/api.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import {
  type Browser,
  createBrowser,
  dashboardEnv,
  goodPassword,
  newEmail,
  signUp,
} from '@signpost/testing/people.ts';
import { decodeMail, type SmtpSink, startSmtpSink } from '@signpost/testing/smtp-sink.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseId } from '../apps/server/src/kernel/ids.ts';
import { unprepared } from '../apps/server/src/platform/postgres/postgres.ts';
import { endRestoredLinks } from '../apps/server/src/users/recovery/after-restore.ts';

let sink: SmtpSink;
/** Sends mail; anybody may sign up. */
let api: TestApi;
/** The same installation after sign-up was closed. */
let closed: TestApi;
/** Sends no mail. */
let silent: TestApi;

beforeAll(async () => {
  sink = await startSmtpSink();
  const env = { ...dashboardEnv, DEFAULT_PLAN: roomyPlan };
  [api, silent] = await Promise.all([createTestApi({ ...env, SMTP_URL: sink.url }), createTestApi(env)]);
  const { databaseUrl } = api.config;
  closed = await createTestApi({
    ...env,
    SMTP_URL: sink.url,
    SIGN_UP: 'closed',
    DATABASE_URL: databaseUrl,
    DATABASE_DIRECT_URL: databaseUrl,
  });
});
afterAll(async () => {
  await Promise.all([api?.close(), closed?.close(), silent?.close()]);
  sink.close();
});

type Person = Browser & { readonly email: string };
type Role = 'owner' | 'admin' | 'editor' | 'viewer';

const post = (browser: Browser, url: string, body: unknown = {}) =>
  browser.call({ method: 'POST', url, body });
const invite = (person: Browser, email: string, role: Role = 'editor') =>
  post(person, '/account/invitations', { email, role });
const accept = (person: Browser, token: string) => post(person, '/account/invitations/accept', { token });
const read = (token: string, on = api) => post(createBrowser(on), '/auth/invitation', { token });
const revoke = (person: Browser, id: string) =>
  person.call({ method: 'DELETE', url: `/account/invitations/${id}` });
const resend = (person: Browser, id: string) => post(person, `/account/invitations/${id}/resend`);
const listInvitations = async (person: Browser) =>
  (await person.call({ url: '/account/invitations' })).body.data;
const me = async (person: Browser) => (await person.call({ url: '/account/me' })).body;
const members = async (person: Browser): Promise<{ id: string; email: string; role: Role }[]> =>
  (await person.call({ url: '/account/members' })).body.data;
const setRole = async (person: Browser, email: string, role: Role) => {
  const { id } = (await members(person)).find(member => member.email === email)!;
  const changed = await person.call({ method: 'PATCH', url: `/account/members/${id}`, body: { role } });
  expect(changed.status).toBe(200);
};
const refusal = ({ status, body }: Reply) => [status, body.error?.code];
const accountOf = async (person: Browser) => parseId('acct', (await me(person)).account.id)!;

const run = (text: string, values: readonly unknown[], on = api) => on.api.db.query(unprepared(text), values);

/** The tokens of all links of one page that were mailed to an address, the oldest first. */
async function mailedTokens(email: string, page = 'invitation', count = 1): Promise<string[]> {
  const find = () =>
    sink.mails
      .map(decodeMail)
      .filter(mail => mail.includes(`To: ${email}\n`))
      .flatMap(mail => new RegExp(`/app/${page}#token=([\\w-]+)`).exec(mail)?.[1] ?? []);
  await waitUntil(`${count} links to ${email}`, () => find().length >= count);
  return find();
}

const mailedToken = async (email: string) => (await mailedTokens(email)).at(-1)!;
const tokenOf = (link: string) => new URLSearchParams(new URL(link).hash.slice(1)).get('token')!;

/** A person with an account of their own and a confirmed address. */
async function aPerson(email = newEmail()): Promise<Person> {
  const person = await signUp(api, email);
  const [token] = await mailedTokens(email, 'verify-email');
  expect((await post(person, '/auth/verify-email', { token })).status).toBe(200);
  return person;
}

async function invited(owner: Browser, role: Role = 'editor', email = newEmail()) {
  const reply = await invite(owner, email, role);
  expect(reply.status, reply.text).toBe(201);
  return { email, token: await mailedToken(email), id: reply.body.id as string };
}

async function tryToJoin(token: string, email: string, on = api): Promise<Person & { reply: Reply }> {
  const browser = createBrowser(on);
  const body = { name: 'Newcomer', email, password: goodPassword, invitation: token };
  return { ...browser, email, reply: await post(browser, '/auth/sign-up', body) };
}

/** Somebody who signed up by an invitation. */
async function aColleague(owner: Browser, role: Role, address = newEmail()) {
  const { email, token } = await invited(owner, role, address.toLowerCase());
  const colleague = await tryToJoin(token, email);
  expect(colleague.reply.status, colleague.reply.text).toBe(201);
  return colleague;
}

describe('an invitation', () => {
  test('makes one member, also when it is accepted a hundred times at once', async () => {
    const owner = await aPerson();
    const person = await aPerson();
    const { token } = await invited(owner, 'editor', person.email);
    const replies = await Promise.all(Array.from({ length: 100 }, () => accept(person, token)));
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter(status => status === 200)).toHaveLength(1);
    expect(new Set(statuses)).toEqual(new Set([200, 400]));
    const [, ...others] = await members(owner);
    expect(others).toMatchObject([{ email: person.email, role: 'editor' }]);
    expect((await me(person)).accounts).toMatchObject([{ role: 'owner' }, { role: 'editor' }]);
  });

  test('lets one person sign up, also when ten try at once', async () => {
    const owner = await aPerson();
    const { email, token } = await invited(owner);
    const people = await Promise.all(Array.from({ length: 10 }, () => tryToJoin(token, email)));
    const statuses = people.map(({ reply }) => reply.status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 9 }, () => 400)]);
    expect(await members(owner)).toHaveLength(2);
  });

  test('says who invites to which account, and masks the address', async () => {
    const owner = await aPerson();
    const { email, token } = await invited(owner, 'viewer');
    const { status, body } = await read(token);
    expect([status, body]).toEqual([
      200,
      {
        account_name: 'Somebody',
        role: 'viewer',
        invited_by: owner.email,
        email: `${email[0]}•••@people.example`,
        expires_at: expect.any(String),
      },
    ]);
    const days = (Date.parse(body.expires_at) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.9);
    expect(days).toBeLessThan(7.1);
  });

  test('is mailed in plain text, and names the address of the person who invites and nothing that anybody typed', async () => {
    const owner = await aPerson();
    const { email, token } = await invited(owner, 'admin');
    const mail = await sink.mail(`To: ${email}`, 'invites you');
    expect(mail).toMatch(/^Subject: You are invited to a Signpost account$/m);
    expect(mail).toMatch(/^Content-Type: text\/plain/m);
    expect(mail).not.toContain('Somebody');
    expect(mail.slice(mail.indexOf('\n\n') + 2).trim()).toBe(
      `${owner.email} invites you to work on QR codes together in a Signpost account. This link works once, for 7 days, and for this e-mail address alone:

https://api.signpost.example/app/invitation#token=${token}

If you don't know who this is, ignore this e-mail. Nothing happens unless you open the link and accept.`,
    );
    expect(api.log.join('')).not.toContain(token);
  });

  test('does not name an address that a mailbox would show as a link', async () => {
    const owner = await aPerson(`www.evil.example.${newEmail()}`);
    const { email } = await invited(owner);
    const mail = await sink.mail(`To: ${email}`, 'invites you');
    expect(mail).toContain('\n\nSomebody invites you');
    expect(mail).not.toContain('evil');
  });

  test('is listed for those who invite and for the invited person, without its token', async () => {
    const owner = await aPerson();
    const person = await aPerson();
    const { token, id } = await invited(owner, 'viewer', person.email);
    const list = await listInvitations(owner);
    expect(list).toEqual([
      {
        id,
        email: person.email,
        role: 'viewer',
        invited_by: owner.email,
        created_at: expect.any(String),
        expires_at: expect.any(String),
        expired: false,
      },
    ]);
    const { invitations } = await me(person);
    expect(invitations).toEqual([
      {
        account_name: 'Somebody',
        role: 'viewer',
        invited_by: owner.email,
        expires_at: list[0].expires_at,
      },
    ]);
    expect((await accept(person, token)).body).toEqual({
      id: (await me(owner)).account.id,
      name: 'Somebody',
      role: 'viewer',
      plan: roomyPlan,
    });
    expect((await me(person)).invitations).toEqual([]);
    expect(await listInvitations(owner)).toEqual([]);
  });

  test('is not shown to a person who has not confirmed the address, and opens nothing for them', async () => {
    const owner = await aPerson();
    const person = await signUp(api);
    const { token } = await invited(owner, 'editor', person.email);
    expect((await me(person)).invitations).toEqual([]);
    const refused = await accept(person, token);
    expect([...refusal(refused), refused.body.error.message]).toEqual([
      403,
      'forbidden',
      expect.stringContaining('Confirm your e-mail address first'),
    ]);
    const [link] = await mailedTokens(person.email, 'verify-email');
    await post(person, '/auth/verify-email', { token: link });
    expect((await accept(person, token)).status).toBe(200);
  });

  test('opens nothing under another address, and is not used up by trying', async () => {
    const owner = await aPerson();
    const { email, token } = await invited(owner);
    const stranger = await aPerson();
    const refused = await accept(stranger, token);
    expect(refusal(refused)).toEqual([403, 'forbidden']);
    expect(refused.text).not.toContain(email);
    expect(refusal((await tryToJoin(token, newEmail())).reply)).toEqual([403, 'forbidden']);
    expect(await members(owner)).toHaveLength(1);
    expect((await tryToJoin(token, email)).reply.status).toBe(201);
  });

  test('stays with the address when the person changes theirs', async () => {
    const owner = await aPerson();
    const person = await aPerson();
    const { email: old } = person;
    const { token } = await invited(owner, 'editor', old);
    const email = newEmail();
    await post(person, '/account/email', { email, current_password: goodPassword });
    const [link] = await mailedTokens(email, 'confirm-email');
    expect((await post(person, '/account/email/confirm', { token: link })).status).toBe(200);
    expect((await me(person)).invitations).toEqual([]);
    expect(refusal(await accept(person, token))).toEqual([403, 'forbidden']);
    expect((await tryToJoin(token, old)).reply.status).toBe(201);
  });

  test('ends when it is used, revoked, replaced or sent again, and after its time', async () => {
    const owner = await aPerson();
    const [used, revoked, replaced, resent, expired] = await Promise.all(
      Array.from({ length: 5 }, () => invited(owner)),
    );
    expect((await tryToJoin(used!.token, used!.email)).reply.status).toBe(201);
    expect((await revoke(owner, revoked!.id)).body).toEqual({ revoked: true, id: revoked!.id });
    await invite(owner, replaced!.email);
    await resend(owner, resent!.id);
    await run(`update invitations set expires_at = now() where email = $1`, [expired!.email]);
    const person = await aPerson();
    for (const { token, email } of [used!, revoked!, replaced!, resent!, expired!]) {
      const replies = [await read(token), await accept(person, token), (await tryToJoin(token, email)).reply];
      for (const { status, body } of replies)
        expect([status, body.error.param, body.error.message]).toEqual([
          400,
          'token',
          'This invitation was already used, revoked or replaced, or has expired. Ask for a new one.',
        ]);
    }
    expect(await members(owner)).toHaveLength(2);
    expect(refusal(await revoke(owner, revoked!.id))).toEqual([404, 'not_found']);
    expect(refusal(await resend(owner, used!.id))).toEqual([404, 'not_found']);
    const states = (await listInvitations(owner)).map((one: { email: string; expired: boolean }) => [
      one.email,
      one.expired,
    ]);
    expect(new Map(states)).toEqual(
      new Map([
        [replaced!.email, false],
        [resent!.email, false],
        [expired!.email, true],
      ]),
    );
  });

  test('replaces the one before to the same address: one is pending, with the new role', async () => {
    const owner = await aPerson();
    const { email, token } = await invited(owner, 'viewer');
    expect((await invite(owner, email.toUpperCase(), 'admin')).body).toMatchObject({ email, role: 'admin' });
    const [, second] = await mailedTokens(email, 'invitation', 2);
    expect(await listInvitations(owner)).toMatchObject([{ email, role: 'admin' }]);
    expect((await read(token)).status).toBe(400);
    expect((await tryToJoin(second!, email)).reply.status).toBe(201);
    expect((await members(owner)).at(-1)).toMatchObject({ email, role: 'admin' });
  });

  test('that is sent again is vouched for by the person who sent it again', async () => {
    const owner = await aPerson();
    const admin = await aColleague(owner, 'admin');
    const { email, id } = await invited(admin, 'editor');
    const again = await resend(owner, id);
    expect([again.status, again.body]).toMatchObject([200, { id, invited_by: owner.email, link: null }]);
    await setRole(owner, admin.email, 'viewer');
    const [, second] = await mailedTokens(email, 'invitation', 2);
    expect((await tryToJoin(second!, email)).reply.status).toBe(201);
  });

  test('ends with the role of the person who invited', async () => {
    const owner = await aPerson();
    const admin = await aColleague(owner, 'admin');
    const person = await aPerson();
    const { token } = await invited(admin, 'editor', person.email);
    await setRole(owner, admin.email, 'editor');
    expect(refusal(await accept(person, token))).toEqual([403, 'forbidden']);
    expect(refusal(await read(token))).toEqual([403, 'forbidden']);
    expect((await me(person)).invitations).toEqual([]);
    expect(await members(owner)).toHaveLength(2);
    await setRole(owner, admin.email, 'admin');
    expect((await accept(person, token)).status).toBe(200);
  });

  test('for an owner ends when the person who invited is an owner no longer', async () => {
    const owner = await aPerson();
    const second = await aColleague(owner, 'owner');
    const { email, token } = await invited(second, 'owner');
    await setRole(owner, second.email, 'admin');
    expect(refusal((await tryToJoin(token, email)).reply)).toEqual([403, 'forbidden']);
    await setRole(owner, second.email, 'owner');
    expect((await tryToJoin(token, email)).reply.status).toBe(201);
  });

  test('of a person who was removed ends with the membership', async () => {
    const owner = await aPerson();
    const admin = await aColleague(owner, 'admin');
    const { token } = await invited(admin, 'viewer');
    const { id } = (await members(owner)).at(-1)!;
    await owner.call({ method: 'DELETE', url: `/account/members/${id}` });
    expect((await read(token)).status).toBe(400);
  });

  test('to somebody who has joined meanwhile is used up, and changes nothing', async () => {
    const owner = await aPerson();
    const person = await aPerson();
    const { token } = await invited(owner, 'viewer', person.email);
    await run(
      `insert into members (user_id, account_id, role, invited, created_at)
       select id, $2, 'admin', true, now() from auth_users where email = $1`,
      [person.email, await accountOf(owner)],
    );
    expect((await accept(person, token)).body).toMatchObject({ role: 'admin' });
    expect((await members(owner)).at(-1)).toMatchObject({ email: person.email, role: 'admin' });
    expect(refusal(await accept(person, token))).toEqual([400, 'invalid_request']);
  });

  test('does not outlive the restore of a backup', async () => {
    const other = await createTestApi({ ...dashboardEnv, DEFAULT_PLAN: roomyPlan });
    try {
      const owner = await signUp(other);
      const { link } = (await invite(owner, newEmail())).body;
      expect((await read(tokenOf(link), other)).status).toBe(200);
      await endRestoredLinks(other.api.db);
      expect((await read(tokenOf(link), other)).status).toBe(400);
    } finally {
      await other.close();
    }
  });
});

describe('signing up by an invitation', () => {
  test('works with every address that can be invited: one with which nobody could sign in is refused', async () => {
    const owner = await aPerson();
    for (const email of ['jörg@müller.example', 'root@localhost', 'a/b@people.example', '.a@people.example'])
      expect((await invite(owner, email)).body.error).toMatchObject({ param: 'email' });
    for (const local of ["o'neil+", 'A_b-c.', '7'])
      expect((await aColleague(owner, 'viewer', `${local}${newEmail()}`)).reply.status).toBe(201);
  });

  test('works where sign-up is closed, for the invited person and nobody else', async () => {
    const owner = await aPerson();
    const { email, token } = await invited(owner);
    const body = { name: 'Newcomer', email, password: goodPassword };
    expect(refusal(await post(createBrowser(closed), '/auth/sign-up', body))).toEqual([403, 'forbidden']);
    expect((await tryToJoin('made-up', email, closed)).reply.status).toBe(400);
    expect((await tryToJoin(token, newEmail(), closed)).reply.status).toBe(403);
    const newcomer = await tryToJoin(token, email.toUpperCase(), closed);
    expect([newcomer.reply.status, newcomer.reply.body.user]).toMatchObject([
      201,
      { email, email_verified: true },
    ]);
    expect((await me(newcomer)).accounts).toMatchObject([{ role: 'editor' }]);
    expect((await tryToJoin(token, newEmail(), closed)).reply.status).toBe(400);
  });

  test('by a mailed link confirms the address, and opens no account of their own', async () => {
    const owner = await aPerson();
    const colleague = await aColleague(owner, 'viewer');
    const { user, account, accounts } = await me(colleague);
    expect([user.email_verified, account.role, accounts]).toMatchObject([true, 'viewer', [{}]]);
    const [row] = await run('select verified_at from auth_users where email = $1', [colleague.email]);
    expect(row).toEqual({ verified_at: expect.any(Date) });
    const [membership] = await run(
      'select invited from members m join auth_users u on u.id = m.user_id where email = $1',
      [colleague.email],
    );
    expect(membership).toEqual({ invited: true });
    expect(sink.mails.filter(mail => mail.includes(`To: ${colleague.email}\n`))).toHaveLength(1);
    const elsewhere = createBrowser(api);
    const signedIn = { email: colleague.email, password: goodPassword };
    expect((await post(elsewhere, '/auth/sign-in', signedIn)).status).toBe(200);
  });

  test('is refused to a person who has a sign-in, who can use the link after signing in', async () => {
    const owner = await aPerson();
    const person = await aPerson();
    const { token } = await invited(owner, 'viewer', person.email);
    const { reply } = await tryToJoin(token, person.email);
    expect([reply.status, reply.body.error.param, reply.body.error.message]).toEqual([
      400,
      'email',
      expect.stringContaining('Sign in, then open the link'),
    ]);
    expect((await accept(person, token)).status).toBe(200);
  });

  test('refuses a password that is easy to guess, and counts against the limit of the address', async () => {
    const owner = await aPerson();
    const { email, token } = await invited(owner);
    const body = { name: 'Newcomer', email, password: 'password123', invitation: token };
    const { body: easy } = await post(createBrowser(api), '/auth/sign-up', body);
    expect(easy.error.param).toBe('password');
    const { databaseUrl } = api.config;
    const strict = await createTestApi({
      ...dashboardEnv,
      SIGN_UPS_PER_HOUR: '2',
      DATABASE_URL: databaseUrl,
      DATABASE_DIRECT_URL: databaseUrl,
    });
    try {
      const address = '203.0.113.77';
      const form = { ...body, password: goodPassword, invitation: 'made-up' };
      const attempt = () =>
        createBrowser(strict).call({ method: 'POST', url: '/auth/sign-up', body: form, address });
      const statuses = [(await attempt()).status, (await attempt()).status, (await attempt()).status];
      expect(statuses).toEqual([400, 400, 429]);
    } finally {
      await strict.close();
    }
  });
});

describe('without mail', () => {
  test('the link is shown once, to the person who invites', async () => {
    const owner = await signUp(silent);
    const email = newEmail();
    const { status, body } = await invite(owner, email);
    expect([status, body.link]).toEqual([
      201,
      expect.stringMatching(/^https:\/\/api\.signpost\.example\/app\/invitation#token=[\w-]{27}$/),
    ]);
    const list = await owner.call({ url: '/account/invitations' });
    expect(list.body.data).toHaveLength(1);
    expect(list.text).not.toMatch(/link|token/);
    const again = await resend(owner, body.id);
    expect(again.body).toMatchObject({ id: body.id, email });
    expect(again.body.link).not.toBe(body.link);
    expect((await read(tokenOf(body.link), silent)).status).toBe(400);
    expect((await read(tokenOf(again.body.link), silent)).status).toBe(200);
    expect(silent.log.join('')).not.toContain(tokenOf(again.body.link));
  });

  test('a link that was passed on does not confirm the address of the new user', async () => {
    const owner = await signUp(silent);
    const email = newEmail();
    const { link } = (await invite(owner, email)).body;
    const newcomer = await tryToJoin(tokenOf(link), email, silent);
    expect([newcomer.reply.status, newcomer.reply.body.user.email_verified]).toEqual([201, false]);
    expect((await me(newcomer)).user.email_verified).toBe(false);
    expect((await me(newcomer)).accounts).toMatchObject([{ role: 'editor' }]);
    const text = 'select verified_at from auth_users where email = $1';
    expect(await run(text, [email], silent)).toEqual([{ verified_at: null }]);
  });

  test('the same address is enough to accept, and no other', async () => {
    const [owner, person, stranger] = [await signUp(silent), await signUp(silent), await signUp(silent)];
    const { link } = (await invite(owner, person.email, 'viewer')).body;
    expect((await accept(stranger, tokenOf(link))).status).toBe(403);
    expect((await accept(person, tokenOf(link))).body).toMatchObject({ role: 'viewer' });
  });
});

describe('who may invite', () => {
  test('owners and admins, and only owners an owner', async () => {
    const owner = await aPerson();
    const admin = await aColleague(owner, 'admin');
    for (const role of ['editor', 'viewer'] as const) {
      const colleague = await aColleague(owner, role);
      expect(refusal(await invite(colleague, newEmail()))).toEqual([403, 'forbidden']);
      expect((await colleague.call({ url: '/account/invitations' })).status).toBe(403);
    }
    expect(refusal(await invite(admin, newEmail(), 'owner'))).toEqual([403, 'forbidden']);
    expect((await invite(admin, newEmail(), 'admin')).status).toBe(201);
    const { email, id, token } = await invited(owner, 'owner');
    expect(refusal(await invite(admin, email, 'viewer'))).toEqual([403, 'forbidden']);
    expect(refusal(await resend(admin, id))).toEqual([403, 'forbidden']);
    expect(refusal(await revoke(admin, id))).toEqual([403, 'forbidden']);
    expect((await tryToJoin(token, email)).reply.status).toBe(201);
    expect((await members(owner)).at(-1)).toMatchObject({ email, role: 'owner' });
  });

  test('nobody whose address is not confirmed, where mail is sent', async () => {
    const owner = await aPerson();
    const admin = await aColleague(owner, 'admin');
    await run('update auth_users set email_verified = false where email = $1', [admin.email]);
    const refused = await invite(admin, newEmail());
    expect([refused.status, refused.body.error.message]).toEqual([
      403,
      expect.stringContaining('Confirm your e-mail address'),
    ]);
  });

  test('no account that waits for a confirmed address', async () => {
    const held = await signUp(api);
    expect((await me(held)).account.held).toBe(true);
    const refused = await invite(held, newEmail());
    expect([refused.status, refused.body.error.message]).toEqual([
      403,
      expect.stringContaining('Confirm your e-mail address'),
    ]);
    const owner = await aPerson();
    const { email, token } = await invited(owner);
    await run('update accounts set held_at = now() where id = $1', [await accountOf(owner)]);
    expect((await invite(owner, newEmail())).body.error.message).toContain('until its owner has confirmed');
    expect(refusal((await tryToJoin(token, email)).reply)).toEqual([403, 'forbidden']);
  });

  test('no suspended account, which nobody joins either; it can revoke', async () => {
    const owner = await aPerson();
    const person = await aPerson();
    const [open, other] = [await invited(owner, 'viewer', person.email), await invited(owner)];
    await api.admin('suspend-account', (await me(owner)).account.id, '--reason', 'Phishing');
    expect(refusal(await invite(owner, newEmail()))).toEqual([403, 'forbidden']);
    expect(refusal(await resend(owner, open.id))).toEqual([403, 'forbidden']);
    expect(refusal(await accept(person, open.token))).toEqual([403, 'forbidden']);
    expect(refusal((await tryToJoin(other.token, other.email)).reply)).toEqual([403, 'forbidden']);
    expect((await revoke(owner, other.id)).status).toBe(200);
    expect(await members(owner)).toHaveLength(1);
  });

  test('a closed account has no invitations', async () => {
    const owner = await aPerson();
    const { email, token } = await invited(owner);
    const body = { confirmation: owner.email, current_password: goodPassword };
    expect((await post(owner, '/account/close', body)).status).toBe(200);
    expect((await read(token)).status).toBe(400);
    expect((await tryToJoin(token, email)).reply.status).toBe(400);
    expect(await run('select id from invitations where email = $1', [email])).toEqual([]);
  });

  test('sees the invitations of the own account alone', async () => {
    const [owner, stranger] = [await aPerson(), await aPerson()];
    const { id, token } = await invited(owner);
    for (const one of [id, 'inv_unknown', id.replace('inv_', 'user_')]) {
      expect(refusal(await revoke(stranger, one))).toEqual([404, 'not_found']);
      expect(refusal(await resend(stranger, one))).toEqual([404, 'not_found']);
    }
    expect(await listInvitations(stranger)).toEqual([]);
    expect((await read(token)).status).toBe(200);
  });
});

describe('limits of invitations', () => {
  const setPlan = async (owner: Browser, plan: string) =>
    run('update accounts set plan = $2 where id = $1', [await accountOf(owner), plan]);

  test('a plan has room for its people, also when twenty are invited at once', async () => {
    const owner = await aPerson();
    await setPlan(owner, 'pro');
    const replies = await Promise.all(Array.from({ length: 20 }, () => invite(owner, newEmail())));
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter(status => status === 201)).toHaveLength(2);
    const refused = replies.filter(({ status }) => status !== 201);
    expect(new Set(refused.map(reply => reply.body.error.code))).toEqual(new Set(['quota_exceeded']));
    expect(refused[0]!.body.error).toMatchObject({ limit: 3, used: 3 });
    const pending = await listInvitations(owner);
    expect(pending).toHaveLength(2);
    // The place of one that is replaced, sent again or revoked is free.
    expect((await invite(owner, pending[0].email, 'viewer')).status).toBe(201);
    expect((await resend(owner, pending[1].id)).status).toBe(200);
    expect((await revoke(owner, pending[1].id)).status).toBe(200);
    expect((await invite(owner, newEmail())).status).toBe(201);
  });

  test('of twenty who join at once, as many get in as the plan of that moment has room for', async () => {
    const owner = await aPerson();
    const all = await Promise.all(Array.from({ length: 20 }, () => invited(owner)));
    await setPlan(owner, 'pro');
    const joined = await Promise.all(all.map(({ token, email }) => tryToJoin(token, email)));
    const statuses = joined.map(({ reply }) => reply.status);
    expect(statuses.filter(status => status === 201)).toHaveLength(2);
    const refused = joined.filter(({ reply }) => reply.status !== 201);
    expect(new Set(refused.map(({ reply }) => reply.body.error.code))).toEqual(new Set(['quota_exceeded']));
    expect(await members(owner)).toHaveLength(3);
    // A smaller plan removes nobody, and leaves no user without an account behind.
    await setPlan(owner, 'free');
    expect(await members(owner)).toHaveLength(3);
    const emails = refused.map(({ email }) => email);
    expect(await run('select id from auth_users where email = any($1)', [emails])).toEqual([]);
    await setPlan(owner, roomyPlan);
    const [late] = all.filter(({ email }) => emails.includes(email));
    expect((await tryToJoin(late!.token, late!.email)).reply.status).toBe(201);
  });

  test('an account sends twenty within a day, and one that was refused does not count', async () => {
    const owner = await aPerson();
    const own = await invite(owner, owner.email);
    expect([own.status, own.body.error.param]).toEqual([400, 'email']);
    const first = await invite(owner, newEmail());
    await resend(owner, first.body.id);
    const replies = await Promise.all(Array.from({ length: 18 }, () => invite(owner, newEmail())));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
    const refused = await invite(owner, newEmail());
    expect(refusal(refused)).toEqual([429, 'rate_limit_exceeded']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_600);
    expect(refusal(await resend(owner, first.body.id))).toEqual([429, 'rate_limit_exceeded']);
  });

  test('an address gets three within a day, from all accounts together', async () => {
    const [owner, other] = [await aPerson(), await aPerson()];
    const email = newEmail();
    const { body } = await invite(owner, email);
    expect((await invite(other, email.toUpperCase())).status).toBe(201);
    expect((await resend(owner, body.id)).status).toBe(200);
    expect(refusal(await invite(other, email))).toEqual([429, 'rate_limit_exceeded']);
    expect(refusal(await resend(owner, body.id))).toEqual([429, 'rate_limit_exceeded']);
    expect((await invite(other, newEmail())).status).toBe(201);
  });

  test('an account has a hundred pending', async () => {
    const owner = await aPerson();
    await run(
      `insert into invitations (id, account_id, email, role, invited_by, hash, mailed, created_at, sent_at, expires_at)
       select gen_random_uuid(), $2, n || '@pending.example', 'viewer', u.id, sha256(gen_random_uuid()::text::bytea), true,
              now(), now(), now() + interval '1 day'
         from auth_users u, generate_series(1, 99) n where u.email = $1`,
      [owner.email, await accountOf(owner)],
    );
    const { body } = await invite(owner, newEmail());
    expect(refusal(await invite(owner, newEmail()))).toEqual([403, 'quota_exceeded']);
    expect((await resend(owner, body.id)).status).toBe(200);
    await run(`update invitations set expires_at = now() where email = '7@pending.example'`, []);
    expect((await invite(owner, newEmail())).status).toBe(201);
  });
});

/** The statements that a call sends to PostgreSQL. */
async function statementsOf(call: () => Promise<Reply>): Promise<[Reply, string[]]> {
  const calls = new AsyncLocalStorage<string[]>();
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [given] = args as [string | { name?: string; text: string }];
    calls.getStore()?.push(typeof given === 'string' ? given : (given.name ?? given.text));
    return Reflect.apply(query, this, args);
  } as typeof query;
  try {
    const statements: string[] = [];
    return [await calls.run(statements, call), statements];
  } finally {
    pg.Client.prototype.query = query;
  }
}

test('inviting an address reveals nothing about it: known and unknown ones get the same response after the same work', async () => {
  const owner = await aPerson();
  const [known, unconfirmed] = [await aPerson(), await signUp(api)];
  const shapes = [];
  for (const email of [newEmail(), known.email, unconfirmed.email]) {
    const [{ status, headers, body }, statements] = await statementsOf(() => invite(owner, email));
    expect(statements).toContain('save-invitation');
    const unlike = { id: '', email: '', created_at: '', expires_at: '' };
    shapes.push({ status, headers: Object.keys(headers), body: { ...body, ...unlike }, statements });
    expect(body.link).toBeNull();
    await mailedToken(email);
  }
  expect(shapes[1]).toEqual(shapes[0]);
  expect(shapes[2]).toEqual(shapes[0]);
});
