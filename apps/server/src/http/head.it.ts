import { accountOperations, type Operation, operations, operatorPermission } from '@signpost/contract';
import { createTestApi, type Reply, roomyPlan, roomyWebhooks, type TestApi } from '@signpost/testing/api.ts';
import { dashboardEnv } from '@signpost/testing/people.ts';
import * as worlds from '@signpost/testing/tenants.ts';
import { openTestStore, type TestStore } from '@signpost/testing/test-store.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let store: TestStore;
let api: TestApi;
let byKey: worlds.Tenant;
let bySession: worlds.Tenant;
let platform: worlds.Tenant;
/** The account of `bySession`, whose person is an operator. */
let accountId: string;

beforeAll(async () => {
  store = await openTestStore();
  const env = { ...dashboardEnv, ...roomyWebhooks, DEFAULT_PLAN: roomyPlan, ...store.env };
  api = await createTestApi(env);
  [byKey] = (await worlds.createTenants(api)) as [worlds.Tenant];
  platform = await worlds.createPlatform(api);
  [bySession] = (await worlds.createSessionTenants(api)) as [worlds.Tenant];
  const { body: me } = await api.call({ url: '/account/me', headers: { ...bySession.session?.headers } });
  accountId = me.account.id;
  await api.admin('set-operator', me.user.email, 'on', '--unconfirmed');
});
afterAll(async () => {
  await api.close();
  await store.close();
});

const all = Object.values<Operation>({ ...operations, ...accountOperations });
const reading = all.filter(({ method }) => method === 'GET');

const worldOf = ({ path, permission }: Operation) => {
  if (permission === operatorPermission) return platform;
  return path.startsWith('/v1/') ? byKey : bySession;
};

/** What an operation has to be asked about. */
async function idFor(operation: Operation): Promise<string> {
  const collection = worlds.collectionOf(operation);
  if (worldOf(operation) === platform) return platform.ids.get('accounts')![0]!;
  if (collection === 'accounts') return accountId;
  if (collection === 'hosts') return 'shop.example';
  return worlds.create(api.call, worldOf(operation), collection, 7);
}

async function ask(method: 'GET' | 'HEAD', operation: Operation, id: string, headers = {}): Promise<Reply> {
  const call: worlds.Call = options => api.call({ ...options, method });
  const query = operation.id === 'findCodes' ? '?link=menu' : '';
  return await worlds.send(call, worldOf(operation), { operation, query, body: undefined }, id, headers);
}

/** Headers that are another request's each time, or that only a body has. */
const ofItsOwn = /^(date|x-request-id|x-ratelimit-.*|transfer-encoding)$/;
/** The set-up check measures anew each time, so its text is now longer and now shorter. */
const variesInLength = (operation: Operation, name: string) =>
  operation.id === 'runSetupCheck' && name === 'content-length';
const lasting = ({ headers }: Reply, operation: Operation) =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => !ofItsOwn.test(name) && !variesInLength(operation, name)),
  );

describe('HEAD', () => {
  const finite = reading.filter(({ id }) => id !== 'liveScans');

  test.each(finite.map(operation => [operation.id, operation] as const))(
    'of %s has the status and the headers of GET, and no body',
    async (_id, operation) => {
      const id = operation.path.includes('{id}') ? await idFor(operation) : '';
      // Plain, and for a client that takes compressed answers.
      for (const headers of [{}, { 'accept-encoding': 'gzip' }]) {
        const get = await ask('GET', operation, id, headers);
        const head = await ask('HEAD', operation, id, headers);
        expect([get.status, head.status, head.text]).toEqual([200, 200, '']);
        expect(lasting(head, operation)).toEqual(lasting(get, operation));
      }
    },
  );

  test('of the live stream is answered at once, with its headers', async () => {
    const { status, headers, text } = await ask('HEAD', accountOperations.liveScans, '');
    expect([status, headers['content-type'], text]).toEqual([200, 'text/event-stream; charset=utf-8', '']);
  });
});

describe('405', () => {
  // Where PUT is taken, for an id or for what looks like one, POST is refused instead: app.it.ts.
  const paths = [...Map.groupBy(all, ({ path }) => path)].filter(
    ([path]) => !/^\/v1\/qrcodes\/[^/]+$/.test(path),
  );

  test.each(paths)('of %s lists its methods, HEAD with GET', async (path, sharing) => {
    const methods = sharing.map(({ method }) => method);
    const expected = methods.includes('GET') ? [...methods, 'HEAD'] : methods;
    const world = worldOf(sharing[0]!);
    const { status, headers } = await api.call({
      method: 'PUT',
      url: path.replace('{id}', 'x'),
      headers: { ...world.session?.headers },
      ...(world.key ? { key: world.key } : {}),
    });
    expect([status, headers.allow?.split(', ').sort()]).toEqual([405, expected.sort()]);
  });

  test('is what OPTIONS gets, as before', async () => {
    const { status, headers } = await api.call({ method: 'OPTIONS', url: '/v1/qrcodes', key: byKey.key });
    expect([status, headers.allow]).toEqual([405, 'POST, GET, HEAD']);
  });
});
