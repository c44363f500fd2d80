import { createTestDatabase } from '@signpost/testing/database.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { createMemoryLog, type MemoryLog } from '@signpost/testing/file-scan-log.ts';
import {
  addCodes,
  batchOf,
  type Code,
  countedIn,
  expectedCounts,
  scanOf,
} from '@signpost/testing/scan-ledger.ts';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Uuid } from '../kernel/ids.ts';
import { createPostgres, type Postgres, sql } from '../platform/postgres/postgres.ts';
import { createReadPool } from '../platform/postgres/reading/read-pool.ts';
import { markUsedUp } from '../qrcodes/targets/used-up.ts';
import type { ScanBatch } from '../scans/scan.ts';
import { createPostgresRows } from '../scans/stores/postgres/postgres-rows.ts';
import { createPostgresScans } from '../scans/stores/postgres/postgres-scans.ts';
import { eraseDue } from './erasure/erasure.ts';
import { requestErasures } from './erasure/request.ts';
import { createIngest, type IngestParts } from './service.ts';

let db: Postgres;
let databaseUrl: string;
let codes: Code[];
let log: MemoryLog;

const limitsOf = () =>
  ({ databaseUrl, databasePooler: 'none', databasePoolSize: 8, databaseTimeoutMs: 5_000 }) as const;

beforeEach(async () => {
  databaseUrl = await createTestDatabase();
  db = createPostgres(limitsOf(), () => undefined);
  codes = await addCodes(db, 3);
  log = createMemoryLog();
  onTestFinished(() => db.close());
});

const logger = { info() {}, warn() {}, error() {} };

function start(more: Partial<IngestParts> = {}) {
  const limits = { groupMs: 10, ownerTimeoutMs: 1_000 };
  const rows = createPostgresRows(db);
  const ingest = createIngest({ markUsedUp, db, rows, log, shard: 0, logger, limits, ...more });
  ingest.start();
  onTestFinished(() => ingest.stop());
  return ingest;
}

const findPosition = sql('test-position-of', 'select position from ingest_positions where shard = $1');
const setPosition = sql('test-set-position', 'update ingest_positions set position = $1 where shard = 0');
const findOpen = sql('test-open', 'select shard from ingest_groups');
const tally = sql(
  'test-tally',
  `select qr_code_id as id, count(*) as total, count(*) filter (where is_unique) as uniques, count(distinct id) as ids
     from scans group by 1`,
);

const reaches = (position: number, shard = 0) =>
  waitUntil(`ingest has counted position ${position}`, async () => {
    const [row] = await db.query<{ position: number }>(findPosition, [shard]);
    return row?.position === position;
  });

async function provesEqual(batches: readonly ScanBatch[]): Promise<void> {
  const expected = expectedCounts(batches);
  expect(await countedIn(db)).toEqual(expected);
  const rows = await db.query<{ id: Uuid; total: number; uniques: number; ids: number }>(tally);
  expect(Object.fromEntries(rows.map(({ id, total, uniques }) => [id, { total, uniques }]))).toEqual(
    expected,
  );
  for (const { total, ids } of rows) expect(ids).toBe(total);
}

test('a scan is stored as it was sent, in every column', async () => {
  const code = codes[0]!;
  const sent = scanOf(code, 1, { atMs: 1_794_706_241_007, city: 'Xi\\an\t"q"\n, {null}', placement: 'till' });
  start();
  await reaches(log.append(batchOf(sent)));
  const pool = createReadPool(limitsOf(), () => undefined);
  onTestFinished(() => pool.close());
  const scope = { accountId: code.accountId, mode: 'live', qrCodeId: code.id } as const;
  const range = { fromMs: sent.atMs, toMs: sent.atMs + 1 };
  const {
    qrCodeId: _,
    accountId: _account,
    mode: _mode,
    visitor: _visitor,
    window: _window,
    sandbox: _sandbox,
    ...shown
  } = sent;
  expect(await createPostgresScans(pool).list(scope, range, { limit: 9, offset: 0 }, {})).toEqual([
    { ...shown, isUnique: true },
  ]);
});

test('batches sent twice and a log that is read again count once, and no group stays open', async () => {
  const batches = Array.from({ length: 60 }, (_, n) =>
    batchOf(
      ...Array.from({ length: 1 + (n % 4) }, (_none, i) => scanOf(codes[(n + i) % 3]!, (n * 7 + i) % 11)),
    ),
  );
  const ingest = start();
  await reaches(log.append(...batches, ...batches.slice(10, 30)));
  await ingest.stop();
  await db.query(setPosition, [5]);
  start();
  await reaches(80);
  await provesEqual(batches);
  expect(await db.query(findOpen)).toEqual([]);
});

test('200 scans by one visitor on two shards are one unique, and months come into being once', async () => {
  const batches = Array.from({ length: 200 }, (_, n) =>
    batchOf(scanOf(codes[0]!, 1, { atMs: Date.UTC(2024, n % 12, 3) })),
  );
  const other = createMemoryLog();
  start();
  start({ log: other, shard: 1 });
  for (const [n, batch] of batches.entries()) (n % 2 === 0 ? log : other).append(batch);
  await Promise.all([reaches(100), reaches(100, 1)]);
  await provesEqual(batches);
  const months = sql('test-months', `select inhrelid from pg_inherits where inhparent = 'scans'::regclass`);
  expect(await db.query(months)).toHaveLength(12);
});

test('a batch whose id was forgotten is known by its rows', async () => {
  const batch = {
    ...batchOf(scanOf(codes[0]!, 1), scanOf(codes[0]!, 2)),
    id: '018c0000-0000-7000-8000-000000000001',
  };
  start();
  await reaches(log.append(batch));
  await db.query(sql('test-forget', 'delete from scan_batches'));
  await reaches(log.append(batch));
  await provesEqual([batch]);
});

test('a group stays open until its messages are published, if somebody waits for them', async () => {
  let isPublished = false;
  let open = 0;
  const publisher: IngestParts['publisher'] = {
    isAwaited: async () => true,
    async publish() {
      open = (await db.query(findOpen)).length;
      if (!isPublished) {
        isPublished = true;
        throw new Error('away');
      }
    },
  };
  const batch = batchOf(scanOf(codes[0]!, 1));
  start({ publisher });
  await reaches(log.append(batch));
  await waitUntil('the group is closed', async () => isPublished && (await db.query(findOpen)).length === 0);
  expect(open).toBe(1);
  await provesEqual([batch]);
});

test('an erasure removes the rows of its codes, of every month, and no others', async () => {
  const [gone, kept] = codes as [Code, Code];
  const scans = Array.from({ length: 40 }, (_, n) =>
    scanOf(n % 2 === 0 ? gone : kept, n, { atMs: Date.UTC(2024, n % 12, 3) }),
  );
  start();
  await reaches(log.append(batchOf(...scans)));
  await db.transaction(async tx => {
    await tx.query(
      sql('test-delete', `update qr_codes set status = 'deleted', destination_url = '' where id = $1`),
      [gone.id],
    );
    await requestErasures(tx, [gone.id], new Date());
  });
  expect(await eraseDue(db, createPostgresRows(db))).toBe(1);
  await provesEqual([batchOf(...scans.filter(({ qrCodeId }) => qrCodeId === kept.id))]);
});
