import { createTestApi, type Reply, type TestApi } from '@signpost/testing/api.ts';
import { createBrowser, dashboardEnv, goodPassword, newEmail, signUp } from '@signpost/testing/people.ts';
import { menu } from '@signpost/testing/right-requests.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId, parseId } from '../apps/server/src/kernel/ids.ts';
import { sql } from '../apps/server/src/platform/postgres/postgres.ts';

/** Two processes on the same engines. */
let api: TestApi;
let other: TestApi;
beforeAll(async () => {
  api = await createTestApi(dashboardEnv);
  const { databaseUrl } = api.config;
  const same = { ...dashboardEnv, DATABASE_URL: databaseUrl, DATABASE_DIRECT_URL: databaseUrl };
  other = await createTestApi(same);
});
afterAll(() => Promise.all([api?.close(), other?.close()]));

async function newPlatform(): Promise<{ readonly account: string; readonly key: string }> {
  const account = formatId('acct', (await api.account('free')).id as never);
  const [key = ''] = /sk_live_\w+/.exec(await api.admin('create-key', '--operator', account))!;
  return { account, key };
}

/** What every redirect process asks before it follows a link of an account; each has it before the response. */
const findStop = sql('test-stop', `select from stops where subject = $1 and reason = 'suspended'`);

type Method = 'GET' | 'POST' | 'PATCH';
const send = (key: string, method: Method, url: string, body?: unknown, process = api): Promise<Reply> =>
  process.call({ method, url, key, ...(body === undefined ? {} : { body }) });

async function done(reply: Promise<Reply>, status = 200): Promise<Reply['body']> {
  const answered = await reply;
  expect(answered.status, answered.text).toBe(status);
  return answered.body;
}
const create = (key: string, body: object) => done(send(key, 'POST', '/v1/accounts', body), 201);
const newCode = (key: string, process = api) => send(key, 'POST', '/v1/qrcodes', menu, process);

