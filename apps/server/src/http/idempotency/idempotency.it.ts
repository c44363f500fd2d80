import { type ErrorCode, errorCodes, errorTable, type Operation } from '@signpost/contract';
import { createTestApi, roomyWebhooks, type TestAccount, type TestApi } from '@signpost/testing/api.ts';
import { startNameServer, startSilentNameServer } from '@signpost/testing/name-server.ts';
import { dashboardEnv, signUp } from '@signpost/testing/people.ts';
import { lenientReaders } from '@signpost/testing/reading.ts';
import Type from 'typebox';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { AppError } from '../../kernel/errors.ts';
import { sql } from '../../platform/postgres/postgres.ts';
import type { Api } from '../../roles/api.ts';
import type { App } from '../app.ts';
import { createRoutes } from '../routes.ts';
import { createIdempotency } from './idempotency.ts';

let api: TestApi;
let owner: TestAccount;

beforeAll(async () => {
  api = await createTestApi({ ...roomyWebhooks, ...dashboardEnv }, { prepare: addTwice });
  owner = await api.account();
});

/** Refuses what it is sent the first time, as it is told to, and answers the second time. */
function addTwice(app: App, { db }: Api): void {
  const operation = {
    id: 'twice',
    method: 'POST',
    path: '/v1/twice',
    authScheme: 'apiKey',
    permission: 'account:read',
    tag: 'Test',
    summary: '',
    description: '',
    body: Type.Object({ code: Type.String(), name: Type.String() }),
    success: { status: 200, description: '', schema: Type.Object({ done: Type.Boolean() }) },
    errors: [],
  } as const satisfies Operation;
  const seen = new Set<string>();
  const routes = createRoutes({
    app,
    db,
    idempotency: createIdempotency(db),
    publicUrl: 'https://a.example',
    slowReaders: lenientReaders,
  });
  routes.add(operation, async ({ body: { code, name } }) => {
    if (seen.has(name)) return { done: true };
    seen.add(name);
    throw new AppError(code as ErrorCode, 'Not the first time.');
  });
}
afterAll(() => api.close());

const menu = { name: 'Menu', destination_url: 'https://example.com/menu' };
const post = (idempotencyKey: string, body: unknown = menu, key = owner.live, url = '/v1/qrcodes') =>
  api.call({ method: 'POST', url, key, body, headers: { 'idempotency-key': idempotencyKey } });
const total = async (key = owner.live) => (await api.call({ url: '/v1/qrcodes', key })).body.pagination.total;

test('the same key and body give the first answer again, marked as replayed', async () => {
  const first = await post('again');
  const second = await post('again');
  expect(first.status).toBe(201);
  expect(first.headers).not.toHaveProperty('idempotent-replayed');
  expect([second.status, second.text]).toEqual([first.status, first.text]);
  expect(second.headers['idempotent-replayed']).toBe('true');
  expect((await post('"again"')).text).toBe(first.text);
});

test('the order of fields does not make another body, a changed value does', async () => {
  const first = await post('order', { ...menu, style: { dotsType: 'dots', dotsColor: '#000000' } });
  const same = {
    style: { dotsColor: '#000000', dotsType: 'dots' },
    destination_url: menu.destination_url,
    name: 'Menu',
  };
  expect((await post('order', same)).text).toBe(first.text);
  expect(await post('order', { ...menu, name: 'Other' })).toMatchObject({
    status: 422,
    body: { error: { code: 'idempotency_key_reused' } },
  });
  expect((await post('order', { items: [menu] }, owner.live, '/v1/qrcodes/bulk')).status).toBe(422);
});

test('50 parallel requests with one key make one code and one answer', async () => {
  const before = await total();
  const answers = await Promise.all(Array.from({ length: 50 }, () => post('parallel')));
  const made = answers.filter(answer => answer.status === 201);
  const others = answers.filter(answer => answer.status !== 201);
  expect(new Set(made.map(answer => answer.text)).size).toBe(1);
  expect(made.filter(answer => !answer.headers['idempotent-replayed'])).toHaveLength(1);
  for (const answer of others) {
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'idempotency_in_progress' } } });
    expect(answer.headers['retry-after']).toBe('1');
  }
  expect(await total()).toBe(before + 1);
});

const again = async (key: string, body: unknown, url?: string, by = owner.live) => {
  const first = await post(key, body, by, url);
  const second = await post(key, body, by, url);
  return { first, second, replayed: second.headers['idempotent-replayed'] === 'true' };
};

