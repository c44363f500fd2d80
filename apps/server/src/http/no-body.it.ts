import type { AddressInfo } from 'node:net';
import { accountOperations, type Operation, operations, operatorPermission } from '@signpost/contract';
import { createTestApi, roomyPlan, roomyWebhooks, type TestApi } from '@signpost/testing/api.ts';
import { dashboardEnv } from '@signpost/testing/people.ts';
import { type Answer, createWire, type Wire } from '@signpost/testing/raw-http.ts';
import * as worlds from '@signpost/testing/tenants.ts';
import { openTestStore, type TestStore } from '@signpost/testing/test-store.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../platform/postgres/postgres.ts';
import { compileValidator } from './validation/validation.ts';

let store: TestStore;
let api: TestApi;
let wire: Wire;
let byKey: worlds.Tenant;
let platform: worlds.Tenant;
let testKey: string;

beforeAll(async () => {
  store = await openTestStore();
  const env = { ...dashboardEnv, ...roomyWebhooks, DEFAULT_PLAN: roomyPlan, ...store.env };
  api = await createTestApi(env);
  await api.api.app.listen({ host: '127.0.0.1', port: 0 });
  wire = createWire((api.api.app.server.address() as AddressInfo).port);
  [byKey] = (await worlds.createTenants(api)) as [worlds.Tenant];
  platform = await worlds.createPlatform(api);
  testKey = (await api.account()).test;
});
afterAll(async () => {
  wire.close();
  await api.close();
  await store.close();
});

const changing = Object.values<Operation>({ ...operations, ...accountOperations }).filter(
  ({ method }) => method !== 'GET',
);
const withoutBody = changing.filter(({ body, bodyOptional }) => !body || bodyOptional);
const withBody = changing.filter(operation => !withoutBody.includes(operation));
const named = (some: readonly Operation[]) => some.map(operation => [operation.id, operation] as const);

const json = 'content-type: application/json';
const ways: readonly [name: string, headers: readonly string[], body: string][] = [
  ['a JSON content type and a length of 0', [json, 'content-length: 0'], ''],
  ['a JSON content type and no length', [json], ''],
  ['a JSON content type and chunks with nothing in them', [json, 'transfer-encoding: chunked'], '0\r\n\r\n'],
  ['neither a content type nor a length', [], ''],
];

/** Sends an operation as these bytes, by a key or a fresh session. */
async function send(operation: Operation, id: string, headers: readonly string[], body: string) {
  const url = operation.path.replace(/\{id\}|\{name\}/, id).replace('{key}', worlds.placementKey);
  const lines = [`${operation.method} ${url} HTTP/1.1`, 'host: a', ...headers, ...(await asWhom(operation))];
  const bytes = Buffer.from([...lines, '', body].join('\r\n'));
  const answer = await wire.ask({ method: operation.method, bytes, apart: false, hangUp: false });
  expect(answer, String(answer)).toBeTypeOf('object');
  const { status, body: text } = answer as Answer;
  return { status, body: JSON.parse(text.toString()) };
}

let bySession: Promise<readonly worlds.Tenant[]> | null = null;

/** Operators may do whatever there is. */
async function createOperators(): Promise<readonly worlds.Tenant[]> {
  const people = await worlds.createSessionTenants(api);
  await api.api.db.query(
    sql(
      'test-all-operators',
      'insert into operators (user_id, created_at) select id, now() from auth_users on conflict do nothing',
    ),
  );
  return people;
}

async function asWhom({ id, path, permission, testModeOnly }: Operation): Promise<string[]> {
  if (permission === operatorPermission) return [`authorization: Bearer ${platform.key}`];
  if (path.startsWith('/v1/')) return [`authorization: Bearer ${testModeOnly ? testKey : byKey.key}`];
  bySession ??= createOperators();
  const [person] = await bySession;
  if (id === 'signOut') bySession = null;
  return Object.entries(person!.session!.headers).map(([name, value]) => `${name}: ${value}`);
}

/** An id of the caller's own, or the name of a tag; of what only a session can make, one that nobody has. */
async function idFor({ path, ...operation }: Operation, seed: number): Promise<string> {
  if (path.includes('{name}')) {
    const body = { name: 'Menu', destination_url: 'https://example.com', tags: [`tag-${seed}`] };
    await api.call({ method: 'POST', url: '/v1/qrcodes', key: byKey.key, body });
    return `tag-${seed}`;
  }
  if (operation.permission === operatorPermission) return platform.ids.get('accounts')![0]!;
  if (!path.includes('{id}') || !path.startsWith('/v1/')) return 'x';
  const id = await worlds.create(api.call, byKey, worlds.collectionOf({ path, ...operation }), seed);
  if (path.includes('{key}')) await worlds.addPlacement(api.call, byKey, id);
  return id;
}

describe('a request without a body', () => {
  test.each(named(withoutBody))('is all that %s needs, however it is sent', async (_id, operation) => {
    for (const [at, [way, headers, body]] of ways.entries()) {
      const reply = await send(operation, await idFor(operation, at), headers, body);
      const isForeign = operation.path.includes('{id}') && !operation.path.startsWith('/v1/');
      // The only person of an account stays, and is told why.
      const refused = isForeign ? 404 : operation.id === 'leaveAccount' ? 409 : null;
      expect([way, reply.status, reply.body.error?.message]).toEqual(
        refused ? [way, refused, expect.any(String)] : [way, operation.success.status, undefined],
      );
    }
  });

  test.each(named(withBody))('is refused by %s, which needs one, and told so', async (_id, operation) => {
    for (const [way, headers, body] of ways) {
      const reply = await send(operation, 'x', headers, body);
      expect([way, reply.status, reply.body.error.code]).toEqual([way, 400, 'invalid_request']);
      expect(reply.body.error.message).toMatch(
        /^This endpoint needs a JSON body, and the request has none\./,
      );
    }
  });

  test('gives the default where there is one: the old secret signs for a day more', async () => {
    const id = await worlds.create(api.call, byKey, 'webhooks', 99);
    const { body } = await send(operations.rotateWebhookSecret, id, [json], '');
    const left = Date.parse(body.old_secret_expires_at) - Date.parse(body.updated_at);
    expect(Math.round(left / 60_000)).toBe(24 * 60);
  });
});

test('a POST that takes an empty object takes no body too', () => {
  const takesEmpty = changing.filter(
    ({ method, body }) => method === 'POST' && body && 'value' in compileValidator(body)({}),
  );
  expect(takesEmpty.filter(({ bodyOptional }) => !bodyOptional).map(({ id }) => id)).toEqual([]);
});
