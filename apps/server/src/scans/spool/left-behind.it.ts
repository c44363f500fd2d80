import { randomUUID } from 'node:crypto';
import { createTestDatabase } from '@signpost/testing/database.ts';
import { expect, onTestFinished, test } from 'vitest';
import { createPostgres } from '../../platform/postgres/postgres.ts';
import { createSpoolsLeft } from './left-behind.ts';

test('a spool that is left behind twice is listed once', async () => {
  const databaseUrl = await createTestDatabase();
  const db = createPostgres(
    { databaseUrl, databasePooler: 'none', databasePoolSize: 2, databaseTimeoutMs: 5_000 },
    () => undefined,
  );
  onTestFinished(() => db.close());
  const left = createSpoolsLeft(db);
  const spoolId = randomUUID();
  const spool = { spoolId, host: 'a', directory: '/spool', scans: 30, bytes: 3_000 };
  await left.record(spool);
  await left.record({ ...spool, scans: 31 });
  expect(await left.list()).toMatchObject([{ host: 'a', scans: 31, bytes: 3_000 }]);
  await left.remove(spoolId);
  expect(await left.list()).toEqual([]);
});
