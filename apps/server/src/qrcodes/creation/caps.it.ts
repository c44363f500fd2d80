import { createTestApi, type Reply, type TestAccount, type TestApi } from '@signpost/testing/api.ts';
import { type Browser, dashboardEnv, signUp } from '@signpost/testing/people.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseId } from '../../kernel/ids.ts';
import { sql } from '../../platform/postgres/postgres.ts';

let api: TestApi;

beforeAll(async () => {
  api = await createTestApi({
    ...dashboardEnv,
    DEFAULT_PLAN: 'free',
    MIN_CUSTOM_CODE_LENGTH: '5',
    REDIS_TIMEOUT_MS: '5000',
  });
});
afterAll(() => api.close());

const menu = { name: 'Menu', destination_url: 'https://example.com/menu' };
const items = (count: number, more: object = {}) => Array<object>(count).fill({ ...menu, ...more });

type Ask = (method: 'POST' | 'DELETE', path: string, body?: object, key?: string) => Promise<Reply>;
const withKey =
  (key: string): Ask =>
  (method, path, body, idempotencyKey) =>
    api.call({
      method,
      url: `/v1/qrcodes${path}`,
      key,
      ...(body ? { body } : {}),
      headers: idempotencyKey ? { 'idempotency-key': idempotencyKey } : {},
    });
const inSession =
  (browser: Browser, mode: 'live' | 'test'): Ask =>
  (method, path, body) =>
    browser.call({ method, url: `/account/v1/qrcodes${path}`, mode, ...(body ? { body } : {}) });
const bulk = (ask: Ask, count: number, idempotencyKey?: string) =>
  ask('POST', '/bulk', { items: items(count) }, idempotencyKey);
const makeOne = (ask: Ask) => ask('POST', '', menu);

/** A plan with only the given limits, and an account on it. */
async function accountWith(limits: Record<string, number | null>): Promise<TestAccount> {
  const name = `plan-${Object.values(limits).join('-')}-${Math.random()}`;
  const row = {
    code_quota: null,
    session_codes: null,
    test_codes: null,
    creations_per_minute: null,
    ...limits,
  };
  await api.api.db.query(
    sql(
      'add-limited-plan',
      `insert into plans (name, requests_per_minute, quota_scope, webhooks, code_quota, session_codes, test_codes, creations_per_minute)
       values ($1, 1000000, 'pool', true, $2, $3, $4, $5)`,
    ),
    [name, row.code_quota, row.session_codes, row.test_codes, row.creations_per_minute],
  );
  return api.account(name);
}

/** A user on the free plan, with API keys beside the session. */
async function freePerson() {
  const browser = await signUp(api);
  const me = async () => (await browser.call({ url: '/account/me' })).body.account;
  const account = await me();
  const keyOf = async (mode: 'live' | 'test') =>
    (await api.api.accounts.createKey(parseId('acct', account.id)!, mode)).key.text;
  return { browser, me, live: await keyOf('live'), test: await keyOf('test'), account };
}

describe('codes made by sessions', () => {
  test('have their own cap, which does not use up the quota of the API', async () => {
    const { browser, me, live } = await freePerson();
    const here = inSession(browser, 'live');
    expect((await bulk(here, 100)).body.created).toBe(100);
    const refused = await makeOne(here);
    expect(refused).toMatchObject({
      status: 403,
      body: { error: { code: 'quota_exceeded', limit: 100, used: 100 } },
    });
    expect(refused.body.error.message).toContain('created in the dashboard');
    expect((await bulk(withKey(live), 100)).body.created).toBe(100);
    expect(await me()).toMatchObject({
      session_codes: 100,
      session_codes_used: 100,
      code_quota: 100,
      codes_used: 100,
      test_codes: 10_000,
      test_codes_used: 0,
      creations_per_minute: 500,
    });
    // Deleting a code of one kind makes room only for that kind.
    const { body } = await browser.call({ url: '/account/v1/qrcodes?limit=1&page=200' });
    expect((await here('DELETE', `/${body.data[0].id}`)).status).toBe(200);
    expect((await makeOne(withKey(live))).body.error.message).not.toContain('dashboard');
    expect((await makeOne(here)).status).toBe(201);
    expect((await makeOne(here)).status).toBe(403);
  });

  test('state how many were requested when a bulk does not fit', async () => {
    const { browser, live } = await freePerson();
    expect((await bulk(inSession(browser, 'live'), 101)).body.error).toMatchObject({
      code: 'quota_exceeded',
      limit: 100,
      used: 0,
      message: expect.stringContaining('asks for 101 more'),
    });
    expect((await bulk(withKey(live), 120)).body.error).toMatchObject({
      code: 'quota_exceeded',
      limit: 100,
      used: 0,
      message: expect.stringContaining('asks for 120 more'),
    });
  });

  test('created concurrently are exactly as many as the cap allows', async () => {
    const { browser } = await freePerson();
    const here = inSession(browser, 'live');
    const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => bulk(here, 3 + (i % 5))));
    const made = answers.reduce((sum, { body }) => sum + (body.created ?? 0), 0);
    expect(made).toBeLessThanOrEqual(100);
    // The rest is smaller than the largest bulk.
    expect(made).toBeGreaterThan(100 - 7);
    expect(answers.filter(({ status }) => status === 403).length).toBeGreaterThan(0);
  });
});

