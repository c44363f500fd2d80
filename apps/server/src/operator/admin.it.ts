import { createTestApi, roomyPlan, type TestApi } from '@signpost/testing/api.ts';
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
import { sql } from '../platform/postgres/postgres.ts';

let api: TestApi;
let sink: SmtpSink;
let operator: Browser & { readonly email: string };

beforeAll(async () => {
  sink = await startSmtpSink();
  api = await createTestApi({
    ...dashboardEnv,
    CLICKHOUSE_URL: 'http://127.0.0.1:9',
    DEFAULT_PLAN: 'free',
    SMTP_URL: sink.url,
  });
  operator = await signUp(api);
  await api.admin('set-operator', operator.email, 'on', '--unconfirmed');
});
afterAll(async () => {
  await api.close();
  sink.close();
});

const get = (path: string, browser: Browser = operator) => browser.call({ url: `/account/operator/${path}` });
const post = (path: string, body?: unknown, browser: Browser = operator) =>
  browser.call({ method: 'POST', url: `/account/operator/${path}`, ...(body ? { body } : {}) });
const personBy = async (email: string) =>
  (await get(`people?search=${encodeURIComponent(email)}`)).body.data[0];
const confirmed = (email: string) =>
  api.api.db.query(sql('test-confirm', 'update auth_users set email_verified = true where email = $1'), [
    email,
  ]);

describe('people', () => {
  test('are listed newest first, by page, part of the e-mail and state', async () => {
    const [first, second] = [await signUp(api), await signUp(api)];
    const all = (await get('people?limit=2')).body;
    expect(all.data.map(({ email }: { email: string }) => email)).toEqual([second.email, first.email]);
    expect(all.pagination).toMatchObject({ page: 1, limit: 2, total: expect.any(Number) });
    const account = (await second.call({ url: '/account/me' })).body.account;
    expect(await personBy(second.email.slice(2).toUpperCase())).toMatchObject({
      name: 'Somebody',
      email: second.email,
      email_verified: false,
      is_operator: false,
      sessions: 1,
      accounts: [{ id: account.id, name: account.name, role: 'owner' }],
    });
    const operators = (await get('people?state=operators')).body.data;
    expect(operators.map(({ email }: { email: string }) => email)).toEqual([operator.email]);
    await confirmed(first.email);
    const unconfirmed = (await get('people?state=unconfirmed&limit=100')).body.data;
    const emails = unconfirmed.map(({ email }: { email: string }) => email);
    expect([emails.includes(first.email), emails.includes(second.email)]).toEqual([false, true]);
    // What looks like a pattern of SQL is text.
    expect((await get('people?search=%25')).body.data).toEqual([]);
  });

  test('are signed out everywhere, the operator who asks everywhere else', async () => {
    const person = await signUp(api);
    const { id } = await personBy(person.email);
    expect((await post(`people/${id}/end-sessions`)).body).toEqual({ ended: 1 });
    expect((await person.call({ url: '/account/me' })).status).toBe(401);
    expect((await personBy(person.email)).sessions).toBe(0);
    const own = (await personBy(operator.email)).id;
    expect((await post(`people/${own}/end-sessions`)).body).toEqual({ ended: 0 });
    expect((await get('people')).status).toBe(200);
    expect((await post('people/user_nothing/end-sessions')).status).toBe(404);
  });

  test('become operators and stop being some, with the password, but for the last one', async () => {
    const person = await signUp(api);
    const { id } = await personBy(person.email);
    const set = (is_operator: boolean, more = {}) =>
      post(`people/${id}/operator`, { is_operator, current_password: goodPassword, ...more });
    const wrong = await set(true, { current_password: 'not the password' });
    expect([wrong.status, wrong.body.error.param]).toEqual([400, 'current_password']);
    const unconfirmed = await set(true);
    expect([unconfirmed.status, unconfirmed.body.error.param]).toEqual([400, 'even_unconfirmed']);
    expect((await get('people', person)).status).toBe(403);
    expect((await set(true, { even_unconfirmed: true })).body.is_operator).toBe(true);
    expect((await get('people', person)).status).toBe(200);
    expect((await set(false)).body.is_operator).toBe(false);
    expect((await get('people', person)).status).toBe(403);
    await confirmed(person.email);
    expect((await set(true)).status).toBe(200);
    await set(false);
    const own = (await personBy(operator.email)).id;
    const body = { is_operator: false, current_password: goodPassword };
    const last = await post(`people/${own}/operator`, body);
    expect([last.status, last.body.error.message]).toEqual([403, expect.stringContaining('only operator')]);
    expect((await post('people/user_nothing/operator', body)).status).toBe(404);
  });

  test('get a link to set a new password by mail, which the operator does not see', async () => {
    const person = await signUp(api);
    const { id } = await personBy(person.email);
    const body = { current_password: goodPassword };
    const refused = await post(`people/${id}/reset-link`, { current_password: 'not the password' });
    expect([refused.status, refused.body.error.param]).toEqual([400, 'current_password']);
    expect((await post(`people/${id}/reset-link`, body)).body).toEqual({ link: null });
    expect(await sink.mail(`To: ${person.email}`, 'Set a new password')).toContain('reset-password#token=');
    expect((await post('people/user_nothing/reset-link', body)).status).toBe(404);
  });

  test('get it from the operator where no mail is sent', async () => {
    const silent = await createTestApi({ ...dashboardEnv, DATABASE_URL: api.config.databaseUrl });
    try {
      const browser = createBrowser(silent);
      const me = { email: operator.email, password: goodPassword };
      await browser.call({ method: 'POST', url: '/auth/sign-in', body: me });
      const person = await signUp(silent);
      const { id } = await personBy(person.email);
      const { body } = await post(`people/${id}/reset-link`, { current_password: goodPassword }, browser);
      const token = /#token=(\S+)$/.exec(body.link)![1];
      const reset = await createBrowser(silent).call({
        method: 'POST',
        url: '/auth/reset-password',
        body: { token, password: 'another good one' },
      });
      expect(reset.status).toBe(200);
    } finally {
      await silent.close();
    }
  });
});

