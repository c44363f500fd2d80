import { randomBytes } from 'node:crypto';
import { createTestApi, roomyPlan, type TestApi } from '@signpost/testing/api.ts';
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
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../kernel/clock.ts';
import { parseId } from '../kernel/ids.ts';
import { sql } from '../platform/postgres/postgres.ts';
import { pruneDailyCodesJob } from '../qrcodes/creation/daily-limit.ts';

let sink: SmtpSink;
let api: TestApi;

beforeAll(async () => {
  sink = await startSmtpSink();
  api = await createTestApi({
    ...dashboardEnv,
    SMTP_URL: sink.url,
    DEFAULT_PLAN: roomyPlan,
    WEBHOOK_SECRET_KEYS: randomBytes(32).toString('base64'),
    WEBHOOK_ALLOW_CIDRS: '127.0.0.1',
  });
});
afterAll(async () => {
  await api.close();
  sink.close();
});

const post = (browser: Browser, url: string, body: unknown) => browser.call({ method: 'POST', url, body });

const makeCode = async (browser: Browser) =>
  (await post(browser, '/account/v1/qrcodes', { name: 'Menu', destination_url: 'https://example.com' })).body;

const makeKey = (browser: Browser, mode: 'live' | 'test') =>
  post(browser, '/account/keys', { name: 'Key', mode, current_password: goodPassword });

const me = async (browser: Browser) => (await browser.call({ url: '/account/me' })).body.account;

const tokenIn = (mail: string, page: string) => new RegExp(`/app/${page}#token=([\\w-]+)`).exec(mail)![1]!;

const linkOf = async (email: string) =>
  tokenIn(await sink.mail(`To: ${email}`, 'Confirm your e-mail'), 'verify-email');

const confirm = async (owner: Browser & { email: string }) =>
  post(owner, '/auth/verify-email', { token: await linkOf(owner.email) });

/** A new password by a mailed link. */
async function resetBy(email: string, password = 'a whole new password') {
  await post(createBrowser(api), '/auth/request-reset', { email });
  const token = tokenIn(await sink.mail(`To: ${email}`, 'Set a new password'), 'reset-password');
  return await post(createBrowser(api), '/auth/reset-password', { token, password });
}

async function signIn(email: string, password = 'a whole new password'): Promise<Browser> {
  const browser = createBrowser(api);
  expect((await post(browser, '/auth/sign-in', { email, password })).status).toBe(200);
  return browser;
}

/** What redirects keep in memory of an account. */
async function stopOf(browser: Browser, on = api): Promise<string | null> {
  const id = parseId('acct', (await browser.call({ url: '/account/me' })).body.account.id)!;
  const [row] = await on.api.db.query<{ reason: string | null }>(
    sql('test-stop-of', 'select reason from stops where subject = $1'),
    [`account/${id}`],
  );
  return row?.reason ?? null;
}

const availability = async (browser: Browser, id: string) =>
  (await browser.call({ url: `/account/v1/qrcodes/${id}` })).body.availability;