describe('test codes', () => {
  test('have a cap, however they are made, and the refusal states what to delete', async () => {
    const { browser, me, test: testKey } = await freePerson();
    await api.api.db.query(sql('cap-free', `update plans set test_codes = 12 where name = 'free'`));
    try {
      expect((await bulk(inSession(browser, 'test'), 5)).body.created).toBe(5);
      const { body } = await bulk(withKey(testKey), 7);
      expect(body.created).toBe(7);
      expect(await me()).toMatchObject({ test_codes: 12, test_codes_used: 12, codes_used: 0 });
      for (const ask of [withKey(testKey), inSession(browser, 'test')]) {
        const refused = await makeOne(ask);
        expect(refused).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
        expect(refused.body.error.message).toMatch(/room for 12 test codes and 12 exist.*Delete test codes/);
      }
      await withKey(testKey)('DELETE', `/${body.data[0].qr_code.id}`);
      expect((await makeOne(inSession(browser, 'test'))).status).toBe(201);
    } finally {
      await api.api.db.query(sql('uncap-free', `update plans set test_codes = 10000 where name = 'free'`));
    }
  });
});

describe('creations in a minute', () => {
  test('count every item of a bulk, for the account and each mode', async () => {
    const { live, test: testKey } = await accountWith({ creations_per_minute: 600 });
    expect((await bulk(withKey(live), 450)).status).toBe(200);
    const refused = await bulk(withKey(live), 200);
    expect(refused).toMatchObject({
      status: 429,
      body: { error: { code: 'rate_limit_exceeded', param: 'items' } },
    });
    expect(refused.body.error.message).toContain('You asked for 200 codes, and 150 can be created');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(50);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    // The headers are about requests.
    expect(refused.headers['x-ratelimit-limit']).toBe('1000000');
    expect(Number(refused.headers['x-ratelimit-remaining'])).toBeGreaterThan(999_900);
    expect((await bulk(withKey(live), 150)).body.created).toBe(150);
    const one = await makeOne(withKey(live));
    expect(one).toMatchObject({ status: 429, body: { error: { code: 'rate_limit_exceeded' } } });
    expect(one.body.error).not.toHaveProperty('param');
    expect((await bulk(withKey(testKey), 500)).body.created).toBe(500);
  });

  test('count sessions and keys together', async () => {
    const { browser, test: testKey } = await freePerson();
    expect((await bulk(inSession(browser, 'test'), 400)).body.created).toBe(400);
    expect((await bulk(withKey(testKey), 101)).status).toBe(429);
    expect((await bulk(withKey(testKey), 100)).body.created).toBe(100);
    expect((await makeOne(inSession(browser, 'test'))).status).toBe(429);
  });

  test('a quota that fits into one bulk can be used up in one', async () => {
    const { live } = await accountWith({ creations_per_minute: 10, code_quota: 80 });
    expect((await bulk(withKey(live), 80)).body.created).toBe(80);
  });

  test('only created codes count: not invalid items, taken short codes, nor codes over the quota', async () => {
    const { live } = await accountWith({ creations_per_minute: 100, code_quota: 100 });
    const ask = withKey(live);
    const bad = { ...menu, destination_url: 'ftp://example.com' };
    const taken = { ...menu, short_code: `taken-${Date.now()}` };
    await ask('POST', '', taken);
    // Waiting would not help, so a call that exceeds both limits gets the one that stays.
    expect((await bulk(ask, 100)).body.error).toMatchObject({ code: 'quota_exceeded', limit: 100, used: 1 });
    for (let i = 0; i < 5; i++) {
      expect((await bulk(ask, 100)).status).toBe(403);
      expect((await ask('POST', '', bad)).status).toBe(400);
      expect((await ask('POST', '', taken)).status).toBe(409);
      expect((await ask('POST', '/bulk', { items: [...items(90), bad], atomic: true })).status).toBe(400);
      expect((await ask('POST', '/bulk', { items: [...items(90), taken], atomic: true })).status).toBe(400);
    }
    const mixed = await ask('POST', '/bulk', { items: [...items(40), taken, bad, ...items(9)] });
    expect(mixed.body).toMatchObject({ created: 49, failed: 2 });
    expect((await bulk(ask, 50)).body.created).toBe(50);
    expect((await makeOne(ask)).body.error.code).toBe('quota_exceeded');
  });

  test('a bulk that only fits because most of it is invalid counts with what is created', async () => {
    const { live } = await accountWith({ code_quota: 100, creations_per_minute: 100 });
    const ask = withKey(live);
    const repeated = items(401, { short_code: `again-${Math.random().toString(36).slice(2, 10)}` });
    const made = await ask('POST', '/bulk', { items: [...items(99), ...repeated] });
    expect(made.body).toMatchObject({ created: 100, failed: 400 });
    await ask('DELETE', `/${made.body.data[0].qr_code.id}`);
    expect(await makeOne(ask)).toMatchObject({
      status: 429,
      body: { error: { code: 'rate_limit_exceeded' } },
    });
  });

  test('a bulk larger than the limit itself gets advice to send fewer, not to wait', async () => {
    const { live, test: testKey } = await accountWith({ creations_per_minute: 10, code_quota: 20 });
    const refused = await bulk(withKey(testKey), 21);
    expect(refused).toMatchObject({
      status: 400,
      body: {
        error: { code: 'invalid_request', param: 'items', message: expect.stringContaining('at most 20') },
      },
    });
    expect(refused.headers).not.toHaveProperty('retry-after');
    expect((await bulk(withKey(live), 21)).body.error).toMatchObject({ code: 'quota_exceeded', limit: 20 });
    expect((await bulk(withKey(testKey), 20)).body.created).toBe(20);
  });

  test('a replayed request costs nothing and is answered even when the minute is used up', async () => {
    const { live } = await accountWith({ creations_per_minute: 500 });
    const ask = withKey(live);
    const first = await bulk(ask, 250, 'bulk-1');
    for (let i = 0; i < 4; i++) {
      const again = await bulk(ask, 250, 'bulk-1');
      expect(again.headers['idempotent-replayed']).toBe('true');
      expect(again.text).toBe(first.text);
    }
    expect((await bulk(ask, 250, 'bulk-2')).body.created).toBe(250);
    expect((await bulk(ask, 250, 'bulk-2')).headers['idempotent-replayed']).toBe('true');
  });

  test('a refusal is not stored: the same idempotency key succeeds once the limit allows it', async () => {
    const short = await createTestApi({}, { windowMs: 2000 });
    try {
      await short.api.db.query(
        sql('few-creations', `update plans set creations_per_minute = 500 where name = 'roomy'`),
      );
      const { live } = await short.account();
      const send = (idempotencyKey: string) =>
        short.call({
          method: 'POST',
          url: '/v1/qrcodes/bulk',
          key: live,
          body: { items: items(500) },
          headers: { 'idempotency-key': idempotencyKey },
        });
      let tries = 0;
      while ((await send(`try-${tries}`)).status !== 429) tries++;
      let answer = await send(`try-${tries}`);
      while (answer.status === 429) {
        expect(answer.headers).not.toHaveProperty('idempotent-replayed');
        answer = await send(`try-${tries}`);
      }
      expect(answer).toMatchObject({ status: 200, body: { created: 500 } });
      expect(answer.headers).not.toHaveProperty('idempotent-replayed');
    } finally {
      await short.close();
    }
  });
});

describe('custom short codes', () => {
  test('have the minimum length that the operator has set, and the error states it', async () => {
    const { browser, live } = await freePerson();
    for (const ask of [withKey(live), inSession(browser, 'live')]) {
      const refused = await ask('POST', '', { ...menu, short_code: 'abcd' });
      expect(refused).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid_short_code', param: 'short_code' } },
      });
      expect(refused.body.error.message).toContain('at least 5 characters');
      expect(
        (await ask('POST', '/bulk', { items: items(1, { short_code: 'abcd' }) })).body.data[0],
      ).toMatchObject({
        status: 'failed',
        error: { code: 'invalid_short_code' },
      });
    }
    expect((await withKey(live)('POST', '', { ...menu, short_code: 'abcde' })).status).toBe(201);
    expect((await makeOne(withKey(live))).status).toBe(201);
    const { service } = (await browser.call({ url: '/account/me' })).body;
    expect(service.min_chosen_code).toBe(5);
  });
});
