import { randomBytes } from 'node:crypto';
import { createTestApi, type TestAccount, type TestApi } from '@signpost/testing/api.ts';
import { startNameServer } from '@signpost/testing/name-server.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseId } from '../kernel/ids.ts';
import { sql } from '../platform/postgres/postgres.ts';
import { takeForGroup, takeMessages } from './test-limit.ts';

let api: TestApi;
let account: TestAccount;
let dns: Awaited<ReturnType<typeof startNameServer>>;

beforeAll(async () => {
  dns = await startNameServer(name =>
    name === 'inside.example' ? { a: ['10.0.0.7'] } : { a: ['93.184.216.34'] },
  );
  api = await createTestApi({
    WEBHOOK_SECRET_KEYS: randomBytes(32).toString('base64'),
    WEBHOOK_DNS_SERVERS: dns.address,
  });
  account = await api.account();
});
afterAll(async () => {
  await api.close();
  await dns.close();
});

const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: unknown, key = account.live) =>
  api.call({ method, url, key, ...(body === undefined ? {} : { body }) });

const url = 'https://hooks.example/signpost?a=1';
async function createWebhook(fields: object = {}, key = account.live) {
  const { body } = await call('POST', '/v1/webhooks', { url, ...fields }, key);
  return body as { id: string; secret: string };
}

