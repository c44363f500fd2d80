import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  createTestApi,
  roomyWebhooks,
  type TestAccount,
  type TestApi,
} from '../../../../test/support/api.ts';
import { startNameServer, startSilentNameServer } from '../../../../test/support/name-server.ts';
import { createIdempotency } from './idempotency.ts';

let api: TestApi;
let owner: TestAccount;

beforeAll(async () => {
  api = await createTestApi();
  owner = await api.account();
});
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

test('a refusal by the service is kept like an answer, a body of bad form is not', async () => {
  await post('take', { ...menu, short_code: 'idem-taken' });
  const refused = await post('refused', { ...menu, short_code: 'idem-taken' });
  expect(refused.status).toBe(409);
  const again = await post('refused', { ...menu, short_code: 'idem-taken' });
  expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([
    409,
    refused.text,
    'true',
  ]);
  expect((await post('mended', { name: 'x' })).status).toBe(400);
  expect((await post('mended')).status).toBe(201);
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
