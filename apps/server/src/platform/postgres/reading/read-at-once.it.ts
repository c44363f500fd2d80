import { createTestDatabase } from '@signpost/testing/database.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPostgres, type Postgres, unprepared } from '../postgres.ts';
import { readAtOnce } from './read-at-once.ts';

let db: Postgres;
beforeAll(async () => {
  const databaseUrl = await createTestDatabase();
  db = createPostgres(
    { databaseUrl, databasePooler: 'none', databasePoolSize: 2, databaseTimeoutMs: 5_000 },
    () => undefined,
  );
});
afterAll(() => db.close());

test('what is committed between two statements is in neither or in both', async () => {
  await db.query(unprepared('create table seen (id integer)'));
  const count = async (on: Pick<Postgres, 'query'>) =>
    (await on.query<{ count: number }>(unprepared('select count(*) as count from seen')))[0]!.count;
  await readAtOnce(db, 5_000, async tx => {
    expect(await count(tx)).toBe(0);
    await db.query(unprepared('insert into seen values (1)'));
    expect(await count(tx)).toBe(0);
  });
  expect(await count(db)).toBe(1);
});

test('a statement that takes too long is ended with timeout, and the limit holds for no other', async () => {
  const long = unprepared('select pg_sleep(0.5)');
  await expect(readAtOnce(db, 100, tx => tx.query(long))).rejects.toMatchObject({ code: 'timeout' });
  await expect(Promise.all([db.query(long), db.query(long)])).resolves.toHaveLength(2);
});
