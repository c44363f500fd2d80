import { accountOperations, type Operation, operations } from '@signpost/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createTestApi,
  type Reply,
  roomyPlan,
  roomyWebhooks,
  type TestApi,
} from '../../../../test/support/api.ts';
import { startMigratedClickHouse } from '../../../../test/support/clickhouse.ts';
import { dashboardEnv } from '../../../../test/support/people.ts';
import * as worlds from '../../../../test/support/worlds.ts';
import type { Engine } from '../../../../tools/engines/engine.ts';

let engine: Engine;
let api: TestApi;
let byKey: worlds.World;
let bySession: worlds.World;
/** The account of `bySession`, whose person is an operator. */
let accountId: string;

beforeAll(async () => {
  const stored = await startMigratedClickHouse();
  engine = stored.engine;
  await stored.clickhouse.close();
  const env = { ...dashboardEnv, ...roomyWebhooks, DEFAULT_PLAN: roomyPlan, CLICKHOUSE_URL: engine.url };
  api = await createTestApi(env);
  [byKey] = (await worlds.createWorlds(api)) as [worlds.World];
  [bySession] = (await worlds.createSessionWorlds(api)) as [worlds.World];
  const { body: me } = await api.call({ url: '/account/me', headers: { ...bySession.session?.headers } });
  accountId = me.account.id;
  await api.admin('set-operator', me.user.email, 'on', '--unconfirmed');
});
afterAll(async () => {
  await api.close();
  await engine.remove();
});

const all = Object.values<Operation>({ ...operations, ...accountOperations });
const reading = all.filter(({ method }) => method === 'GET');

const worldOf = ({ path }: Operation) => (path.startsWith('/v1/') ? byKey : bySession);

/** What an operation has to be asked about. */
async function idFor(operation: Operation): Promise<string> {
  const collection = worlds.collectionOf(operation);
  if (collection === 'accounts') return accountId;
  if (collection === 'hosts') return 'shop.example';
  return worlds.make(api.call, worldOf(operation), collection, 7);
}

async function ask(method: 'GET' | 'HEAD', operation: Operation, id: string, headers = {}): Promise<Reply> {
  const call: worlds.Call = options => api.call({ ...options, method });
  const query = operation.id === 'findCodes' ? '?link=menu' : '';
  return await worlds.ask(call, worldOf(operation), { operation, query, body: undefined }, id, headers);
}

/** Headers that are another request's each time, or that only a body has. */
const ofItsOwn = /^(date|x-request-id|x-ratelimit-.*|transfer-encoding)$/;
const lasting = ({ headers }: Reply) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ofItsOwn.test(name)));

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
        expect(lasting(head)).toEqual(lasting(get));
      }
    },
  );

  test('of the live stream is answered at once, with its headers', async () => {
    const { status, headers, text } = await ask('HEAD', accountOperations.liveScans, '');
    expect([status, headers['content-type'], text]).toEqual([200, 'text/event-stream; charset=utf-8', '']);
  });
});

describe('405', () => {
  const paths = [...Map.groupBy(all, ({ path }) => path)];

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