describe('a platform', () => {
  test('creates 100 tenants with keys, plans and limits, suspends one and reads what each uses', async () => {
    const { key } = await newPlatform();
    const plans = ['free', 'pro', 'business', 'enterprise'];
    const tenants: { id: string; live: string; reader: string; n: number }[] = [];
    for (let n = 0; n < 100; n++) {
      const body = { name: `Tenant ${n}`, plan: plans[n % 4], external_id: `customer-${n}` };
      const tenant = await create(key, body);
      expect(tenant).toMatchObject({ ...body, suspension: null, used: { qr_codes: 0, members: 0 } });
      const limits = { requests_per_minute: 1000 + n, qr_codes: 1 + (n % 3), new_qr_codes_per_minute: null };
      const limited = await done(send(key, 'PATCH', `/v1/accounts/${tenant.id}`, { limits }));
      expect(limited.limits).toMatchObject({ requests_per_minute: 1000 + n, qr_codes: 1 + (n % 3) });
      const keys = `/v1/accounts/${tenant.id}/keys`;
      const live = await done(send(key, 'POST', keys, { name: 'Live', mode: 'live' }), 201);
      const scopes = ['qrcodes:read'];
      const reader = await done(send(key, 'POST', keys, { name: 'Reader', mode: 'live', scopes }), 201);
      expect(reader).toMatchObject({ scopes, created_by: null, name: 'Reader' });
      tenants.push({ id: tenant.id, live: live.key, reader: reader.key, n });
    }
    for (const { live, reader, n } of tenants) {
      const quota = 1 + (n % 3);
      const replies = [];
      for (let i = 0; i <= quota; i++) replies.push(await newCode(live, n % 2 ? api : other));
      expect(replies.map(({ status }) => status)).toEqual([...Array(quota).fill(201), 403]);
      expect(replies[0]!.headers['x-ratelimit-limit']).toBe(String(1000 + n));
      const seen = await done(send(reader, 'GET', '/v1/qrcodes'));
      expect(seen.pagination.total).toBe(quota);
      expect((await newCode(reader)).status).toBe(403);
    }
    const listed = await done(send(key, 'GET', '/v1/accounts?limit=100'));
    expect(listed.pagination).toMatchObject({ total: 100, has_more: false });
    expect(
      listed.data.map(({ external_id, used }: never) => [
        external_id,
        (used as { qr_codes: number }).qr_codes,
      ]),
    ).toEqual(tenants.toReversed().map(({ n }) => [`customer-${n}`, 1 + (n % 3)]));

    const unpaid = tenants[41]!;
    const url = `/v1/accounts/${unpaid.id}`;
    const suspended = await done(send(key, 'PATCH', url, { suspension: { reason: 'Unpaid' } }));
    expect(suspended.suspension).toMatchObject({ reason: 'Unpaid', by_operator: false });
    for (const process of [api, other]) {
      const refused = await newCode(unpaid.live, process);
      expect([refused.status, refused.body.error.message]).toEqual([
        403,
        expect.stringContaining('suspended: Unpaid.'),
      ]);
    }
    expect((await send(tenants[40]!.live, 'GET', '/v1/account')).body.suspension).toBeNull();
    expect((await done(send(key, 'PATCH', url, { suspension: null }))).suspension).toBeNull();
    await done(send(key, 'PATCH', url, { limits: { qr_codes: 10 } }));
    for (const process of [api, other]) expect((await newCode(unpaid.live, process)).status).toBe(201);
  });

  test('alone manages accounts: ordinary keys, keys of its tenants and sessions get 403', async () => {
    const { key } = await newPlatform();
    const { id } = await create(key, { name: 'Tenant' });
    const made = send(key, 'POST', `/v1/accounts/${id}/keys`, { name: 'Live', mode: 'live' });
    const { key: ofTenant } = await done(made, 201);
    const { live, test: trial } = await api.account();
    const owner = await signUp(api);
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['POST', '', { name: 'Mine' }],
      ['GET', `/${id}`, undefined],
      ['PATCH', `/${id}`, { plan: 'enterprise' }],
      ['POST', `/${id}/keys`, { name: 'Mine', mode: 'live' }],
    ] as const) {
      const url = `/v1/accounts${path}`;
      const replies = [live, trial, ofTenant].map(other => send(other, method, url, body));
      const bySession = owner.call({ method, url: `/account${url}`, ...(body ? { body } : {}) });
      for (const { status, body: answer } of await Promise.all([...replies, bySession]))
        expect([status, answer.error.code]).toEqual([403, 'forbidden']);
    }
    expect((await done(send(key, 'GET', `/v1/accounts/${id}`))).plan).toBe('free');
  });

  test('stops all links of a tenant that it suspends, with the response, and releases them', async () => {
    const { key } = await newPlatform();
    const { id } = await create(key, { name: 'Tenant' });
    const isStopped = async () =>
      (await api.api.db.query(findStop, [`account/${parseId('acct', id)}`])).length > 0;
    const suspend = (suspension: object | null) =>
      done(send(key, 'PATCH', `/v1/accounts/${id}`, { suspension }));
    await suspend({ reason: 'Unpaid' });
    expect(await isStopped()).toBe(true);
    await suspend(null);
    expect(await isStopped()).toBe(false);
  });

  test('changes name, plan and external id, and every process applies it with the response', async () => {
    const { key } = await newPlatform();
    const { id } = await create(key, { name: 'Before', plan: 'free' });
    const { key: live } = await done(
      send(key, 'POST', `/v1/accounts/${id}/keys`, { name: 'Live', mode: 'live' }),
      201,
    );
    for (const [n, [plan, limit]] of (
      [
        ['pro', '60'],
        ['business', '120'],
        ['free', '10'],
      ] as const
    ).entries()) {
      const change = { name: `After ${n}`, plan, external_id: n === 2 ? null : `no-${n}` };
      expect(await done(send(key, 'PATCH', `/v1/accounts/${id}`, change))).toMatchObject(change);
      for (const process of [api, other]) {
        const { headers, body } = await send(live, 'GET', '/v1/account', undefined, process);
        expect([headers['x-ratelimit-limit'], body.name, body.plan]).toEqual([limit, `After ${n}`, plan]);
      }
    }
    expect((await send(key, 'PATCH', `/v1/accounts/${id}`, { plan: 'gold' })).body.error.param).toBe('plan');
    expect((await send(key, 'POST', '/v1/accounts', { name: 'x', plan: 'gold' })).body.error.param).toBe(
      'plan',
    );
  });

  test('creates one account for an external id, however many calls there are at once', async () => {
    const { key } = await newPlatform();
    const body = { name: 'Once', external_id: 'once' };
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) => send(key, 'POST', '/v1/accounts', body, n % 2 ? api : other)),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(409)]);
    expect(replies.find(({ status }) => status === 409)!.body.error).toMatchObject({
      code: 'external_id_taken',
    });
    const found = await done(send(key, 'GET', '/v1/accounts?external_id=once'));
    expect(found.data).toHaveLength(1);
    // Another platform has external ids of its own.
    await create((await newPlatform()).key, body);
  });

  test('invites an owner, who joins and manages the account', async () => {
    const { key } = await newPlatform();
    const email = newEmail();
    const tenant = await create(key, { name: 'Bakery', owner_email: email });
    expect(tenant).toMatchObject({ used: { members: 1 }, link: expect.stringContaining('/app/') });
    const token = tenant.link.split('#token=')[1];
    const details = await api.call({
      method: 'POST',
      url: '/auth/invitation',
      headers: { origin: new URL(api.config.publicUrl).origin },
      body: { token },
    });
    expect(details.body).toMatchObject({ role: 'owner', invited_by: 'The operator of this service' });
    const owner = createBrowser(api);
    const joined = { name: 'Olga', email, password: goodPassword, invitation: token };
    await done(owner.call({ method: 'POST', url: '/auth/sign-up', body: joined }), 201);
    const me = await done(owner.call({ url: '/account/me' }));
    expect(me.account).toMatchObject({ id: tenant.id, name: 'Bakery', role: 'owner' });
    const made = await owner.call({
      method: 'POST',
      url: '/account/keys',
      body: { name: 'Mine', mode: 'live', current_password: goodPassword },
    });
    expect(made.status, made.text).toBe(201);
    expect((await done(send(key, 'GET', `/v1/accounts/${tenant.id}`))).used.members).toBe(1);
  });

  test('has a rate of its own, apart from the calls of its account', async () => {
    const { account, key } = await newPlatform();
    const [live = ''] = /sk_live_\w+/.exec(await api.admin('create-key', account, 'live'))!;
    for (let n = 0; n < 15; n++) await send(live, 'GET', '/v1/account');
    expect((await send(live, 'GET', '/v1/account')).status).toBe(429);
    const { status, headers } = await send(key, 'GET', '/v1/accounts');
    expect([status, headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]).toEqual([
      200,
      '600',
      '599',
    ]);
  });
});