describe('a refusal once execution has begun is kept like an answer', () => {
  const code = (more: object) => ({ ...menu, ...more });

  test.each<[string, object, number]>([
    ['reserved_short_code', { short_code: 'docs' }, 400],
    ['unscannable_style', { style: { dotsColor: '#fffffe' } }, 400],
    ['invalid_url', { destination_url: 'https://sign.example/loop' }, 400],
    ['invalid_request', { destination: 'https://other.example' }, 400],
  ])('what the schema cannot tell: %s', async (expected, more, status) => {
    const { first, second, replayed } = await again(`kept ${expected}`, code(more));
    expect([first.status, first.body.error.code, replayed]).toEqual([status, expected, true]);
    expect(second.text).toBe(first.text);
    // The key stands for the body that was refused: a mended one needs a key of its own.
    expect((await post(`kept ${expected}`)).status).toBe(422);
  });

  test('a destination that the operator has blocked', async () => {
    await api.admin('block-host', 'blocked.example');
    const { first, replayed } = await again('blocked', code({ destination_url: 'https://blocked.example' }));
    expect([first.status, first.body.error.code, replayed]).toEqual([403, 'destination_blocked', true]);
  });

  test('a full quota, and a plan without webhooks', async () => {
    const { live } = await api.account('pro');
    const full = { items: Array.from({ length: 51 }, () => menu), atomic: true };
    const quota = await again('quota', full, '/v1/qrcodes/bulk', live);
    expect([quota.first.status, quota.first.body.error.code, quota.replayed]).toEqual([
      403,
      'quota_exceeded',
      true,
    ]);
    const free = await api.account('free');
    const plan = await again('plan', { url: 'https://hooks.example/' }, '/v1/webhooks', free.live);
    expect([plan.first.status, plan.first.body.error.code, plan.replayed]).toEqual([
      403,
      'plan_required',
      true,
    ]);
  });

  test('a bad item of an atomic bulk', async () => {
    const items = { items: [menu, { name: 'bad' }], atomic: true };
    const { first, replayed } = await again('atomic', items, '/v1/qrcodes/bulk');
    expect([first.status, replayed]).toEqual([400, true]);
  });

  test('an id that nobody has, and a short code that is taken', async () => {
    const absent = await again('absent', {}, '/v1/webhooks/whk_1/rotate-secret');
    expect([absent.first.status, absent.replayed]).toEqual([404, true]);
    await post('take', code({ short_code: 'idem-taken' }));
    const taken = await again('taken', code({ short_code: 'idem-taken' }));
    expect([taken.first.status, taken.replayed]).toEqual([409, true]);
    expect(taken.second.text).toBe(taken.first.text);
  });

  const begun = errorCodes.filter(
    one => errorTable[one].status < 500 && ![412, 429].includes(errorTable[one].status),
  );
  test.each(begun)('%s, whichever operation gives it', async name => {
    const { first, second, replayed } = await again(`begun ${name}`, { code: name, name }, '/v1/twice');
    expect([first.body.error.code, replayed, second.text]).toEqual([name, true, first.text]);
  });
});

describe('not kept is', () => {
  const twice = (name: string) => again(`not ${name}`, { code: name, name }, '/v1/twice');

  test.each(['rate_limit_exceeded', 'internal_error', 'unavailable', 'timeout'] as const)(
    'what passes: %s',
    async name => {
      const { first, second, replayed } = await twice(name);
      expect([first.status, second.status, replayed]).toEqual([errorTable[name].status, 200, false]);
    },
  );

  test.each<[string, unknown, number, Record<string, string>]>([
    ['400 of the schema', { name: 'x' }, 400, {}],
    ['400 of the schema, with a code of its own', { ...menu, destination_url: 'x' }, 400, {}],
    ['400 of a body that is not JSON', '{', 400, {}],
    ['401', menu, 401, { authorization: 'Bearer sk_live_nobody' }],
    ['413', { ...menu, name: 'x'.repeat(170_000) }, 413, {}],
    ['415', menu, 415, { 'content-type': 'text/plain' }],
  ])('what is refused before execution: %s', async (name, body, status, headers) => {
    const refused = await api.call({
      method: 'POST',
      url: '/v1/qrcodes',
      key: owner.live,
      body,
      headers: { 'idempotency-key': `before ${name}`, ...headers },
    });
    expect(refused.status).toBe(status);
    const mended = await post(`before ${name}`);
    expect([mended.status, mended.headers['idempotent-replayed']]).toEqual([201, undefined]);
  });

  test('403 at the door: a page of somebody else’s sends it by the session', async () => {
    const person = await signUp(api);
    const from = (origin: string) =>
      person.call({
        method: 'POST',
        url: '/account/v1/qrcodes',
        body: menu,
        headers: { 'idempotency-key': 'door', origin },
      });
    expect((await from('https://evil.example')).status).toBe(403);
    expect((await from(new URL(api.config.publicUrl).origin)).status).toBe(201);
  });

  test('429 of the rate limit', async () => {
    const { live } = await api.account('free');
    const asked = await Promise.all(Array.from({ length: 11 }, (_, n) => post(`rate ${n}`, menu, live)));
    const refused = asked.findIndex(({ status }) => status === 429);
    expect(refused).toBeGreaterThan(-1);
    const kept = await api.api.db.query(
      sql('kept-of-rate', 'select key from idempotency_keys where key = $1'),
      [`rate ${refused}`],
    );
    expect(kept).toEqual([]);
  });
});

