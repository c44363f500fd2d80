import {
  accountOperations,
  type KeyPermission,
  keyPermissions,
  type Operation,
  operations,
  operatorPermission,
  type Permission,
  permissions,
  type Role,
} from '@signpost/contract';
import { createTestApi, type Reply, roomyPlan, roomyWebhooks, type TestApi } from '@signpost/testing/api.ts';
import { dashboardEnv } from '@signpost/testing/people.ts';
import { lenientReaders } from '@signpost/testing/reading.ts';
import {
  createSubject,
  type Member,
  menu,
  newKey,
  newKeyFor,
  newMember,
  otherRefusals,
  sendRight,
} from '@signpost/testing/right-requests.ts';
import type * as tenants from '@signpost/testing/tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createIdempotency } from '../apps/server/src/http/idempotency/idempotency.ts';
import { createRoutes } from '../apps/server/src/http/routes.ts';
import { formatId } from '../apps/server/src/kernel/ids.ts';
import { sql } from '../apps/server/src/platform/postgres/postgres.ts';
import type { Api } from '../apps/server/src/roles/api.ts';

const roles = ['viewer', 'editor', 'admin', 'owner'] as const satisfies readonly Role[];

/** The specification: the least role that has each permission. */
const leastRole: Readonly<Record<Permission, Role | null>> = {
  'qrcodes:read': 'viewer',
  'qrcodes:write': 'editor',
  'qrcodes:delete': 'editor',
  'analytics:read': 'viewer',
  'designs:read': 'viewer',
  'designs:write': 'editor',
  'webhooks:read': 'admin',
  'webhooks:write': 'admin',
  'share-links:write': 'admin',
  'domains:read': 'viewer',
  'account:read': 'viewer',
  'audit:read': 'admin',
  'profile:manage': 'viewer',
  'account:manage': 'admin',
  'account:own': 'owner',
  // Of keys that the operator of the service created, and of nobody else.
  'accounts:write': null,
};
const may = (role: Role, permission: Permission) => {
  const least = leastRole[permission];
  return least !== null && roles.indexOf(role) >= roles.indexOf(least);
};

/** Two processes on the same engines. */
let api: TestApi;
let other: TestApi;
beforeAll(async () => {
  const env = { ...dashboardEnv, ...roomyWebhooks, DEFAULT_PLAN: roomyPlan };
  api = await createTestApi(env, { prepare: addProbes });
  const { databaseUrl } = api.config;
  other = await createTestApi({ ...env, DATABASE_URL: databaseUrl, DATABASE_DIRECT_URL: databaseUrl });
});
afterAll(() => Promise.all([api?.close(), other?.close()]));

const probe = {
  method: 'GET',
  authScheme: 'apiKey',
  permission: 'webhooks:read',
  tag: 'Test',
  summary: '',
  description: '',
  errors: [],
} as const;
const probes = {
  events: { ...probe, id: 'events', path: '/v1/probe/events', success: filesOf('text/event-stream') },
  stream: {
    ...probe,
    id: 'stream',
    path: '/v1/probe/stream',
    success: { status: 200, description: '', streams: { 'text/csv': null } },
  },
  file: { ...probe, id: 'file', path: '/v1/probe/file', success: filesOf('image/png') },
} as const satisfies Record<string, Operation>;
function filesOf(type: string) {
  return { status: 200, description: '', files: [type] } as const;
}

/** What each kind of handler did: nothing, if the permission is checked before it. */
const reached: string[] = [];
let refusedRoute: unknown;

/** Operations whose answer is not JSON, one for keys that only people may do, and one without a permission. */
function addProbes(app: Api['app'], { db }: Api): void {
  const routes = createRoutes({
    app,
    db,
    idempotency: createIdempotency(db),
    publicUrl: 'https://api.signpost.example',
    forSessions: true,
    slowReaders: lenientReaders,
  });
  const reach = (kind: string): never => {
    reached.push(kind);
    throw new Error('The handler of a probe was reached.');
  };
  routes.addEvents(probes.events, async () => reach('events'));
  routes.addStream(probes.stream, async () => reach('stream'));
  routes.addFile(probes.file, async () => reach('file'));
  const config = { authScheme: 'apiKey', permission: 'account:manage' } as const;
  app.get('/v1/probe/people', { config }, async () => reach('people'));
  try {
    const lacking = { ...operations.getAccount, path: '/v1/no-permission', permission: undefined };
    routes.add(lacking as unknown as typeof operations.getAccount, async () => reach('lacking'));
  } catch (error) {
    refusedRoute = error;
  }
}