describe('accounts', () => {
  const idOf = async (person: Browser) => (await person.call({ url: '/account/me' })).body.account.id;
  const ids = async (query: string) =>
    (await get(`accounts?${query}`)).body.data.map((item: { account: { id: string } }) => item.account.id);

  test('are listed with what they use, and found by name, e-mail, id, plan and state', async () => {
    const [owner, other] = [await signUp(api), await signUp(api)];
    const id = await idOf(owner);
    const code = { name: 'Menu', destination_url: 'https://example.com' };
    await owner.call({ method: 'POST', url: '/account/v1/qrcodes', body: code });
    await owner.call({ method: 'POST', url: '/account/v1/qrcodes', mode: 'test', body: code });
    const { body } = await get(`accounts?search=${owner.email}`);
    expect(body).toMatchObject({
      data: [
        {
          account: { id, plan: 'free', suspended: false, closed_at: null },
          people: [owner.email],
          roles: ['owner'],
          people_count: 1,
          // On this plan only codes by API count.
          codes_used: 0,
          live_codes: 1,
          code_quota: 100,
          test_codes: 1,
          scans: null,
        },
      ],
      pagination: { total: 1 },
    });
    expect(await ids(`search=${id}`)).toEqual([id]);
    expect(await ids('limit=1')).toEqual([await idOf(other)]);
    await api.admin('suspend-account', id, '--reason', 'Spam');
    expect(await ids('state=suspended')).toEqual([id]);
    await api.admin('create-account', 'The Corner Shop', '--plan', 'pro');
    expect(await ids('search=corner%20shop')).toHaveLength(1);
    expect(await ids('plan=pro')).toHaveLength(1);
    await api.admin('close-account', id, '--yes');
    expect([await ids('state=closed'), await ids(`search=${id}`)]).toEqual([[id], []]);
  });

  test('get another plan, at once and for all processes', async () => {
    const owner = await signUp(api);
    const id = await idOf(owner);
    const changed = await post(`accounts/${id}/plan`, { plan: 'pro' });
    expect(changed.body).toMatchObject({ account: { id, plan: 'pro' }, code_quota: 50 });
    expect((await owner.call({ url: '/account/me' })).body.account.plan).toBe('pro');
    const unknown = await post(`accounts/${id}/plan`, { plan: 'gold' });
    expect([unknown.status, unknown.body.error.param]).toEqual([400, 'plan']);
    expect((await post('accounts/acct_nothing/plan', { plan: 'pro' })).status).toBe(404);
    expect(
      (
        await owner.call({
          method: 'POST',
          url: `/account/operator/accounts/${id}/plan`,
          body: { plan: 'enterprise' },
        })
      ).status,
    ).toBe(403);
  });
});

test('plans are listed with their limits and how many accounts are on them', async () => {
  const { data } = (await get('plans')).body;
  expect(data.map(({ name }: { name: string }) => name)).toEqual([
    'free',
    'pro',
    'business',
    'enterprise',
    roomyPlan,
  ]);
  expect(data[0]).toMatchObject({
    is_default: true,
    requests_per_minute: 10,
    code_quota: 100,
    quota_scope: 'api',
    session_codes: 100,
    creations_per_minute: 500,
    webhooks: false,
    members: 1,
  });
  const before = data[0].accounts;
  await signUp(api, newEmail());
  expect((await get('plans')).body.data[0].accounts).toBe(before + 1);
});

test('the check of the installation says what is wrong and what to do, once for all who ask at the same time', async () => {
  const replies = await Promise.all([get('setup-check'), get('setup-check')]);
  const [first, second] = replies.map(({ body }) => body);
  expect(second.checked_at).toBe(first.checked_at);
  const finding = (check: string) => first.findings.find((one: { check: string }) => one.check === check);
  expect(finding('PostgreSQL')).toMatchObject({ state: 'ok', next: null });
  expect(finding('mail')).toMatchObject({ state: 'ok', found: expect.stringContaining('accepts mail') });
  expect(finding('ClickHouse')).toMatchObject({ state: 'problem', next: expect.any(String) });
  expect(finding('reach')).toMatchObject({ state: 'problem', next: expect.any(String) });
  expect(JSON.stringify(first)).not.toContain(api.config.authSecret);
});
