import type { Role } from '@signpost/contract';
import { createTestApi, roomyPlan, roomyWebhooks, type TestApi } from '@signpost/testing/api.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import {
  type Browser,
  createBrowser,
  dashboardEnv,
  goodPassword,
  newEmail,
  signUp,
} from '@signpost/testing/people.ts';
import { type SmtpSink, startSmtpSink } from '@signpost/testing/smtp-sink.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claimAbandonedClosure } from '../accounts/closures.ts';
import { systemClock } from '../kernel/clock.ts';
import { parseId } from '../kernel/ids.ts';
import { sql } from '../platform/postgres/postgres.ts';
import { createClosingSteps } from '../roles/account-closing.ts';

let api: TestApi;
let sink: SmtpSink;

beforeAll(async () => {
  sink = await startSmtpSink();
  api = await createTestApi({
    ...dashboardEnv,
    ...roomyWebhooks,
    DEFAULT_PLAN: roomyPlan,
    SMTP_URL: sink.url,
  });
  await api.admin('create-user', 'operator@people.example', '--operator');
});
afterAll(async () => {
  await api.close();
  sink.close();
});

type Owner = Browser & { readonly email: string };

const close = (owner: Owner, more: { confirmation?: string; current_password?: string } = {}) =>
  owner.call({
    method: 'POST',
    url: '/account/close',
    body: { confirmation: owner.email, current_password: goodPassword, ...more },
  });

const accountOf = async (owner: Browser) =>
  (await owner.call({ url: '/account/me' })).body.account.id as string;

async function fill(owner: Owner) {
  const key = await owner.call({
    method: 'POST',
    url: '/account/keys',
    body: { name: 'Shop', mode: 'test', current_password: goodPassword },
  });
  const code = await owner.call({
    method: 'POST',
    url: '/account/v1/qrcodes',
    body: { name: 'Menu', destination_url: 'https://example.com' },
  });
  expect([key.status, code.status]).toEqual([201, 201]);
  return { key: key.body.key as string, shortCode: code.body.short_code as string };
}

const inAccount = (account: string) => ({
  url: '/account/v1/qrcodes',
  headers: { 'x-signpost-account': account },
});

const addPerson = ({ email }: Owner, account: string, role: Role) =>
  api.admin('create-user', email, '--account', account, '--role', role, '--unconfirmed');

const rows = async (text: string, values: readonly unknown[]) =>
  await api.api.db.query<Record<string, unknown>>(sql('', text), values);

const isErased = async (account: string) => {
  const id = parseId('acct', account);
  const counts = await rows('select 1 from code_counts where account_id = $1', [id]);
  const closures = await rows('select 1 from account_closures where account_id = $1', [id]);
  return counts.length === 0 && closures.length === 0;
};