describe('isolation', () => {
  test('a platform finds the accounts of its own keys, and neither others nor its own', async () => {
    const [one, another] = [await newPlatform(), await newPlatform()];
    const { id } = await create(one.key, { name: 'Mine' });
    const plain = formatId('acct', (await api.account()).id as never);
    for (const foreign of [id, plain, another.account, one.account, 'acct_x', 'nonsense']) {
      for (const [method, path, body] of [
        ['GET', ''],
        ['PATCH', '', { plan: 'enterprise' }],
        ['PATCH', '', { suspension: { reason: 'x' } }],
        ['POST', '/keys', { name: 'Stolen', mode: 'live' }],
      ] as const) {
        const { status, body: answer } = await send(
          another.key,
          method,
          `/v1/accounts/${foreign}${path}`,
          body,
        );
        expect([status, answer.error.message]).toEqual([404, 'No account of yours has this id.']);
      }
    }
    expect((await done(send(another.key, 'GET', '/v1/accounts'))).data).toEqual([]);
    expect((await done(send(one.key, 'GET', '/v1/accounts'))).data).toMatchObject([
      { id, plan: 'free', suspension: null },
    ]);
  });

  test('an operator key does nothing but manage accounts, also when a key of a tenant is asked to', async () => {
    const { key } = await newPlatform();
    const { id } = await create(key, { name: 'Tenant' });
    for (const url of ['/v1/qrcodes', '/v1/account', '/v1/webhooks', '/v1/analytics/aggregate']) {
      const { status, body } = await send(key, 'GET', url);
      expect([status, body.error.code]).toEqual([403, 'forbidden']);
    }
    const keys = `/v1/accounts/${id}/keys`;
    const scopes = ['accounts:write'];
    expect((await send(key, 'POST', keys, { name: 'x', mode: 'live', scopes })).status).toBe(400);
    const live = await done(send(key, 'POST', keys, { name: 'x', mode: 'live' }), 201);
    for (const [method, url, body] of [
      ['GET', '/v1/accounts'],
      ['POST', '/v1/accounts', { name: 'Own tenant' }],
      ['PATCH', `/v1/accounts/${id}`, { plan: 'enterprise' }],
    ] as const)
      expect((await send(live.key, method, url, body)).status).toBe(403);
  });

  test('a platform cannot release an account that the operator of the service suspended', async () => {
    const { key } = await newPlatform();
    const { id } = await create(key, { name: 'Phisher' });
    await api.admin('suspend-account', id, '--reason', 'Phishing');
    const read = await done(send(key, 'GET', `/v1/accounts/${id}`));
    expect(read.suspension).toMatchObject({ reason: 'Phishing', by_operator: true });
    for (const suspension of [null, { reason: 'Mine' }]) {
      const { status, body } = await send(key, 'PATCH', `/v1/accounts/${id}`, { suspension });
      expect([status, body.error.code]).toEqual([403, 'forbidden']);
    }
    expect((await done(send(key, 'GET', `/v1/accounts/${id}`))).suspension.reason).toBe('Phishing');
  });

  test('an operator key is created by a command alone, is live, and cannot be changed in the dashboard', async () => {
    const owner = await signUp(api);
    const me = await done(owner.call({ url: '/account/me' }));
    const account = me.account.id as string;
    for (const args of [
      ['--operator', account, 'test'],
      ['--operator', account, '--scopes', 'qrcodes:read'],
      [account, 'live', '--scopes', 'accounts:write'],
    ])
      await expect(api.admin('create-key', ...args)).rejects.toThrow();
    const [key = ''] = /sk_live_\w+/.exec(
      await api.admin('create-key', '--operator', account, '--unconfirmed'),
    )!;
    const [{ id }] = (await owner.call({ url: '/account/keys' })).body.data;
    const body = { name: 'Mine', scopes: ['qrcodes:read'], current_password: goodPassword };
    const changed = await owner.call({ method: 'PATCH', url: `/account/keys/${id}`, body });
    expect([changed.status, changed.body.error.code]).toEqual([403, 'forbidden']);
    expect((await send(key, 'GET', '/v1/accounts')).status).toBe(200);
    await owner.call({ method: 'DELETE', url: `/account/keys/${id}` });
    expect((await send(key, 'GET', '/v1/accounts')).status).toBe(401);
  });
});
