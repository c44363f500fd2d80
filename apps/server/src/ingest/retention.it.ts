import { createTestDatabase } from '@signpost/testing/database.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { createMemoryLog } from '@signpost/testing/file-scan-log.ts';
import { addCodes, batchOf, type Code, scanOf } from '@signpost/testing/scan-ledger.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPostgres, type Postgres, sql } from '../platform/postgres/postgres.ts';
import { createReadPool, type ReadPool } from '../platform/postgres/reading/read-pool.ts';
import { toMonth } from '../scans/stores/month.ts';
import type { MonthStore } from '../scans/stores/month-storage.ts';
import { createPostgresMonths } from '../scans/stores/postgres/postgres-months.ts';
import { createPostgresRows } from '../scans/stores/postgres/postgres-rows.ts';
import type { ScanPublisher } from './ingest.ts';
import { removeOldMonths } from './retention.ts';
import { createIngest } from './service.ts';

const now = new Date();
const at = (monthsAgo: number, day = 10) =>
  Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo, day);

let db: Postgres;
let pool: ReadPool;
let months: MonthStore;
let codes: Code[];
let shard = 0;
const { signal } = new AbortController();

beforeAll(async () => {
  const config = {
    databaseUrl: await createTestDatabase(),
    databasePooler: 'none',
    databasePoolSize: 6,
    databaseTimeoutMs: 5_000,
  } as const;
  db = createPostgres(config, () => undefined);
  pool = createReadPool({ ...config, databasePoolSize: 1 }, () => undefined);
  months = createPostgresMonths(db, pool);
  codes = await addCodes(db, 3);
});
afterAll(async () => {
  await pool.close();
  await db.close();
});

const scan = (code: number, visitor: number, monthsAgo: number, day?: number) => {
  const atMs = at(monthsAgo, day);
  return scanOf(codes[code]!, visitor, { atMs, window: toMonth(atMs), country: 'DE' });
};

function startIngest(publisher?: ScanPublisher) {
  const log = createMemoryLog();
  const logger = { info() {}, warn() {}, error() {} };
  const rows = createPostgresRows(db);
  const limits = { groupMs: 5 };
  const ingest = createIngest({
    ...{ db, rows, log, logger, limits },
    ...(publisher ? { publisher } : {}),
    markUsedUp: async () => {},
    shard: shard++,
  });
  ingest.start();
  return { log, ingest, shard: shard - 1 };
}

async function count(...scans: ReturnType<typeof scanOf>[]): Promise<void> {
  const { log, ingest, shard } = startIngest();
  const end = log.append(batchOf(...scans));
  await waitUntil('they are counted', async () => (await db.query(countedTo, [shard, end])).length > 0);
  await ingest.stop();
}

const remove = (retentionMonths: number | null) => removeOldMonths({ db, months, retentionMonths }, signal);

const totals = async (monthsAgo: number) =>
  await db.query<{ code: string; scans: number; visitors: number; sole: number }>(totalsOfMonth, [
    toMonth(at(monthsAgo)),
  ]);

test('without the setting nothing is removed', async () => {
  await count(scan(0, 1, 9), scan(1, 1, 9), scan(1, 2, 9), scan(0, 1, 8), scan(0, 1, 0, 1));
  expect(await remove(null)).toEqual({ removed: [], waiting: [], isTaken: false });
  expect(await months.listMonths()).toEqual([9, 8, 0].map(n => toMonth(at(n))));
});

test('of two processes at once one removes a month, and it is summed once', async () => {
  const results = await Promise.all([remove(8), remove(8), remove(8)]);
  expect(results.flatMap(({ removed }) => removed)).toEqual([toMonth(at(9))]);
  expect(await months.listMonths()).toEqual([8, 0].map(n => toMonth(at(n))));
  const [whole, ...ofCodes] = await totals(9);
  expect(whole).toMatchObject({ scans: 3, visitors: 2 });
  expect(ofCodes).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ code: codes[0]!.id, scans: 1, visitors: 1, sole: 0 }),
      expect.objectContaining({ code: codes[1]!.id, scans: 2, visitors: 2, sole: 1 }),
    ]),
  );
});

test('a month is closed only after every transaction that counts scans of it', async () => {
  const [counting, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  // Called in the transaction, after the rows were inserted.
  const publisher = {
    async isAwaited() {
      counting.resolve();
      await go.promise;
      return false;
    },
    publish: async () => undefined,
  };
  const { log, ingest } = startIngest(publisher);
  log.append(batchOf(scan(0, 5, 8)));
  await counting.promise;
  const removal = remove(7);
  await waitUntil('the removal waits', async () => (await db.query(waiting)).length > 0);
  expect(await db.query(countedFrom)).toEqual([{ counted: toMonth(at(8)) }]);
  go.resolve();
  expect((await removal).removed).toEqual([toMonth(at(8))]);
  await ingest.stop();
  expect((await totals(8))[0]).toMatchObject({ scans: 2, visitors: 2 });
});

test('a batch with a scan of a removed month is quarantined whole, and later batches are counted', async () => {
  const before = await db.query(allCounts);
  const { log, ingest } = startIngest();
  log.append(batchOf(scan(2, 1, 9), scan(2, 1, 0, 1)));
  const end = log.append(batchOf(scan(2, 7, 0, 1)));
  await waitUntil('they are read', async () => (await db.query(countedTo, [shard - 1, end])).length > 0);
  await ingest.stop();
  expect(await db.query(allCounts)).toEqual([...before, { id: codes[2]!.id, scans: 1 }].sort(byId));
  expect(await db.query(reasons)).toEqual([{ reason: 'removed month' }]);
  expect(await months.listMonths()).toEqual([toMonth(at(0))]);
});

test('a setting that is raised again brings nothing back, and refuses what it refused', async () => {
  expect(await remove(24)).toEqual({ removed: [], waiting: [], isTaken: false });
  const [state] = await db.query<{ counted: string }>(countedFrom);
  expect(state!.counted).toBe(toMonth(at(7)));
});

const byId = (a: object, b: object) => ((a as { id: string }).id < (b as { id: string }).id ? -1 : 1);

const countedTo = sql('test-counted-to', 'select from ingest_positions where shard = $1 and position >= $2');

const totalsOfMonth = sql(
  'test-totals-of-month',
  `select qr_code_id as code, scans, visitors, sole_visitors as sole from scan_sums
    where month = $1 and kind = 'total' order by qr_code_id`,
);

const waiting = sql(
  'test-waiting',
  `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
);

const countedFrom = sql('test-counted-from', 'select counted_from as counted from scan_retention');

const allCounts = sql(
  'test-counts',
  'select qr_code_id as id, total_scans as scans from scan_counts order by qr_code_id',
);

const reasons = sql('test-reasons', 'select reason from ingest_quarantine');