const setRole = sql('test-set-role', 'update members set role = $3 where account_id = $1 and user_id = $2');
const giveRole = ({ accountId, userId }: Member, role: Role) =>
  api.api.db.query(setRole, [accountId, userId, role]);

/** What every refusal for a missing permission says. */
function refusalOf(role: Role, permission: Permission) {
  const ask = permission === 'account:own' ? 'an owner' : 'an owner or admin';
  const message = `This needs the permission ${permission}, which the role ${role} lacks. Ask ${ask} of the account.`;
  return { code: 'forbidden', message };
}

function expectRefused({ status, body }: Reply, role: Role, permission: Permission): void {
  expect([status, body]).toEqual([403, { error: expect.objectContaining(refusalOf(role, permission)) }]);
  expect(Object.keys(body.error).toSorted()).toEqual(['code', 'doc_url', 'message', 'request_id']);
}

/** Whether a right request was answered as it is for somebody who may send it. */
function expectDone({ status, text }: Reply, { id, success, createdDescription }: Operation): void {
  expect(status, text).toBe(otherRefusals[id] ?? (createdDescription ? 201 : success.status));
  expect(text).not.toContain('needs the permission');
}

const all = Object.values<Operation>({ ...operations, ...accountOperations });
const needing = all.filter(({ permission }) => permission !== undefined && permission !== operatorPermission);
const ofOperators = all.filter(({ permission }) => permission === operatorPermission);

describe.each(roles)('the role %s', role => {
  test.each(needing.filter(({ permission }) => may(role, permission!)))('may do $id', async operation => {
    const member = await newMember(api);
    const subject = await createSubject(api, member, operation);
    await giveRole(member, role);
    expectDone(await sendRight(api, member, operation, subject), operation);
  });

  const refused = needing.filter(({ permission }) => !may(role, permission!));
  test.each(refused)('is refused $id, whatever the request is', async operation => {
    const permission = operation.permission!;
    const member = await newMember(api);
    const subject = await createSubject(api, member, operation);
    await giveRole(member, role);
    expectRefused(await sendRight(api, member, operation, subject), role, permission);
    const malformed = operation.method === 'GET' ? {} : { body: '{' };
    const wrong = { query: '?limit=x&mode=test', ...malformed };
    expectRefused(await sendRight(api, member, operation, 'nothing', wrong), role, permission);
    // Nothing was done: an owner can still do it.
    await giveRole(member, 'owner');
    expectDone(await sendRight(api, member, operation, subject), operation);
  });
});

test.each(needing.filter(({ authScheme }) => authScheme === 'apiKey'))(
  'a key may do $id, whatever the role of the only member',
  async operation => {
    const member = await newMember(api);
    const { key } = (await member.call({ method: 'POST', url: '/account/keys', body: newKeyFor(operation) }))
      .body;
    const subject = await createSubject(api, member, operation);
    await giveRole(member, 'viewer');
    const byKey: tenants.Tenant = { name: 'key', key, ids: new Map() };
    expectDone(await sendRight(api, member, operation, subject, { tenant: byKey }), operation);
  },
);

/** What a key is refused for a missing scope, whatever the request is. */
function expectLacking({ status, body }: Reply, permission: Permission): void {
  expect([status, body.error.code]).toEqual([403, 'forbidden']);
  expect(body.error.message).toMatch(new RegExp(`^This key lacks ${permission}\\. `));
  expect(Object.keys(body.error).toSorted()).toEqual(['code', 'doc_url', 'message', 'request_id']);
}

const forKeys = needing.filter(({ authScheme }) => authScheme === 'apiKey');