describe('an owner who closes the account', () => {
  test('ends keys, sessions and codes at once, and the rest is deleted', async () => {
    const owner = await signUp(api);
    const elsewhere = createBrowser(api);
    const person = { email: owner.email, password: goodPassword };
    await elsewhere.call({ method: 'POST', url: '/auth/sign-in', body: person });
    const account = await accountOf(owner);
    const { key, shortCode } = await fill(owner);
    const closed = await close(owner, { confirmation: ` ${owner.email.toUpperCase()} ` });
    expect([closed.status, closed.body]).toEqual([200, { done: true }]);
    const stops = await rows('select reason from stops where subject = $1', [
      `account/${parseId('acct', account)}`,
    ]);
    expect(stops).toHaveLength(1);
    for (const browser of [owner, elsewhere])
      expect((await browser.call({ url: '/account/me' })).status).toBe(401);
    expect([...owner.cookies.keys()].filter(name => name.includes('session'))).toEqual([]);
    expect((await api.call({ url: '/v1/qrcodes', key })).status).toBe(401);
    expect(
      (await createBrowser(api).call({ method: 'POST', url: '/auth/sign-in', body: person })).status,
    ).toBe(401);
    await waitUntil('everything is erased', () => isErased(account));
    expect(await rows('select status from qr_codes where short_code = $1', [shortCode])).toEqual([
      { status: 'deleted' },
    ]);
    expect(await rows('select 1 from auth_users where email = $1', [owner.email])).toEqual([]);
    await sink.mail(`To: ${owner.email}`, 'Your Signpost account was closed');
  });

  test('must know the password and type the address, or nothing happens', async () => {
    const owner = await signUp(api);
    const stranger = await signUp(api);
    for (const [more, param] of [
      [{ current_password: 'not the password' }, 'current_password'],
      [{ confirmation: stranger.email }, 'confirmation'],
    ] as const) {
      const refused = await close(owner, more);
      expect([refused.status, refused.body.error.param]).toEqual([400, param]);
    }
    expect((await owner.call({ url: '/account/me' })).status).toBe(200);
    expect((await createBrowser(api).call({ method: 'POST', url: '/account/close', body: {} })).status).toBe(
      401,
    );
  });

  test('closes no account but their own', async () => {
    const [owner, other] = [await signUp(api), await signUp(api)];
    const { key } = await fill(other);
    await close(owner);
    expect((await other.call({ url: '/account/me' })).status).toBe(200);
    expect((await api.call({ url: '/v1/qrcodes', key })).status).toBe(200);
  });

  test('may do so while the account is suspended, and the evidence stays', async () => {
    const owner = await signUp(api);
    const account = await accountOf(owner);
    await api.admin('suspend-account', account, '--reason', 'Spam');
    expect((await close(owner)).status).toBe(200);
    await waitUntil('everything is erased', () => isErased(account));
    const kept = await rows('select reason from suspensions where account_id = $1', [
      parseId('acct', account),
    ]);
    expect(kept).toEqual([{ reason: 'Spam' }]);
  });

  test('closes it for everybody: each person loses access and gets a mail', async () => {
    const [owner, colleague, client] = [await signUp(api), await signUp(api), await signUp(api)];
    const account = await accountOf(owner);
    const own = await accountOf(colleague);
    await addPerson(colleague, account, 'owner');
    await addPerson(client, account, 'viewer');
    expect((await colleague.call(inAccount(account))).status).toBe(200);
    expect((await close(owner)).status).toBe(200);
    for (const person of [colleague, client]) {
      const refused = await person.call(inAccount(account));
      expect([refused.status, refused.body.error.code]).toEqual([404, 'not_found']);
      await sink.mail(`To: ${person.email}`, 'Your Signpost account was closed');
    }
    expect((await owner.call({ url: '/account/me' })).status).toBe(401);
    expect((await colleague.call({ url: '/account/me' })).body.accounts).toMatchObject([{ id: own }]);
  });

  test('is an owner: nobody else in the account closes it', async () => {
    const [owner, admin] = [await signUp(api), await signUp(api)];
    const account = await accountOf(owner);
    await addPerson(admin, account, 'admin');
    const body = { confirmation: admin.email, current_password: goodPassword };
    const refused = await admin.call({ ...inAccount(account), method: 'POST', url: '/account/close', body });
    expect([refused.status, refused.body.error.code]).toEqual([403, 'forbidden']);
    expect((await owner.call({ url: '/account/me' })).status).toBe(200);
  });

  test('stays signed in while there is another account, and keeps that one', async () => {
    const owner = await signUp(api);
    const first = await accountOf(owner);
    const created = await owner.call({ method: 'POST', url: '/account/accounts', body: { name: 'Second' } });
    expect(created.status).toBe(201);
    const body = { confirmation: owner.email, current_password: goodPassword };
    const closed = await owner.call({ ...inAccount(first), method: 'POST', url: '/account/close', body });
    expect(closed.status).toBe(200);
    const me = await owner.call({ url: '/account/me' });
    expect([me.status, me.body.account.id]).toEqual([200, created.body.id]);
  });
});

