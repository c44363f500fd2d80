import { createTestDatabase } from '@signpost/testing/database.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPostgres, type Postgres, sql } from '../../platform/postgres/postgres.ts';
import { createUnnumberedReader } from '../links/store.ts';
import { createInvalidationRelay } from './invalidation-relay.ts';
import { noteLinkChanges } from './link-changes.ts';

let db: Postgres;

beforeAll(async () => {
  const databaseUrl = await createTestDatabase();
  db = createPostgres(
    { databaseUrl, databasePooler: 'none', databasePoolSize: 5, databaseTimeoutMs: 5000 },
    () => {},
  );
});
afterAll(() => db.close());

const keysLeft = async () =>
  (await db.query<{ key: string }>(sql('keys-left', 'select key from link_changes order by n'))).map(
    row => row.key,
  );

test('changes stay in the table until they have a number, and are tried again within a second', async () => {
  await noteLinkChanges(db, ['menu', 'wine', 'menu']);
  const tried: string[][] = [];
  let isNumbered = false;
  const relay = createInvalidationRelay({
    db,
    links: {
      async number(keys) {
        tried.push([...keys].sort());
        return isNumbered;
      },
    },
    logger: { warn: () => {} },
  });
  relay.start();
  await waitUntil('it has been tried twice', () => tried.length >= 2, { timeoutMs: 5000 });
  expect(await keysLeft()).toEqual(['menu', 'wine', 'menu']);
  isNumbered = true;
  await waitUntil('the table is empty', async () => (await keysLeft()).length === 0, { timeoutMs: 5000 });
  await relay.stop();
  for (const keys of tried) expect(keys).toEqual(['menu', 'wine']);
});

test('a redirect that joins reads the changes without a number, claimed or not, and gives up on very many', async () => {
  const known: number[] = [];
  const read = createUnnumberedReader(db, { catchUpTo: async version => void known.push(version) });
  expect((await read()).keys).toEqual([]);
  await noteLinkChanges(db, ['menu', 'wine']);
  await db.query(sql('claim-all', 'update link_changes set claimed_at = now()'));
  const { keys, catchUpStops } = await read();
  expect([...keys!].sort()).toEqual(['menu', 'wine']);
  await catchUpStops();
  const [stops] = await db.query<{ n: number }>(sql('stops-now', 'select n from stop_version'));
  expect(known).toEqual([stops!.n]);
  await noteLinkChanges(
    db,
    Array.from({ length: 10_000 }, (_, i) => `k${i}`),
  );
  expect((await read()).keys).toBeNull();
});
