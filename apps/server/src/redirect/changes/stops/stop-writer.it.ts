import { createTestDatabase } from '@signpost/testing/database.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../../kernel/clock.ts';
import { createIds, type Uuid } from '../../../kernel/ids.ts';
import { createPostgres, type Postgres, sql } from '../../../platform/postgres/postgres.ts';
import { createStops } from '../../links/stops.ts';
import { createStopReader } from '../../links/store.ts';
import type { StopChange } from './stop.ts';
import { createStopRelay } from './stop-relay.ts';
import { pruneLifted, writeAccountStop, writeHostStop } from './stop-writer.ts';

let db: Postgres;
const ids = createIds(systemClock);

beforeAll(async () => {
  const databaseUrl = await createTestDatabase();
  db = createPostgres(
    { databaseUrl, databasePooler: 'none', databasePoolSize: 5, databaseTimeoutMs: 5000 },
    () => {},
  );
});
afterAll(() => db.close());

async function account(): Promise<Uuid> {
  const id = ids.next();
  const insert = `insert into accounts (id, name, plan, created_at) values ($1, 'x', 'free', now())`;
  await db.query(sql('stops-insert-account', insert), [id]);
  await db.query(
    sql('stops-insert-counts', `insert into code_counts (account_id, mode) values ($1, 'live')`),
    [id],
  );
  return id;
}

const suspend = (id: Uuid) =>
  sql(
    `stops-suspend-${id}`,
    `insert into suspensions (id, account_id, cause, reason, suspended_at)
     values (gen_random_uuid(), '${id}', 'operator', 'x', now())`,
  );
const hold = (id: Uuid, at: string) =>
  sql(`stops-hold-${id}-${at}`, `update accounts set held_at = ${at} where id = '${id}'`);
const close = (id: Uuid) =>
  sql(`stops-close-${id}`, `update accounts set closed_at = now() where id = '${id}'`);
const clear = (id: Uuid) => sql(`stops-clear-${id}`, `delete from code_counts where account_id = '${id}'`);

const write = (id: Uuid, ...before: ReturnType<typeof suspend>[]) =>
  db.transaction(async tx => {
    for (const statement of before) await tx.query(statement);
    const [change] = await writeAccountStop(tx, id, new Date());
    return change!.reason;
  });

test('closed comes before suspended, and that before held; an account without codes has no stop', async () => {
  const id = await account();
  expect(await write(id)).toBeNull();
  expect(await write(id, hold(id, 'now()'))).toBe('held');
  expect(await write(id, suspend(id))).toBe('suspended');
  expect(await write(id, close(id))).toBe('closed');
  expect(await write(id, clear(id))).toBeNull();
});

test('of two concurrent changes of an account the second sees the first', async () => {
  for (let round = 0; round < 20; round++) {
    const id = await account();
    await write(id, hold(id, 'now()'));
    await Promise.all([write(id, suspend(id)), write(id, hold(id, 'null'))]);
    const [row] = await db.query<{ reason: string }>(
      sql('stops-reason', 'select reason from stops where subject = $1'),
      [`account/${id}`],
    );
    expect(row?.reason).toBe('suspended');
  }
});

test('numbers are in the order of commits: a reader that has read up to one has missed none before it', async () => {
  const stops = createStops(createStopReader(db));
  const version = sql('stops-version', 'select n from stop_version');
  const seen = async () => (await db.query<{ n: number }>(version))[0]!.n;
  let isOver = false;
  const writers = Promise.all(
    Array.from({ length: 4 }, async (_, writer) => {
      for (let i = 0; i < 50; i++)
        await db.transaction(tx => writeHostStop(tx, `h${writer}-${i}.example`, 'blocked', new Date()));
    }),
  ).then(() => {
    isOver = true;
  });
  while (!isOver) {
    const n = await seen();
    await stops.catchUpTo(n);
    const [row] = await db.query<{ count: number }>(
      sql('stops-count', 'select count(*) from stops where n <= $1 and reason is not null'),
      [stops.version],
    );
    expect([...stops.entries()]).toHaveLength(row!.count);
  }
  await writers;
});

test('the relay broadcasts changes that were not broadcast, and lifted stops are pruned after a day', async () => {
  const notified: StopChange[] = [];
  const relay = createStopRelay({
    db,
    redirects: { notify: async changes => void notified.push(...changes) },
    logger: { warn: () => {} },
  });
  const [set] = await db.transaction(tx => writeHostStop(tx, 'relayed.example', 'blocked', new Date()));
  const old = new Date(Date.now() - 25 * 60 * 60 * 1000);
  const [lifted] = await db.transaction(tx => writeHostStop(tx, 'lifted.example', null, old));
  relay.start();
  await waitUntil('both are relayed', () =>
    [set, lifted].every(change => notified.some(({ n }) => n === change!.n)),
  );
  await relay.stop();

  const stops = createStops(createStopReader(db));
  await stops.catchUpTo(lifted!.n - 1);
  await db.transaction(tx => pruneLifted(tx, 1000));
  expect(
    await db.query(sql('stops-gone', `select from stops where subject = 'host/lifted.example'`)),
  ).toHaveLength(0);
  // A reader that knows less than what was pruned reads all stops.
  const read = createStopReader(db);
  expect((await read(lifted!.n - 1)).isComplete).toBe(true);
  expect((await read(lifted!.n)).isComplete).toBe(false);
});