describe('create', () => {
  test('answers 201 with the webhook and its secret, which no other answer shows', async () => {
    const { status, body } = await call('POST', '/v1/webhooks', { url, description: 'Shop' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^whk_[0-9a-z]{26}$/),
      url,
      description: 'Shop',
      events: ['scan.created'],
      include_code_details: false,
      include_routing: false,
      qr_ids: null,
      tags: null,
      enabled: true,
      disabled_reason: null,
      failing_since: null,
      old_secret_expires_at: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    const { secret, ...webhook } = body;
    expect((await call('GET', `/v1/webhooks/${body.id}`)).body).toEqual(webhook);
    const list = await call('GET', '/v1/webhooks');
    expect(list.body.data).toContainEqual(webhook);
    expect(list.text).not.toContain(secret);
  });

  test('the secret is nowhere in the database, not even in the answer stored for a repeated request', async () => {
    const create = () =>
      api.call({
        method: 'POST',
        url: '/v1/webhooks',
        key: account.live,
        body: { url },
        headers: { 'idempotency-key': 'k' },
      });
    const [first, second] = [await create(), await create()];
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(second.text).toBe(first.text);
    const secret = first.body.secret.slice('whsec_'.length);
    const [{ text }] = (await api.api.db.query<{ text: string }>(
      sql(
        'test-all-text',
        `select (select string_agg(e::text, '') from webhook_endpoints e) || (select string_agg(k::text, '') from idempotency_keys k) as text`,
      ),
    )) as [{ text: string }];
    const hex = Buffer.from(secret, 'base64').toString('hex');
    expect(text.length).toBeGreaterThan(100);
    expect(text.includes(secret) || text.includes(hex)).toBe(false);
  });

  test.each([
    'http://127.0.0.1/hook',
    'http://2130706433/',
    'http://[::ffff:10.0.0.1]/',
    'http://169.254.169.254/latest/meta-data',
    'http://localhost:8080/',
    'http://inside.example/',
    'https://user:pass@hooks.example/',
    'https://hooks.example/#part',
    'ftp://hooks.example/',
    'https://hooks.example:99999/',
    'https://exämple.com/',
    'https://hooks..example/',
    'https://hooks.example../',
    'hooks.example',
    '',
  ])('%s is invalid_url, naming url', async bad => {
    const { status, body } = await call('POST', '/v1/webhooks', { url: bad });
    expect([status, body.error.code, body.error.param]).toEqual([400, 'invalid_url', 'url']);
  });

  test.each(['http://localhost:3000/hook', 'http://192.168.1.20/'])(
    'the refusal of %s names the ways out: a tunnel, the setting and polling',
    async url => {
      const { message } = (await call('POST', '/v1/webhooks', { url })).body.error;
      expect(message).toMatch(/tunnel.*GET \/v1\/analytics\/scans\?after=.*WEBHOOK_ALLOW_CIDRS/);
    },
  );

  test('the free plan has no live webhooks: every operation is 403 plan_required', async () => {
    const { live } = await api.account('free');
    for (const [method, path, body] of [
      ['POST', '/v1/webhooks', { url }],
      ['GET', '/v1/webhooks', undefined],
      ['GET', '/v1/webhooks/whk_x', undefined],
      ['PATCH', '/v1/webhooks/whk_x', {}],
      ['DELETE', '/v1/webhooks/whk_x', undefined],
      ['POST', '/v1/webhooks/whk_x/test', undefined],
      ['GET', '/v1/webhooks/deliveries/msg_x', undefined],
    ] as const) {
      const reply = await call(method, path, body, live);
      expect([path, reply.status, reply.body.error.code]).toEqual([path, 403, 'plan_required']);
    }
  });

  test('the free plan has test webhooks, and their deliveries say the limit of the day', async () => {
    const { test: inTest } = await api.account('free');
    const made = await call('POST', '/v1/webhooks', { url }, inTest);
    expect(made.status).toBe(201);
    const { body } = await call('GET', `/v1/webhooks/${made.body.id}/deliveries`, undefined, inTest);
    expect(body.test_limit).toEqual({
      per_day: 1000,
      used: 0,
      not_queued: 0,
      resets_at: expect.stringMatching(/T00:00:00\.000Z$/),
    });
    const { test: paid } = await api.account('pro');
    const other = await call('POST', '/v1/webhooks', { url }, paid);
    const list = await call('GET', `/v1/webhooks/${other.body.id}/deliveries`, undefined, paid);
    expect(list.body.test_limit).toBeNull();
  });

  test('a test event counts against the day of the free plan, over two processes at once', async () => {
    const { id, test: inTest } = await api.account('free');
    const { body } = await call('POST', '/v1/webhooks', { url }, inTest);
    const wanted = new Map([[id, 150]]);
    const granted = await Promise.all(
      Array.from({ length: 8 }, () => api.api.db.transaction(tx => takeMessages(tx, wanted))),
    );
    const amounts = granted.map(one => one.get(id)!).toSorted((a, b) => a - b);
    expect(amounts).toEqual([0, 100, 150, 150, 150, 150, 150, 150]);
    const { status, body: refused } = await call('POST', `/v1/webhooks/${body.id}/test`, undefined, inTest);
    expect([status, refused.error.code]).toEqual([403, 'quota_exceeded']);
    expect(refused.error).toMatchObject({ limit: 1000, used: 1000 });
    const list = await call('GET', `/v1/webhooks/${body.id}/deliveries`, undefined, inTest);
    // The refusal of the test event is undone with its transaction.
    expect(list.body.test_limit).toMatchObject({ used: 1000, not_queued: 200 });
  });

  test('a group of scans that is repeated gets the messages that it got before', async () => {
    const { id } = await api.account('free');
    const take = (token: string, messages: number) =>
      takeForGroup(api.api.db, token, new Map([[id, messages]])).then(granted => granted.get(id));
    expect(await take('first', 700)).toBe(700);
    expect(await take('second', 700)).toBe(300);
    expect(await take('first', 700)).toBe(700);
    expect(await take('second', 700)).toBe(300);
    expect(await take('third', 1)).toBe(0);
  });

  test('chooses codes and tags whose scans it gets, only of its own account, and gives them up again', async () => {
    const { live } = await api.account();
    const stranger = await api.account();
    const newCode = async (key: string) =>
      (await call('POST', '/v1/qrcodes', { name: 'Menu', destination_url: 'https://example.com/' }, key)).body
        .id;
    const [mine, foreign] = [await newCode(live), await newCode(stranger.live)];
    const made = await call('POST', '/v1/webhooks', { url, qr_ids: [mine], tags: ['Menu', 'menu'] }, live);
    expect(made.body).toMatchObject({ qr_ids: [mine], tags: ['Menu'] });
    const path = `/v1/webhooks/${made.body.id}`;
    for (const unknown of [foreign, 'qr_00000000000000000000000000']) {
      for (const [method, where] of [
        ['POST', '/v1/webhooks'],
        ['PATCH', path],
      ] as const) {
        const refused = await call(method, where, { url, qr_ids: [mine, unknown] }, live);
        expect([refused.status, refused.body.error]).toEqual([
          400,
          expect.objectContaining({ code: 'invalid_request', param: 'qr_ids' }),
        ]);
      }
    }
    expect((await call('PATCH', path, { description: 'x' }, live)).body).toMatchObject({ qr_ids: [mine] });
    expect((await call('PATCH', path, { qr_ids: null, tags: null }, live)).body).toMatchObject({
      qr_ids: null,
      tags: null,
    });
    const plain = await call('POST', '/v1/webhooks', { url }, live);
    expect(plain.body).toMatchObject({ events: ['scan.created'], qr_ids: null, tags: null });
  });

  test('an account may have ten in each mode, also when many are created at once', async () => {
    const { live, test: inTest } = await api.account();
    const replies = await Promise.all(
      Array.from({ length: 14 }, () => call('POST', '/v1/webhooks', { url }, live)),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(10);
    const refused = replies.find(({ status }) => status !== 201)!;
    expect(refused.body.error).toMatchObject({ code: 'quota_exceeded', limit: 10, used: 10 });
    expect((await call('POST', '/v1/webhooks', { url }, inTest)).status).toBe(201);
  });
});

describe('without a key for secrets', () => {
  test('a create says what the operator must do, and everything else works', async () => {
    const keyless = await createTestApi({ WEBHOOK_DNS_SERVERS: dns.address });
    const { live } = await keyless.account();
    const created = await keyless.call({ method: 'POST', url: '/v1/webhooks', key: live, body: { url } });
    expect([created.status, created.body.error.code]).toEqual([503, 'unavailable']);
    expect(created.body.error.message).toContain('WEBHOOK_SECRET_KEYS');
    expect((await keyless.call({ url: '/v1/webhooks', key: live })).body).toEqual({ data: [] });
    await keyless.close();
  });
});

describe('update, rotate, delete', () => {
  test('an update changes only what it names; a disabled webhook says by whom', async () => {
    const { id } = await createWebhook({ description: 'a' });
    const path = `/v1/webhooks/${id}`;
    expect((await call('PATCH', path, { enabled: false })).body).toMatchObject({
      url,
      description: 'a',
      enabled: false,
      disabled_reason: 'by_owner',
    });
    const { body } = await call('PATCH', path, { url: 'https://other.example/', enabled: true });
    expect(body).toMatchObject({ url: 'https://other.example/', enabled: true, disabled_reason: null });
    expect((await call('PATCH', path, { url: 'http://10.0.0.1/' })).body.error.code).toBe('invalid_url');
  });

  test('details of the code are in scan events only where they were asked for, in tests too', async () => {
    const { live } = await api.account();
    const { id } = await createWebhook({ include_code_details: true }, live);
    const path = `/v1/webhooks/${id}`;
    const patch = (fields: object) => call('PATCH', path, fields, live);
    const keysOfTest = async () => {
      const sent = await call('POST', `${path}/test`, undefined, live);
      const [row] = await api.api.db.query<{ body: string }>(
        sql('test-message-body', 'select body from webhook_messages where id = $1'),
        [parseId('msg', sent.body.id)],
      );
      return Object.keys(JSON.parse(row!.body).data);
    };
    const fields = ['qr_id', 'scan_id', 'country', 'city', 'device', 'is_unique'];
    const details = ['rule_id', 'target_id', 'placement', 'external_id', 'short_code', 'metadata'];
    expect((await call('GET', path, undefined, live)).body.include_code_details).toBe(true);
    expect((await patch({ description: 'b' })).body.include_code_details).toBe(true);
    expect(await keysOfTest()).toEqual([...fields, ...details]);
    expect((await patch({ include_code_details: false })).body.include_code_details).toBe(false);
    expect(await keysOfTest()).toEqual(fields);
    for (const include_code_details of ['true', null, 1]) {
      const { status, body } = await patch({ include_code_details });
      expect([status, body.error.param]).toEqual([400, 'include_code_details']);
    }
  });

  test('include_routing is an alias of include_code_details, and both must agree', async () => {
    const { live } = await api.account();
    const [yes, no] = [true, false].map(value => ({ include_code_details: value, include_routing: value }));
    const path = `/v1/webhooks/${(await createWebhook({ include_routing: true }, live)).id}`;
    const { url, ...created } = (await call('GET', path, undefined, live)).body;
    expect(created).toMatchObject(yes!);
    const patch = (fields: object) => call('PATCH', path, fields, live);
    expect((await patch({ include_routing: false })).body).toMatchObject(no!);
    expect((await patch(yes!)).body).toMatchObject(yes!);
    const differing = { include_code_details: true, include_routing: false };
    const create = { url, ...differing };
    for (const { status, body } of [await patch(differing), await call('POST', '/v1/webhooks', create, live)])
      expect([status, body.error.param, body.error.message]).toEqual([
        400,
        'include_routing',
        'include_routing and include_code_details differ. Send only include_code_details.',
      ]);
    expect((await call('GET', path, undefined, live)).body).toMatchObject(yes!);
  });

  test('events are those that were named; unknown, repeated and empty lists are refused with the known ones', async () => {
    const { id } = await createWebhook({ events: ['qrcode.suspended'] });
    const path = `/v1/webhooks/${id}`;
    expect((await call('GET', path)).body.events).toEqual(['qrcode.suspended']);
    expect((await call('PATCH', path, { description: 'b' })).body.events).toEqual(['qrcode.suspended']);
    const all = ['scan.created', 'qrcode.suspended', 'qrcode.released'];
    expect((await call('PATCH', path, { events: all })).body.events).toEqual(all);
    for (const [events, param, message] of [
      [['qrcode.scanned'], 'events.0', all.join(', ')],
      [['scan.created', 'scan.created'], 'events', all.join(', ')],
      [[], 'events', '1 to 5 entries'],
      ['scan.created', 'events', 'a list'],
    ] as const) {
      for (const refused of [
        await call('PATCH', path, { events }),
        await call('POST', '/v1/webhooks', { url, events }),
      ]) {
        expect([refused.status, refused.body.error.code]).toEqual([400, 'invalid_request']);
        expect(refused.body.error.param).toBe(param);
        expect(refused.body.error.message).toContain(message);
      }
    }
    expect((await call('GET', path)).body.events).toEqual(all);
  });

  test('a rotation gives a new secret and says until when the old one also signs', async () => {
    const { id, secret } = await createWebhook();
    const path = `/v1/webhooks/${id}/rotate-secret`;
    const rotated = await call('POST', path, {});
    expect(rotated.body.secret).toMatch(/^whsec_/);
    expect(rotated.body.secret).not.toBe(secret);
    const inHours = (Date.parse(rotated.body.old_secret_expires_at) - Date.now()) / 3_600_000;
    expect(inHours).toBeGreaterThan(23.9);
    expect(inHours).toBeLessThanOrEqual(24);
    expect((await call('POST', path, { old_secret_expires_in: 0 })).body.old_secret_expires_at).toBeNull();
    expect((await call('POST', path, { old_secret_expires_in: 604_801 })).body.error.param).toBe(
      'old_secret_expires_in',
    );
  });

  test('a delete is final, and erases the secret', async () => {
    const { id } = await createWebhook();
    expect((await call('DELETE', `/v1/webhooks/${id}`)).body).toEqual({ deleted: true, id });
    for (const method of ['GET', 'DELETE'] as const)
      expect((await call(method, `/v1/webhooks/${id}`)).status).toBe(404);
    const rows = await api.api.db.query<{ secret: Buffer }>(
      sql('test-secret', 'select secret from webhook_endpoints where id = $1'),
      [parseId('whk', id)],
    );
    expect(rows.map(row => row.secret.length)).toEqual([0]);
  });
});

describe('deliveries', () => {
  test('a test waits to be sent, is listed as pending, and no other account or mode sees it', async () => {
    const { id } = await createWebhook();
    const sent = await call('POST', `/v1/webhooks/${id}/test`);
    expect(sent.body).toMatchObject({
      webhook_id: id,
      event: 'scan.created',
      test: true,
      status: 'pending',
      attempts: 0,
    });
    const listed = await call('GET', `/v1/webhooks/${id}/deliveries?status=pending`);
    expect(listed.body).toEqual({
      data: [sent.body],
      pagination: { page: 1, limit: 20, total: 1, total_pages: 1, has_more: false },
      test_limit: null,
    });
    const stranger = await api.account();
    for (const key of [account.test, stranger.live]) {
      expect((await call('GET', `/v1/webhooks/${id}/deliveries?status=pending`, undefined, key)).status).toBe(
        404,
      );
    }
  });

  test('an Idempotency-Key sends a test once, and is refused for another webhook', async () => {
    const [one, other] = [await createWebhook(), await createWebhook()];
    const send = (id: string) =>
      api.call({
        method: 'POST',
        url: `/v1/webhooks/${id}/test`,
        key: account.live,
        headers: { 'idempotency-key': 'test once' },
      });
    const [first, second, third] = [await send(one.id), await send(one.id), await send(other.id)];
    expect(second.text).toBe(first.text);
    expect([third.status, third.body.error.code]).toEqual([422, 'idempotency_key_reused']);
    const { body } = await call('GET', `/v1/webhooks/${one.id}/deliveries?status=pending`);
    expect(body.pagination.total).toBe(1);
  });

  test('nothing is sent or replayed to a webhook that is disabled: 409', async () => {
    const { id } = await createWebhook({ enabled: false });
    const since = new Date().toISOString();
    for (const [path, body] of [
      ['test', undefined],
      ['replay', { since }],
    ] as const) {
      expect((await call('POST', `/v1/webhooks/${id}/${path}`, body)).body.error.code).toBe(
        'invalid_transition',
      );
    }
  });

  test('a replay of ten thousand failed deliveries makes each due at once, and not older ones or those without an attempt', async () => {
    const { id } = await createWebhook();
    const add = (count: number, status: string, at: string) =>
      api.api.db.query(
        sql(
          'test-add-messages',
          `insert into webhook_messages (id, endpoint_id, account_id, mode, body, created_at, status, tries, attempts, next_at)
           select gen_random_uuid(), $1, $2, 'live', '{}', $3, $4, 11, 11, case $4 when 'pending' then now() + interval '5 hours' end
             from generate_series(1, $5)`,
        ),
        [parseId('whk', id), parseId('acct', account.id) ?? account.id, at, status, count],
      );
    await add(9_000, 'failed', '2026-11-15T08:00:00Z');
    await add(1_000, 'pending', '2026-11-15T08:00:00Z');
    await add(3, 'failed', '2026-11-14T08:00:00Z');
    await call('POST', `/v1/webhooks/${id}/test`);
    const { status, body } = await call('POST', `/v1/webhooks/${id}/replay`, {
      since: '2026-11-15T00:00:00Z',
    });
    expect([status, body]).toEqual([200, { replayed: 10_000 }]);
    const failed = await call('GET', `/v1/webhooks/${id}/deliveries?status=failed`);
    expect(failed.body.pagination.total).toBe(3);
    const bad = await call('POST', `/v1/webhooks/${id}/replay`, { since: 'yesterday' });
    expect([bad.body.error.code, bad.body.error.param]).toEqual(['invalid_request', 'since']);
  });
});