describe('where sign-up is closed', () => {
  let closed: TestApi;
  beforeAll(async () => {
    const { databaseUrl } = api.config;
    const same = { DATABASE_URL: databaseUrl, DATABASE_DIRECT_URL: databaseUrl };
    closed = await createTestApi({ ...dashboardEnv, ...same, SIGN_UP: 'closed' });
  });
  afterAll(() => closed.close());

  /** The same person at the installation with closed sign-up. */
  async function elsewhere({ email }: Owner): Promise<Owner> {
    const browser = createBrowser(closed);
    const body = { email, password: goodPassword };
    expect((await browser.call({ method: 'POST', url: '/auth/sign-in', body })).status).toBe(200);
    return { ...browser, email };
  }

  const daysLater = (email: string, days: number) =>
    rows(`update auth_users set no_account_at = now() - $2::integer * interval '1 day' where email = $1`, [
      email,
      days,
    ]);
  const exists = async (email: string) =>
    (await rows('select 1 from auth_users where email = $1', [email])).length === 1;

  test('somebody who was invited keeps the sign-in for 30 days after the only account is closed', async () => {
    const owner = await signUp(api);
    const account = await accountOf(owner);
    const email = newEmail();
    const output = await api.admin('create-user', email, '--account', account, '--role', 'editor');
    const [, token = ''] = /#token=(\S+)/.exec(output) ?? [];
    const invited = createBrowser(closed);
    const post = (url: string, body: object) => invited.call({ method: 'POST', url, body });
    expect((await post('/auth/reset-password', { token, password: goodPassword })).status).toBe(200);
    expect((await post('/auth/sign-in', { email, password: goodPassword })).status).toBe(200);
    expect((await invited.call({ url: '/account/me' })).body.account).toMatchObject({ role: 'editor' });

    expect((await close(owner)).status).toBe(200);
    expect(await exists(owner.email)).toBe(false);
    const me = await invited.call({ url: '/account/me' });
    expect([me.status, me.body.account, me.body.accounts]).toEqual([200, null, []]);
    const refused = await invited.call({ url: '/account/v1/qrcodes' });
    expect([refused.status, refused.body.error.code]).toEqual([403, 'no_account']);

    await daysLater(email, 29);
    await api.api.users!.removeExpired(1000);
    expect(await exists(email)).toBe(true);
    await daysLater(email, 31);
    await api.api.users!.removeExpired(1000);
    expect(await exists(email)).toBe(false);
    expect((await invited.call({ url: '/account/me' })).status).toBe(401);
  });

  test('somebody who was invited and then joined another account is not deleted', async () => {
    const [owner, other] = [await signUp(api), await signUp(api)];
    const email = newEmail();
    await api.admin('create-user', email, '--account', await accountOf(owner), '--role', 'viewer');
    await close(owner);
    await daysLater(email, 31);
    const account = await accountOf(other);
    await api.admin('create-user', email, '--account', account, '--role', 'viewer', '--unconfirmed');
    await api.api.users!.removeExpired(1000);
    expect(await exists(email)).toBe(true);
  });

  test('an operator who closes the account keeps the sign-in and the pages of the operator for good', async () => {
    const owners = [await signUp(api), await signUp(api)];
    for (const { email } of owners) await api.admin('set-operator', email, 'on', '--unconfirmed');
    await api.admin('set-operator', 'operator@people.example', 'off');
    const browsers = await Promise.all(owners.map(elsewhere));
    expect((await Promise.all(browsers.map(browser => close(browser)))).map(({ status }) => status)).toEqual([
      200, 200,
    ]);
    for (const browser of browsers) {
      const me = await browser.call({ url: '/account/me' });
      expect([me.status, me.body.user.is_operator, me.body.account]).toEqual([200, true, null]);
      expect((await browser.call({ url: '/account/operator/people' })).status).toBe(200);
      await daysLater(browser.email, 1000);
    }
    await api.api.users!.removeExpired(1000);
    for (const { email } of owners) expect(await exists(email)).toBe(true);
  });
});

test('an operator whose session ended meanwhile keeps everything, the rights of an operator too', async () => {
  const owner = await signUp(api);
  await api.admin('set-operator', owner.email, 'on', '--unconfirmed');
  const { db, accounts } = api.api;
  const redirects = { notify: async () => {}, invalidate: async () => {} };
  const { endAccess } = createClosingSteps({ db, accounts, clock: systemClock, redirects });
  const id = parseId('acct', await accountOf(owner))!;
  await expect(endAccess(id, async () => false)).rejects.toThrow('Your session has ended');
  const me = await owner.call({ url: '/account/me' });
  expect([me.status, me.body.user.is_operator]).toEqual([200, true]);
  expect(await rows('select closed_at from accounts where id = $1', [id])).toEqual([{ closed_at: null }]);
});

test('a closure whose process ended is claimed by another after a while, once', async () => {
  const owner = await signUp(api);
  const id = parseId('acct', await accountOf(owner));
  const { db } = api.api;
  await rows(`insert into account_closures (account_id, claimed_at) values ($1, now())`, [id]);
  expect(await claimAbandonedClosure(db)).toBeNull();
  await rows(`update account_closures set claimed_at = now() - interval '31 minutes' where account_id = $1`, [
    id,
  ]);
  expect([await claimAbandonedClosure(db), await claimAbandonedClosure(db)]).toEqual([id, null]);
  await rows('delete from account_closures where account_id = $1', [id]);
});
