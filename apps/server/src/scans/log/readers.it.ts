import { randomUUID } from 'node:crypto';
import { createTestDatabase } from '@signpost/testing/database.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createPostgres, type Postgres, sql } from '../../platform/postgres/postgres.ts';
import { newestVersion } from './format/batch.ts';
import { createReaderAnnouncement, watchReaders } from './readers.ts';

let db: Postgres;
beforeAll(async () => {
  const databaseUrl = await createTestDatabase();
  db = createPostgres(
    { databaseUrl, databasePooler: 'none', databasePoolSize: 4, databaseTimeoutMs: 30_000 },
    () => {},
  );
});
afterAll(() => db.close());
beforeEach(() => db.query(sql('test-empty-readers', 'delete from log_readers')));

const add = (version: number, ageSeconds = 0) =>
  db.query(
    sql(
      'test-add-reader',
      `insert into log_readers values (gen_random_uuid(), $1, now() - $2 * interval '1 second')`,
    ),
    [version, ageSeconds],
  );

function watch(from = db) {
  const watched = watchReaders(from, 20);
  onTestFinished(watched.stop);
  return watched;
}

test('a redirect writes the oldest layout until an ingest has announced itself, and then what all of them read', async () => {
  const readers = watch();
  expect(readers.version()).toBe(1);
  const one = createReaderAnnouncement(db, randomUUID());
  await one.job.run(AbortSignal.timeout(1_000));
  await waitUntil('the newest is written', () => readers.version() === newestVersion);
  await add(1);
  await waitUntil('an older ingest is considered', () => readers.version() === 1);
});

test('an ingest of a later version changes nothing', async () => {
  const readers = watch();
  await add(99);
  await waitUntil('the newest is written', () => readers.version() === newestVersion);
});

test('an ingest that has ended, or has been silent for long, no longer counts', async () => {
  const readers = watch();
  await add(1, 60);
  const one = createReaderAnnouncement(db, randomUUID());
  await one.job.run(AbortSignal.timeout(1_000));
  await waitUntil('the newest is written', () => readers.version() === newestVersion);
  await one.withdraw();
  const left = await db.query(sql('test-readers', 'select version from log_readers'));
  expect(left).toEqual([{ version: 1 }]);
});

test('without any ingest, and without PostgreSQL, what was known last still holds', async () => {
  const one = createReaderAnnouncement(db, randomUUID());
  await one.job.run(AbortSignal.timeout(1_000));
  let isDown = false;
  const failing = {
    ...db,
    query: ((...args: Parameters<Postgres['query']>) =>
      isDown ? Promise.reject(new Error('down')) : db.query(...args)) as Postgres['query'],
  };
  const readers = watch(failing);
  await waitUntil('the newest is written', () => readers.version() === newestVersion);
  await one.withdraw();
  await new Promise(resolve => setTimeout(resolve, 100));
  expect(readers.version()).toBe(newestVersion);
  isDown = true;
  await new Promise(resolve => setTimeout(resolve, 100));
  expect(readers.version()).toBe(newestVersion);
});
