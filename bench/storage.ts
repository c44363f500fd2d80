import { randomUUID } from 'node:crypto';
import { startMigratedClickHouse } from '@signpost/testing/clickhouse.ts';
import { checkedOf } from '@signpost/testing/file-scan-log.ts';
import { createFixture } from '@signpost/testing/fixture.ts';
import { batchOf, type Code, ids, scanOf } from '@signpost/testing/scan-ledger.ts';
import { toArrayLiteral } from '../apps/server/src/ingest/arrays.ts';
import { toRows } from '../apps/server/src/ingest/counting/rows.ts';
import { classes } from '../apps/server/src/ingest/ingest.ts';
import { addBatches, addVisitors, numberVisitors } from '../apps/server/src/ingest/statements.ts';
import { createVisitorTables } from '../apps/server/src/ingest/visitor-tables.ts';
import type { Uuid } from '../apps/server/src/kernel/ids.ts';
import { type Database, sql } from '../apps/server/src/platform/postgres/postgres.ts';
import { scanColumns } from '../apps/server/src/scans/stores/scan-row.ts';
import { withDays } from '../apps/server/src/webhooks/attempt-days.ts';
import { type Attempt, addAttempts } from '../apps/server/src/webhooks/attempt-log.ts';
import { messageId, scanCreated } from '../apps/server/src/webhooks/event.ts';
import { record } from './record.ts';

const codes = 100_000;
const scans = 500_000;
const visitors = 1_000_000;
const attempts = 200_000;
const perBlock = 5_000;

/**
 * Bytes on disk, with indexes and roll-ups: of a code, a new visitor, a batch of scans and a webhook attempt in PostgreSQL,
 * and of a scan in ClickHouse.
 */
export default async function bench(args: readonly string[]): Promise<void> {
  const fixture = await createFixture();
  const { id: account } = await fixture.account();
  await fixture.db.query(fill, [account, codes]);
  await fixture.db.query(countEach);
  const known = await fixture.db.query<Code>(someCodes, [account]);
  const bytesPerVisitor = await measureVisitors(fixture.db, known);
  const bytesPerBatch = await measureBatches(fixture.db);
  const bytesPerAttempt = await measureAttempts(fixture.db, known);
  const bytesPerCode = (await bytesOf(fixture.db, ['qr_codes', 'scan_counts'])) / codes;
  await fixture.close();

  const { engine, clickhouse } = await startMigratedClickHouse();
  for (let at = 0; at < scans; at += perBlock) {
    // Few codes have most of the scans.
    const codeOf = () => known[Math.floor(known.length * Math.random() ** 3)]!;
    const some = Array.from({ length: perBlock }, (_, n) =>
      scanOf(codeOf(), Math.floor((at + n) * Math.random())),
    );
    const entries = [checkedOf(at + 1, batchOf(...some))];
    const group = { shard: 0, log: 0, afterPosition: at, toPosition: at + 1, entries };
    const numbers = Array.from({ length: perBlock }, () => Math.floor(Math.random() * scans));
    const rows = toRows(group, { classifications: Buffer.alloc(perBlock, classes.counted), numbers });
    await clickhouse.insert({ table: 'scans', columns }, rows, `storage-${at}`);
  }
  await clickhouse.command('optimize table scans final', {}, { timeoutMs: 120_000 });
  const [disk] = await clickhouse.query<{ bytes: number; held: number }>(
    `select sum(bytes_on_disk) as bytes, sum(rows) as held from system.parts where table = 'scans' and active`,
  );
  await clickhouse.close();
  await engine.remove();

  const bytesPerScan = disk!.bytes / disk!.held;
  record(args, 'storage', { bytesPerCode, bytesPerVisitor, bytesPerBatch, bytesPerScan, bytesPerAttempt });
  console.log(
    `storage bytes_per_code ${bytesPerCode.toFixed(0)} bytes_per_visitor ${bytesPerVisitor.toFixed(0)} bytes_per_batch ${bytesPerBatch.toFixed(0)} bytes_per_scan ${bytesPerScan.toFixed(0)} bytes_per_attempt ${bytesPerAttempt.toFixed(0)} (${disk!.held} scans, ${visitors} visitors)`,
  );
}

