import { createTestApi, type TestAccount, type TestApi } from '@signpost/testing/api.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { startNameServer, startSilentNameServer } from '@signpost/testing/name-server.ts';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { sql } from '../../platform/postgres/postgres.ts';

let api: TestApi;
let owner: TestAccount;
let names: Awaited<ReturnType<typeof startNameServer>>;

beforeAll(async () => {
  names = await startNameServer(name => ({ a: name === 'sign.example' ? ['198.51.100.7'] : [] }));
  api = await createTestApi({ WEBHOOK_DNS_SERVERS: names.address });
  owner = await api.account();
  await waitUntil(
    'our own name was looked up',
    async () => (await create('http://198.51.100.7/x')).status === 400,
  );
});
afterAll(async () => {
  await api.close();
  await names.close();
});

const post = (url: string, body: unknown) => api.call({ method: 'POST', url, key: owner.live, body });
const create = (destination_url: string) => post('/v1/qrcodes', { name: 'Menu', destination_url });
const circle = { code: 'invalid_url', message: expect.stringContaining("can't point to another short link") };

describe('a destination that leads back to the service', () => {
  test.each([
    'https://sign.example/menu',
    'https://sign.example/t/bcdfghjk/menu',
    'http://SIGN.example.:80/menu',
    'https://api.signpost.example/docs',
    'http://sign.example:8080/menu',
    'http://sign.example:8081/menu',
    'http://sign.example:9464/metrics',
    'http://198.51.100.7:9464/readyz',
    'http://198.51.100.7/menu',
    'http://0xc6336407/menu',
    'http://[::ffff:198.51.100.7]:8081/menu',
  ])('is refused by every operation that takes one: %s', async destination_url => {
    const { body: code } = await create('https://example.com/menu');
    const edit = await api.call({
      method: 'PATCH',
      url: `/v1/qrcodes/${code.id}`,
      key: owner.live,
      body: { destination_url },
    });
    const { body: bulk } = await post('/v1/qrcodes/bulk', { items: [{ name: 'Menu', destination_url }] });
    expect(await create(destination_url)).toMatchObject({ status: 400, body: { error: circle } });
    expect(edit).toMatchObject({ status: 400, body: { error: circle } });
    expect(bulk).toMatchObject({ failed: 1, data: [{ error: circle }] });
  });

  test.each(['https://sign.example:8443/shop', 'http://198.51.100.7:3000/', 'http://127.0.0.1:8080/'])(
    'is not one on another port or machine: %s',
    async destination_url => {
      expect(await create(destination_url)).toMatchObject({ status: 201, body: { destination_url } });
    },
  );

  test('of an older code does not prevent renaming, pausing and resuming: only a destination that is sent is checked', async () => {
    const { body: code } = await create('https://example.com/menu');
    const before = sql('lead-in-a-circle', 'update qr_codes set destination_url = $1 where short_code = $2');
    await api.api.db.query(before, ['https://sign.example/menu', code.short_code]);
    const patch = (body: object) =>
      api.call({ method: 'PATCH', url: `/v1/qrcodes/${code.id}`, key: owner.live, body });
    for (const change of [{ name: 'Old menu' }, { active: false }, { active: true }])
      expect(await patch(change)).toMatchObject({ status: 200 });
    expect((await patch({ destination_url: 'https://sign.example/menu' })).status).toBe(400);
  });
});

test('a name server that never answers delays no create', async () => {
  const silent = await startSilentNameServer();
  const alone = await createTestApi({ WEBHOOK_DNS_SERVERS: silent.address });
  onTestFinished(async () => {
    await alone.close();
    await silent.close();
  });
  const { live } = await alone.account();
  await waitUntil('the names of the service are looked up', async () => silent.questions() > 0);
  const body = { name: 'Menu', destination_url: 'https://example.com/menu' };
  const startMs = performance.now();
  expect((await alone.call({ method: 'POST', url: '/v1/qrcodes', key: live, body })).status).toBe(201);
  // One lookup without an answer takes four seconds.
  expect(performance.now() - startMs).toBeLessThan(2000);
});

test.each(['https://a..b/', 'https://evil.example../', 'http://sign.example:9464/metrics'])(
  'a target of a rule, a fallback and a destination that is put are refused too: %s',
  async url => {
    const { body: code } = await create('https://example.com/menu');
    const patch = (body: object) =>
      api.call({ method: 'PATCH', url: `/v1/qrcodes/${code.id}`, key: owner.live, body });
    const rule = { when: { device: ['ios'] }, to: [{ url }] };
    expect(await patch({ rules: [rule] })).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_url', param: expect.stringContaining('rules') } },
    });
    expect(await patch({ fallback_url: url })).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_url', param: 'fallback_url' } },
    });
    const put = await api.call({
      method: 'PUT',
      url: '/v1/qrcodes/ext:42',
      key: owner.live,
      body: { name: 'Menu', destination_url: url },
    });
    expect(put).toMatchObject({ status: 400, body: { error: { code: 'invalid_url' } } });
  },
);