async function newScopedKey(
  member: Member,
  scopes: readonly KeyPermission[] | null,
  mode: 'live' | 'test' = 'live',
) {
  const body = { ...newKey, scopes, mode };
  const made = await member.call({ method: 'POST', url: '/account/keys', body });
  expect(made.status, made.text).toBe(201);
  const tenant: tenants.Tenant = { name: 'key', key: made.body.key, ids: new Map() };
  return { id: made.body.id as string, key: made.body.key as string, tenant };
}

describe.each(keyPermissions)('a key with the scope %s', scope => {
  test.each(roles)('may do what the scope says and nothing else, beside a member who is %s', async role => {
    const member = await newMember(api);
    const subjects = new Map<string, string>();
    for (const operation of forKeys) subjects.set(operation.id, await createSubject(api, member, operation));
    const scoped = {
      live: (await newScopedKey(member, [scope])).tenant,
      test: (await newScopedKey(member, [scope], 'test')).tenant,
    };
    const full = {
      live: (await newScopedKey(member, null)).tenant,
      test: (await newScopedKey(member, null, 'test')).tenant,
    };
    const chooseKey = (keys: typeof full, { testModeOnly }: Operation) =>
      keys[testModeOnly ? 'test' : 'live'];
    await giveRole(member, role);
    for (const operation of forKeys.filter(({ permission }) => permission !== scope)) {
      const tenant = chooseKey(scoped, operation);
      const refused = await sendRight(api, member, operation, subjects.get(operation.id)!, { tenant });
      expectLacking(refused, operation.permission!);
      const malformed = operation.method === 'GET' ? {} : { body: '{' };
      const parts = { tenant, query: '?limit=x', ...malformed };
      expectLacking(await sendRight(api, member, operation, 'nothing', parts), operation.permission!);
    }
    // What was refused was not done, and what the scope allows is.
    await giveRole(member, 'owner');
    for (const operation of forKeys) {
      const by = chooseKey(operation.permission === scope ? scoped : full, operation);
      // All codes here have one tag, which an operation before may have renamed or deleted.
      const subject = operation.path.includes('{name}')
        ? await createSubject(api, member, operation)
        : subjects.get(operation.id)!;
      expectDone(await sendRight(api, member, operation, subject, { tenant: by }), operation);
    }
  });
});

describe.each(ofOperators)('$id is for operator keys alone', operation => {
  test.each(roles)('and refused to a session whose role is %s', async role => {
    const member = await newMember(api);
    await giveRole(member, role);
    const { status, body } = await sendRight(api, member, operation, 'acct_x');
    expect([status, body.error.code]).toEqual([403, 'forbidden']);
    expect(body.error.message).toMatch(/^This needs a key with accounts:write\. .*create-key --operator/);
  });

  test.each([null, ...keyPermissions])('and refused to a key with the scope %s', async scope => {
    const member = await newMember(api);
    const { tenant } = await newScopedKey(member, scope && [scope]);
    const { status, body } = await sendRight(api, member, operation, 'acct_x', { tenant });
    expect([status, body.error.code]).toEqual([403, 'forbidden']);
    expect(body.error.message).toMatch(/^This key lacks accounts:write\. .*create-key --operator/);
  });
});

test('the response stored for an Idempotency-Key is not replayed to a key that has lost its scope', async () => {
  const member = await newMember(api);
  const { id, key } = await newScopedKey(member, ['qrcodes:read', 'qrcodes:write']);
  const create = (process = api) =>
    process.call({
      method: 'POST',
      url: '/v1/qrcodes',
      key,
      body: menu,
      headers: { 'idempotency-key': 'once' },
    });
  const update = async (body: object) => {
    const reply = await member.call({ method: 'PATCH', url: `/account/keys/${id}`, body });
    expect(reply.status, reply.text).toBe(200);
  };
  const first = await create();
  expect(first.status).toBe(201);
  expect((await create(other)).headers['idempotent-replayed']).toBe('true');
  await update({ scopes: ['qrcodes:read'] });
  for (const process of [api, other]) {
    const refused = await create(process);
    expectLacking(refused, 'qrcodes:write');
    expect(refused.text).not.toContain(first.body.id);
    expect(refused.headers).not.toHaveProperty('idempotent-replayed');
  }
  // The refusal has not replaced what was stored.
  const { current_password: password } = newKey;
  await update({ scopes: ['qrcodes:write'], current_password: password });
  const again = await create();
  expect([again.status, again.body]).toEqual([201, first.body]);
});