/** Visitors who are new to their code and its account, written by the statements of ingest in random order. */
async function measureVisitors(db: Database, known: readonly Code[]): Promise<number> {
  const tables = ['visitors_2026_11', 'account_visitors_2026_11'];
  const entries = [checkedOf(1, batchOf(scanOf(known[0]!, 1)))];
  await createVisitorTables(db).prepare({ shard: 0, log: 0, afterPosition: 0, toPosition: 1, entries });
  const windows = toArrayLiteral(Array.from({ length: perBlock }, () => '2026-11'));
  for (let at = 0; at < visitors; at += perBlock) {
    const some = Array.from(
      { length: perBlock },
      () => known[Math.floor(known.length * Math.random() ** 3)]!,
    );
    const people = toArrayLiteral(some.map(() => randomUUID()));
    await db.query(numberVisitors, [toArrayLiteral(some.map(code => code.accountId)), windows, people]);
    await db.query(addVisitors, [toArrayLiteral(some.map(code => code.id)), windows, people]);
  }
  return (await bytesOf(db, tables)) / visitors;
}

/** As ingest stores them to recognise a repeated batch. */
async function measureBatches(db: Database): Promise<number> {
  for (let at = 0; at < visitors; at += perBlock)
    await db.query(addBatches, [toArrayLiteral(Array.from({ length: perBlock }, () => ids.next()))]);
  return (await bytesOf(db, ['scan_batches'])) / visitors;
}

/** Webhooks that were delivered at the first attempt, as deliver stores them. */
async function measureAttempts(db: Database, known: readonly Code[]): Promise<number> {
  const endpointId = ids.next();
  for (let at = 0; at < attempts; at += perBlock) {
    const some = Array.from({ length: perBlock }, (_, n) =>
      attemptOf(known[n % known.length]!, endpointId, at + n),
    );
    await withDays(
      db,
      some.map(({ result }) => result.at),
      () => addAttempts(db, some),
    );
  }
  const days = await db.query<{ name: string }>(attemptDays);
  return (
    (await bytesOf(
      db,
      days.map(({ name }) => name),
    )) / attempts
  );
}

function attemptOf(code: Code, endpointId: Uuid, visitor: number): Attempt {
  const scan = scanOf(code, visitor);
  const at = new Date();
  return {
    message: {
      id: messageId(scan.id, endpointId),
      endpointId,
      qrCodeId: code.id,
      event: 'scan.created',
      body: scanCreated(scan, true),
      createdAt: at,
    },
    number: 1,
    result: {
      at,
      durationMs: Math.floor(200 * Math.random()),
      responseStatus: 200,
      error: null,
      response: 'ok',
    },
    status: 'delivered',
  };
}

async function bytesOf(db: Database, tables: readonly string[]): Promise<number> {
  const [size] = await db.query<{ bytes: number }>(tableBytes, [tables]);
  return Number(size!.bytes);
}

const fill = sql(
  'fill-storage-codes',
  `insert into qr_codes (id, account_id, mode, number, status, made_by, short_code, link_key, name, destination_url, style, created_at, updated_at)
   select gen_random_uuid(), $1, 'live', n, 'active', 'api', 'bench-' || n, 'bench-' || n, 'Poster number ' || n, 'https://example.com/a/usual/path/' || n || '?utm_source=print', '{}', now(), now()
     from generate_series(0, $2::bigint - 1) n`,
);
/** Every code was scanned at least once, so each has a row of counts. */
const countEach = sql('storage-counts', 'insert into scan_counts (qr_code_id) select id from qr_codes');
const tableBytes = sql(
  'storage-table-bytes',
  'select sum(pg_total_relation_size(name::regclass)) as bytes from unnest($1::text[]) name',
);
const attemptDays = sql(
  'storage-attempt-days',
  `select relid::text as name from pg_partition_tree('webhook_attempts') where isleaf`,
);
const someCodes = sql(
  'storage-some-codes',
  `select id, account_id as "accountId" from qr_codes where account_id = $1 limit 2000`,
);

const columns = Object.keys(scanColumns) as [string, ...string[]];
