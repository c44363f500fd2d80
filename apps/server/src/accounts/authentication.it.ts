import { createTestApi, type TestAccount, type TestApi } from '@signpost/testing/api.ts';
import { enginesAsked } from '@signpost/testing/one-connection.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { parseId } from '../kernel/ids.ts';
import { createApiKey } from './api-key.ts';

let api: TestApi;
let owner: TestAccount;

beforeAll(async () => {
  api = await createTestApi({
    ANONYMOUS_REQUESTS_PER_MINUTE: '5',
    TRUSTED_PROXIES: '10.0.0.0/8',
    // Without an answer of Redis no cached key is used; a stall of the machine must not look like that.
    REDIS_TIMEOUT_MS: '10000',
  });
  owner = await api.account();
});
afterAll(() => api.close());
afterEach(() => vi.restoreAllMocks());

let addresses = 0;
const freshAddress = () => `198.51.${Math.floor(++addresses / 250)}.${addresses % 250}`;
const call = (key: string | undefined, address = freshAddress()) =>
  api.call({ url: '/v1/qrcodes', address, ...(key ? { key } : {}) });

describe('keys', () => {
  test('every cause of refusal has one answer', async () => {
    const revoked = await api.api.accounts.createKey(owner.id, 'live');
    await api.api.accounts.revokeKey(revoked.stored.id);
    const bad = [
      undefined,
      'nonsense',
      'sk_live_short',
      createApiKey('live').text,
      createApiKey('test').text,
      revoked.key.text,
    ];
    const answers = await Promise.all(bad.map(key => call(key)));
    for (const answer of answers) {
      expect(answer.status).toBe(401);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    }
    const texts = answers.map(answer => answer.text.replace(answer.body.error.request_id, ''));
    expect(new Set(texts).size).toBe(1);
  });

  test('a key with a wrong checksum asks no store', async () => {
    const { text } = createApiKey('live');
    const wrong = `${text.slice(0, -1)}${text.endsWith('a') ? 'b' : 'a'}`;
    const asked = await enginesAsked(async () => expect((await call(wrong)).status).toBe(401));
    expect(asked).toEqual([]);
  });

  test('several keys work at a time, and revoking one leaves the others', async () => {
    const second = await api.api.accounts.createKey(owner.id, 'live');
    for (const key of [owner.live, second.key.text]) expect((await call(key)).status).toBe(200);
    await api.api.accounts.revokeKey(second.stored.id);
    expect((await call(second.key.text)).status).toBe(401);
    expect((await call(owner.live)).status).toBe(200);
  });

  test('a revoked key fails from the moment the revocation answered, also when it was cached', async () => {
    for (let round = 0; round < 50; round++) {
      const { stored, key } = await api.api.accounts.createKey(owner.id, 'live');
      for (let i = 0; i < 3; i++) expect((await call(key.text)).status).toBe(200);
      await Promise.all([api.api.accounts.revokeKey(stored.id), call(key.text), call(key.text)]);
      expect((await call(key.text)).status).toBe(401);
      expect((await call(key.text)).status).toBe(401);
    }
  });

  test('a good key that was seen before costs no query', async () => {
    // Time stands still: what is cached is used for five seconds only.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    const { live } = await api.account();
    const callIt = async () => expect((await api.call({ url: '/v1/nothing', key: live })).status).toBe(404);
    expect(await enginesAsked(callIt)).toContain('PostgreSQL');
    await callIt();
    expect(await enginesAsked(callIt)).toEqual(['Redis']);
  });

  test('a change of plan holds from the next call', async () => {
    const { id, live } = await api.account('free');
    for (let i = 0; i < 3; i++) expect((await call(live)).headers['x-ratelimit-limit']).toBe('10');
    await api.api.accounts.setPlan(id, 'pro');
    expect((await call(live)).headers['x-ratelimit-limit']).toBe('60');
  });

  test('only a hash of a key is stored', async () => {
    const rows = await api.api.db.query<{ row: string }>({
      name: 'all-keys',
      text: 'select to_jsonb(k)::text as row from api_keys k',
    });
    const dump = rows.map(row => row.row).join();
    expect(dump).not.toContain(owner.live.slice(8, 40));
    expect(parseId('key', 'key_x')).toBeNull();
  });
});

describe('modes', () => {
  test('a test key sees no live code, and a live key no test code', async () => {
    const { live, test: testKey } = await api.account();
    const body = { name: 'x', destination_url: 'https://example.com' };
    const made = await api.call({ method: 'POST', url: '/v1/qrcodes', key: testKey, body });
    expect(made.status).toBe(201);
    expect((await api.call({ url: `/v1/qrcodes/${made.body.id}`, key: testKey })).status).toBe(200);
    expect((await api.call({ url: `/v1/qrcodes/${made.body.id}`, key: live })).status).toBe(404);
    expect((await call(live)).body.pagination.total).toBe(0);
  });
});

describe('callers without a good key', () => {
  test('are limited by address, and told when to come back', async () => {
    const address = freshAddress();
    for (let i = 4; i >= 0; i--) {
      const answer = await call(undefined, address);
      expect(answer.status).toBe(401);
      expect(answer.headers).toMatchObject({ 'x-ratelimit-limit': '5', 'x-ratelimit-remaining': String(i) });
    }
    const refused = await call(undefined, address);
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'rate_limit_exceeded' } } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(50);
    expect((await call(undefined)).status).toBe(401);
    expect((await call(owner.live, address)).status).toBe(200);
  });

  test('that guess keys cost no query once they are over the limit', async () => {
    const address = freshAddress();
    const guess = async (status: number) =>
      expect((await call(createApiKey('live').text, address)).status).toBe(status);
    for (let i = 0; i < 5; i++) expect(await enginesAsked(() => guess(401))).toEqual(['PostgreSQL']);
    expect(await enginesAsked(() => guess(429))).toEqual([]);
  });

  test('share the limit of their IPv6 /64', async () => {
    for (let i = 0; i < 5; i++) expect((await call(undefined, `2001:db8:5:6::${i}`)).status).toBe(401);
    expect((await call(undefined, '2001:db8:5:6:ffff::1')).status).toBe(429);
    expect((await call(undefined, '2001:db8:5:7::1')).status).toBe(401);
  });

  test('cannot choose their address by a header, unless a trusted proxy sends it', async () => {
    const guess = (address: string, forwarded: string) =>
      api.call({ url: '/v1/qrcodes', address, headers: { 'x-forwarded-for': forwarded } });
    const address = freshAddress();
    for (let i = 0; i < 5; i++) await guess(address, `192.0.2.${i}`);
    expect((await guess(address, '192.0.2.99')).status).toBe(429);
    for (let i = 0; i < 5; i++) expect((await guess('10.1.1.1', `6.6.6.${i}, 203.0.113.5`)).status).toBe(401);
    expect((await guess('10.2.2.2', '7.7.7.7, 203.0.113.5')).status).toBe(429);
    expect((await guess('10.1.1.1', '203.0.113.6')).status).toBe(401);
  });
});