test('every permission is in the specification', () => {
  expect(Object.keys(leastRole).toSorted()).toEqual([...permissions, operatorPermission].toSorted());
});

test('an operation without a permission cannot be registered', () => {
  expect(String(refusedRoute)).toContain('The route GET /v1/no-permission declares no permission.');
});

test('a key is refused what only people may do', async () => {
  const { live } = await api.account();
  const { status, body } = await api.call({ url: '/v1/probe/people', key: live });
  const message = 'This needs the permission account:manage, which API keys lack. Sign in to the dashboard.';
  expect([status, body.error]).toEqual([403, expect.objectContaining({ code: 'forbidden', message })]);
});

describe.each(Object.values(probes))('an answer of $id', ({ path, id }) => {
  test.each(['GET', 'HEAD'] as const)('is refused before it begins, by %s and by a link', async method => {
    const member = await newMember(api);
    const call = () => member.call({ method, url: `/account${path}?mode=test` });
    await giveRole(member, 'viewer');
    const refused = await call();
    expect(refused.status).toBe(403);
    if (method === 'GET') expectRefused(refused, 'viewer', 'webhooks:read');
    expect(reached).toEqual([]);
    await giveRole(member, 'admin');
    expect((await call()).status).toBe(500);
    expect(reached.splice(0)).toEqual([id]);
  });
});

test('a path that does not exist is not found, whatever the role', async () => {
  const member = await newMember(api);
  await giveRole(member, 'viewer');
  expect((await member.call({ url: '/account/nothing' })).status).toBe(404);
});

test('a viewer of a suspended account is told of the permission, since an appeal would not help', async () => {
  const member = await newMember(api);
  await api.admin('suspend-account', formatId('acct', member.accountId), '--reason', 'Spam');
  await giveRole(member, 'viewer');
  const create = { method: 'POST', url: '/account/v1/qrcodes', body: menu } as const;
  expectRefused(await member.call(create), 'viewer', 'qrcodes:write');
  await giveRole(member, 'editor');
  expect((await member.call(create)).body.error.message).toContain('suspended: Spam.');
});

test('a change of role holds from the next call on, on every process', async () => {
  const member = await newMember(api);
  const url = '/account/v1/webhooks';
  const callAll = () =>
    Promise.all([api, other].map(({ call }) => call({ url, headers: member.tenant.session!.headers })));
  for (let round = 0; round < 20; round++) {
    for (const { status } of await callAll()) expect(status).toBe(200);
    const role = round % 2 === 0 ? 'editor' : 'viewer';
    await giveRole(member, role);
    for (const reply of await callAll()) expectRefused(reply, role, 'webhooks:read');
    await giveRole(member, round % 2 === 0 ? 'admin' : 'owner');
  }
});

test('the response stored for an Idempotency-Key is not replayed to a session that has lost the permission', async () => {
  const member = await newMember(api);
  const create = (process = api) =>
    process.call({
      method: 'POST',
      url: '/account/v1/qrcodes',
      body: menu,
      headers: { ...member.tenant.session!.headers, 'idempotency-key': 'once' },
    });
  await giveRole(member, 'editor');
  const first = await create();
  expect(first.status).toBe(201);
  expect((await create(other)).headers['idempotent-replayed']).toBe('true');
  await giveRole(member, 'viewer');
  for (const process of [api, other]) {
    const refused = await create(process);
    expectRefused(refused, 'viewer', 'qrcodes:write');
    expect(refused.text).not.toContain(first.body.id);
    expect(refused.headers).not.toHaveProperty('idempotent-replayed');
  }
  // The refusal has not replaced what was stored.
  await giveRole(member, 'editor');
  const again = await create();
  expect([again.status, again.body]).toEqual([201, first.body]);
});