describe('an account that was made by sign-up', () => {
  test('makes codes as always, and its links wait until the address is confirmed', async () => {
    const owner = await signUp(api);
    const code = await makeCode(owner);
    expect(code).toMatchObject({ status: 'active', active: true, availability: { state: 'held' } });
    expect(await availability(owner, code.id)).toEqual({
      state: 'held',
      since: expect.any(String),
      reason: null,
    });
    expect(await me(owner)).toMatchObject({ held: true, suspension: null });
    expect(await stopOf(owner)).toBe('held');

    expect((await confirm(owner)).status).toBe(200);
    expect(await stopOf(owner)).toBeNull();
    expect(await me(owner)).toMatchObject({ held: false });
    expect(await availability(owner, code.id)).toEqual({ state: 'live', since: null, reason: null });
  });

  test('makes test keys and no live ones until then', async () => {
    const owner = await signUp(api);
    expect((await makeKey(owner, 'test')).status).toBe(201);
    const refused = await makeKey(owner, 'live');
    expect(refused.status).toBe(403);
    expect(refused.body.error).toMatchObject({
      code: 'forbidden',
      message: expect.stringMatching(/^Confirm your e-mail address first/),
    });
    await confirm(owner);
    expect((await makeKey(owner, 'live')).status).toBe(201);
  });

  test('gets no live key by the operator either, unless the operator says so', async () => {
    const owner = await signUp(api);
    const { id } = await me(owner);
    await expect(api.admin('create-key', id, 'live')).rejects.toThrow(
      /until its owner confirms.*--unconfirmed/,
    );
    expect(await api.admin('create-key', id, 'test')).toContain('sk_test_');
    expect(await api.admin('create-key', id, 'live', '--unconfirmed')).toContain('sk_live_');
    await confirm(owner);
    expect(await api.admin('create-key', id, 'live')).toContain('sk_live_');
  });

  test('a live key that was under way when the account was held is refused under the lock', async () => {
    const owner = await signUp(api);
    const accountId = parseId('acct', (await me(owner)).id)!;
    await expect(api.api.accounts.createKey(accountId, 'live')).rejects.toThrow(/^Confirm your e-mail/);
    expect(await api.api.accounts.keys(accountId)).toEqual([]);
  });

  test('what a key sees of it is right at once, also where the key is remembered', async () => {
    const owner = await signUp(api);
    const { key } = (await makeKey(owner, 'test')).body;
    const { id } = (
      await api.call({
        method: 'POST',
        url: '/v1/qrcodes',
        key,
        body: { name: 'x', destination_url: 'https://example.com' },
      })
    ).body;
    const state = async () =>
      (await api.call({ url: `/v1/qrcodes/${id}`, key })).body.availability.state as string;
    for (let n = 0; n < 3; n++) expect(await state()).toBe('held');
    await confirm(owner);
    expect(await state()).toBe('live');
  });

  test('a mailed link for a new password releases it as well, and ends what a stranger left there', async () => {
    const owner = await signUp(api);
    const { key } = (await makeKey(owner, 'test')).body;
    await post(createBrowser(api), '/auth/request-reset', { email: owner.email });
    const token = tokenIn(await sink.mail(`To: ${owner.email}`, 'Set a new password'), 'reset-password');
    const reset = await post(createBrowser(api), '/auth/reset-password', {
      token,
      password: 'a whole new password',
    });
    expect(reset.body).toMatchObject({ email_confirmed: true, keys_revoked: 1 });
    expect((await api.call({ url: '/v1/qrcodes', key })).status).toBe(401);
    const back = createBrowser(api);
    await post(back, '/auth/sign-in', { email: owner.email, password: 'a whole new password' });
    expect(await me(back)).toMatchObject({ held: false });
    expect(await stopOf(back)).toBeNull();
  });

  test('what a stranger made with the address of another reaches nobody after the owner has come', async () => {
    const stranger = await signUp(api);
    const { id } = await makeCode(stranger);
    const tried = await stranger.call({
      method: 'POST',
      url: '/account/v1/qrcodes',
      body: { name: 'x', destination_url: 'https://example.com' },
      mode: 'test',
    });
    const webhook = await post(stranger, '/account/v1/webhooks', { url: 'http://127.0.0.1:9/hook' });
    expect(webhook.status).toBe(201);
    const accountId = parseId('acct', (await stranger.call({ url: '/account/me' })).body.account.id)!;

    expect((await resetBy(stranger.email)).body).toMatchObject({
      email_confirmed: true,
      codes_paused: 2,
      webhooks_disabled: 1,
    });
    const owner = await signIn(stranger.email);
    expect(await me(owner)).toMatchObject({ held: false, codes_used: 1 });
    expect((await owner.call({ url: `/account/v1/qrcodes/${id}` })).body).toMatchObject({
      status: 'paused',
      availability: { state: 'off' },
    });
    const test = await owner.call({ url: `/account/v1/qrcodes/${tried.body.id}`, mode: 'test' });
    expect(test.body.status).toBe('paused');
    const kept = await owner.call({ url: `/account/v1/webhooks/${webhook.body.id}` });
    expect(kept.body).toMatchObject({ enabled: false, disabled_reason: 'by_owner' });
    const counted = (table: 'code_counts' | 'count_buckets') =>
      api.api.db.query(
        sql(
          `test-counts-of-${table}`,
          `select mode, active, paused from ${table} where account_id = $1 order by mode`,
        ),
        [accountId],
      );
    for (const table of ['code_counts', 'count_buckets'] as const)
      expect(await counted(table)).toEqual([
        { mode: 'live', active: 0, paused: 1 },
        { mode: 'test', active: 0, paused: 1 },
      ]);
    const history = await owner.call({ url: `/account/qrcodes/${id}/history` });
    expect(history.body.data[0]).toMatchObject({ field: 'status', from: 'active', to: 'paused' });
    // The owner who made them all has them back by a click each.
    await owner.call({ method: 'PATCH', url: `/account/v1/qrcodes/${id}`, body: { active: true } });
    expect((await availability(owner, id)).state).toBe('live');
  });

  test('what is under way when the owner comes is refused: nothing of a stranger is live afterwards', async () => {
    const stranger = await signUp(api);
    const { id } = await makeCode(stranger);
    await stranger.call({ method: 'PATCH', url: `/account/v1/qrcodes/${id}`, body: { active: false } });
    const accountId = parseId('acct', (await stranger.call({ url: '/account/me' })).body.account.id)!;
    const webhook = await post(stranger, '/account/v1/webhooks', {
      url: 'http://127.0.0.1:9/hook',
      enabled: false,
    });
    const lock = sql('test-hold-counts', 'select from code_counts where account_id = $1 for update');
    const lockEndpoints = sql(
      'test-hold-endpoints',
      'select from webhook_endpoints where account_id = $1 for update',
    );
    const free = sql('test-release', 'update accounts set held_at = null where id = $1');
    const late: Promise<{ status: number }>[] = [];
    await api.api.db.transaction(async tx => {
      await tx.query(lock, [accountId]);
      await tx.query(lockEndpoints, [accountId]);
      late.push(
        post(stranger, '/account/v1/qrcodes', { name: 'x', destination_url: 'https://example.com' }),
        stranger.call({ method: 'PATCH', url: `/account/v1/qrcodes/${id}`, body: { active: true } }),
        stranger.call({
          method: 'PATCH',
          url: `/account/v1/webhooks/${webhook.body.id}`,
          body: { enabled: true },
        }),
      );
      const waiting = sql(
        'test-waiting-for-locks',
        `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      );
      await waitUntil('all wait', async () => (await api.api.db.query(waiting)).length === 3);
      await tx.query(free, [accountId]);
    });
    expect((await Promise.all(late)).map(({ status }) => status)).toEqual([503, 503, 503]);
    expect(await me(stranger)).toMatchObject({ codes_used: 1 });
  });

  test('is confirmed by nobody but who is signed in to it', async () => {
    const stranger = await signUp(api);
    const token = await linkOf(stranger.email);
    const confirmIn = (browser: Browser) => post(browser, '/auth/verify-email', { token });
    // The owner of the mailbox opens the mail and has no account.
    expect((await confirmIn(createBrowser(api))).status).toBe(401);
    const refused = await confirmIn(await signUp(api));
    expect(refused.status).toBe(403);
    expect(refused.body.error.message).toMatch(/If you did not create one, ignore the e-mail\.$/);
    expect(await me(stranger)).toMatchObject({ held: true });
    // The link still works for who signed up.
    expect((await confirmIn(stranger)).status).toBe(200);
    expect(await me(stranger)).toMatchObject({ held: false });
  });

  test('with the address of somebody else it stays held, whatever its maker does', async () => {
    const stranger = await signUp(api, newEmail());
    const code = await makeCode(stranger);
    await post(stranger, '/auth/change-password', {
      current_password: goodPassword,
      new_password: 'quite another password',
    });
    await post(stranger, '/account/verification', {});
    await stranger.call({ method: 'PATCH', url: '/account/me', body: { name: 'Owner' } });
    await post(stranger, '/auth/verify-email', { token: randomBytes(20).toString('base64url') });
    // A link that the operator made was never in the mailbox, and proves nothing about it.
    const printed = await api.admin('reset-link', stranger.email);
    const token = /#token=([\w-]+)/.exec(printed)![1]!;
    await post(createBrowser(api), '/auth/reset-password', { token, password: 'a third good password' });
    const back = createBrowser(api);
    await post(back, '/auth/sign-in', { email: stranger.email, password: 'a third good password' });
    expect((await availability(back, code.id)).state).toBe('held');
    expect(await stopOf(back)).toBe('held');
  });

  test('is released by the operator, who confirms the address by a command', async () => {
    const owner = await signUp(api);
    expect(await api.admin('confirm-email', owner.email.toUpperCase())).toBe(
      `${owner.email} is now confirmed.\nTheir short links work now, and they can create live keys.`,
    );
    expect(await api.admin('confirm-email', owner.email)).toBe(`${owner.email} was already confirmed.`);
    expect(await me(owner)).toMatchObject({ held: false });
    expect(await stopOf(owner)).toBeNull();
    await expect(api.admin('confirm-email', newEmail())).rejects.toThrow(/No user has the e-mail/);
  });
});

test('accounts that the operator makes are never held', async () => {
  const email = newEmail();
  const printed = await api.admin('create-user', email);
  const token = /#token=([\w-]+)/.exec(printed)![1]!;
  await post(createBrowser(api), '/auth/reset-password', { token, password: goodPassword });
  const owner = createBrowser(api);
  await post(owner, '/auth/sign-in', { email, password: goodPassword });
  expect(await me(owner)).toMatchObject({ held: false });
  expect(await stopOf(owner)).toBeNull();
  expect((await makeCode(owner)).availability.state).toBe('live');
  const { live } = await api.account();
  const made = await api.call({
    method: 'POST',
    url: '/v1/qrcodes',
    key: live,
    body: { name: 'x', destination_url: 'https://example.com' },
  });
  expect(made.body.availability).toEqual({ state: 'live', since: null, reason: null });
});

test('without mail, or with the setting off, nobody waits', async () => {
  for (const env of [{}, { SMTP_URL: sink.url, REQUIRE_VERIFIED_EMAIL: 'off' }]) {
    const other = await createTestApi({ ...dashboardEnv, ...env });
    onTestFinished(() => void other.close());
    const owner = await signUp(other);
    expect(await me(owner)).toMatchObject({ held: false });
    expect(await stopOf(owner, other)).toBeNull();
    expect((await makeKey(owner, 'live')).status).toBe(201);
  }
});

describe('NEW_ACCOUNT_CODES_PER_DAY', () => {
  let narrow: TestApi;
  beforeAll(async () => {
    narrow = await createTestApi({
      ...dashboardEnv,
      DEFAULT_PLAN: roomyPlan,
      NEW_ACCOUNT_CODES_PER_DAY: '3',
    });
  });
  afterAll(() => narrow.close());

  const body = { name: 'x', destination_url: 'https://example.com' };

  test('counts what people of new accounts make in the dashboard, also at once and by many', async () => {
    const owner = await signUp(narrow);
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => post(owner, '/account/v1/qrcodes', body)),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(3);
    const refused = replies.find(({ status }) => status === 403)!.body.error;
    expect(refused).toMatchObject({ code: 'quota_exceeded', limit: 3, used: 3 });
    const waitMs = Date.parse(refused.resets_at) - Date.now();
    expect(waitMs).toBeGreaterThan(23 * 3_600_000);
    expect(waitMs).toBeLessThanOrEqual(24 * 3_600_000 + 5000);
  });

  test('deleting a code gives nothing back, and a bulk fits whole or not at all', async () => {
    const owner = await signUp(narrow);
    const { id } = (await post(owner, '/account/v1/qrcodes', body)).body;
    await owner.call({ method: 'DELETE', url: `/account/v1/qrcodes/${id}` });
    const bulk = (count: number) =>
      post(owner, '/account/v1/qrcodes/bulk', { items: Array.from({ length: count }, () => body) });
    const refused = await bulk(3);
    expect(refused.status).toBe(403);
    expect(refused.body.error).toMatchObject({ limit: 3, used: 1, resets_at: expect.any(String) });
    expect((await bulk(2)).body).toMatchObject({ created: 2 });
    const never = await bulk(4);
    expect(never.body.error.message).toMatch(/at most 3 at a time/);
  });

  test('has room again a day later', async () => {
    const owner = await signUp(narrow);
    for (let n = 0; n < 3; n++) expect((await post(owner, '/account/v1/qrcodes', body)).status).toBe(201);
    expect((await post(owner, '/account/v1/qrcodes', body)).status).toBe(403);
    await narrow.api.db.query(
      sql('test-age-daily-codes', `update daily_codes set at = at - interval '1 day'`),
    );
    expect((await post(owner, '/account/v1/qrcodes', body)).status).toBe(201);
  });

  test('leaves nothing behind: not after a day, nor of an account that is closed', async () => {
    const { db } = narrow.api;
    const idOf = async (browser: Browser) => parseId('acct', (await me(browser)).id)!;
    const left = async (id: string) =>
      (await db.query(sql('test-daily-codes', 'select from daily_codes where account_id = $1'), [id])).length;
    const people = [await signUp(narrow), await signUp(narrow)] as const;
    const [old, young] = [await idOf(people[0]), await idOf(people[1])];
    for (const owner of people) await post(owner, '/account/v1/qrcodes', body);
    await db.query(
      sql('test-age-some', `update daily_codes set at = at - interval '1 day' where account_id = $1`),
      [old],
    );
    await pruneDailyCodesJob(db, systemClock).run(AbortSignal.abort());
    expect([await left(old), await left(young)]).toEqual([0, 1]);
    await narrow.admin('close-account', (await me(people[1])).id, '--yes');
    expect(await left(young)).toBe(0);
  });

  test('does not count keys, test codes, or accounts that the operator made', async () => {
    const owner = await signUp(narrow);
    for (let n = 0; n < 3; n++) await post(owner, '/account/v1/qrcodes', body);
    const { key } = (await makeKey(owner, 'live')).body;
    expect((await narrow.call({ method: 'POST', url: '/v1/qrcodes', key, body })).status).toBe(201);
    expect(
      (await owner.call({ method: 'POST', url: '/account/v1/qrcodes', body, mode: 'test' })).status,
    ).toBe(201);

    const email = newEmail();
    const printed = await narrow.admin('create-user', email, '--plan', roomyPlan);
    const token = /#token=([\w-]+)/.exec(printed)![1]!;
    await post(createBrowser(narrow), '/auth/reset-password', { token, password: goodPassword });
    const known = createBrowser(narrow);
    await post(known, '/auth/sign-in', { email, password: goodPassword });
    for (let n = 0; n < 4; n++) expect((await post(known, '/account/v1/qrcodes', body)).status).toBe(201);
  });
});
