import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../../../test/support/database.ts';
import { createPostgres } from '../platform/postgres.ts';
import { createSpoolsLeft } from './spools-left.ts';

test('what is left a second time, since nobody could forget the first, is listed once', async () => {
  const databaseUrl = await createTestDatabase();
  const db = createPostgres(
    { databaseUrl, databasePooler: 'none', databasePoolSize: 2, databaseTimeoutMs: 5_000 },
    () => undefined,
  );
  onTestFinished(() => db.close());
  const left = createSpoolsLeft(db);
  const spoolId = randomUUID();
  const spool = { spoolId, host: 'a', directory: '/spool', scans: 30, bytes: 3_000 };
  await left.note(spool);
  await left.note({ ...spool, scans: 31 });
  expect(await left.list()).toMatchObject([{ host: 'a', scans: 31, bytes: 3_000 }]);
  await left.forget(spoolId);
  expect(await left.list()).toEqual([]);
});