test('a bulk call is replayed too', async () => {
  const bulk = () => post('bulk', { items: [menu, { name: 'bad' }] }, owner.live, '/v1/qrcodes/bulk');
  const first = await bulk();
  expect(first.body).toMatchObject({ created: 1, failed: 1 });
  expect((await bulk()).text).toBe(first.text);
});

test('accounts and modes have keys of their own', async () => {
  const other = await api.account();
  const answers = [
    await post('mine'),
    await post('mine', menu, owner.test),
    await post('mine', menu, other.live),
  ];
  expect(new Set(answers.map(answer => answer.body.id)).size).toBe(3);
});

test('a key of more than 255 characters, or none, is refused', async () => {
  for (const key of ['', 'x'.repeat(256), '""']) {
    expect(await post(key)).toMatchObject({ status: 400, body: { error: { param: 'Idempotency-Key' } } });
  }
  expect((await post('x'.repeat(255))).status).toBe(201);
});

test('an answer is kept for 24 hours and then removed', async () => {
  const first = await post('old');
  const age = (hours: number) =>
    api.api.db.query(
      {
        name: `age-${hours}`,
        text: `update idempotency_keys set created_at = now() - make_interval(hours => $1) where key = 'old'`,
      },
      [hours],
    );
  await age(23);
  expect((await post('old')).body.id).toBe(first.body.id);
  await age(25);
  const second = await post('old');
  expect(second.status).toBe(201);
  expect(second.body.id).not.toBe(first.body.id);
  await age(25);
  const idempotency = createIdempotency(api.api.db);
  expect(await idempotency.removeExpired(1000)).toBe(1);
  expect(await idempotency.removeExpired(1000)).toBe(0);
});

test('what waits for a name server is still one call: 409 meanwhile, its refusal kept, and repeated without it', async () => {
  const silent = await startSilentNameServer();
  const slow = await createTestApi({ ...roomyWebhooks, WEBHOOK_DNS_SERVERS: silent.address });
  onTestFinished(async () => {
    await slow.close();
    await silent.close();
  });
  const { live } = await slow.account();
  const create = () =>
    slow.call({
      method: 'POST',
      url: '/v1/webhooks',
      key: live,
      body: { url: 'https://hooks.example/' },
      headers: { 'idempotency-key': 'slow' },
    });
  const [one, other] = [create(), create()];
  const sooner = await Promise.race([one, other]);
  expect(sooner).toMatchObject({ status: 409, body: { error: { code: 'idempotency_in_progress' } } });
  const refused = (await Promise.all([one, other])).find(({ status }) => status !== 409)!;
  expect(refused).toMatchObject({ status: 400, body: { error: { code: 'invalid_url', param: 'url' } } });
  const asked = silent.questions();
  const again = await create();
  expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([
    400,
    refused.text,
    'true',
  ]);
  expect(silent.questions()).toBe(asked);
});

test('a webhook that was made is shown again, though its host cannot be looked up any more', async () => {
  const names = await startNameServer(() => ({ a: ['93.184.215.14'] }));
  const dns = await createTestApi({ ...roomyWebhooks, WEBHOOK_DNS_SERVERS: names.address });
  onTestFinished(() => void dns.close());
  const { live } = await dns.account();
  const create = () =>
    dns.call({
      method: 'POST',
      url: '/v1/webhooks',
      key: live,
      body: { url: 'https://hooks.example/' },
      headers: { 'idempotency-key': 'made' },
    });
  const first = await create();
  expect(first.status).toBe(201);
  await names.close();
  const again = await create();
  expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([201, first.text, 'true']);
});
