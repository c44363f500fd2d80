import { setTimeout as pause } from 'node:timers/promises';
import { startMigratedClickHouse } from '@signpost/testing/clickhouse.ts';
import { createTestDatabase } from '@signpost/testing/database.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { checkedOf, createMemoryLog } from '@signpost/testing/file-scan-log.ts';
import { p99 } from '@signpost/testing/percentile.ts';
import { addCodes, batchOf, type Code, scanOf } from '@signpost/testing/scan-ledger.ts';
import { toRows } from '../apps/server/src/ingest/counting/rows.ts';
import { classes, type Group } from '../apps/server/src/ingest/ingest.ts';
import { createIngest } from '../apps/server/src/ingest/service.ts';
import type { ClickHouse } from '../apps/server/src/platform/clickhouse/clickhouse.ts';
import { createPostgres, type Database, sql } from '../apps/server/src/platform/postgres/postgres.ts';
import { markUsedUp } from '../apps/server/src/qrcodes/targets/used-up.ts';
import type { ScanBatch } from '../apps/server/src/scans/scan.ts';
import { createClickHouseRows } from '../apps/server/src/scans/stores/clickhouse/clickhouse-rows.ts';
import { atColumn, scanColumns } from '../apps/server/src/scans/stores/scan-row.ts';
import { median } from './median.ts';
import { record } from './record.ts';

const rounds = 5;
const scansPerRound = 100_000;
const scansPerBatch = 10;
const groupScans = 5_000;
const aim = 0.5;
const steadyPerSecond = 300;
const steadySeconds = 10;

/**
 * Throughput of one worker with a full log, relative to bare inserts of the same rows in blocks of the same size by the same
 * client in the same run. Two of three scans are by a visitor who is new to the code and to its account.
 */
export default async function bench(args: readonly string[]): Promise<void> {
  const { engine, clickhouse } = await startMigratedClickHouse();
  await clickhouse.command('create table bare as scans');
  const databaseUrl = await createTestDatabase();
  const db = createPostgres(
    { databaseUrl, databasePooler: 'none', databasePoolSize: 4, databaseTimeoutMs: 30_000 },
    () => undefined,
  );
  const codes = await addCodes(db, 1_000);
  const rates: number[] = [];
  const ratios: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const batches = batchesOf(codes, round);
    const bare = await timeBare(clickhouse, batches, round);
    const ingest = await timeIngest(db, clickhouse, batches, round);
    console.log(
      `ingest ${round}/${rounds}: worker ${ingest.toFixed(0)} scans/s, bare ${bare.toFixed(0)} rows/s${round === 0 ? ' (warm-up)' : ''}`,
    );
    if (round === 0) continue;
    rates.push(ingest);
    ratios.push(ingest / bare);
  }
  const freshnessMs = await timeFreshness(db, clickhouse, codes);
  await db.close();
  await clickhouse.close();
  await engine.remove();
  const ratio = median(ratios);
  record(args, 'ingest', { scansPerSecond: median(rates), freshnessMs });
  console.log(
    `ingest scans_per_second ${median(rates).toFixed(0)} ratio ${ratio.toFixed(2)} aim ${aim} freshness_p99_ms ${freshnessMs}`,
  );
  if (ratio < aim) process.exitCode = 1;
}

function batchesOf(codes: readonly Code[], round: number): ScanBatch[] {
  const scan = () => {
    const visitor = Math.floor(Math.random() * scansPerRound);
    return scanOf(codes[visitor % codes.length]!, round * scansPerRound + visitor);
  };
  return Array.from({ length: scansPerRound / scansPerBatch }, () =>
    batchOf(...Array.from({ length: scansPerBatch }, scan)),
  );
}

async function timeBare(
  clickhouse: ClickHouse,
  batches: readonly ScanBatch[],
  round: number,
): Promise<number> {
  const perBlock = groupScans / scansPerBatch;
  const start = performance.now();
  for (let at = 0; at < batches.length; at += perBlock) {
    const entries = batches.slice(at, at + perBlock).map((batch, n) => checkedOf(at + n + 1, batch));
    const group: Group = {
      shard: round,
      log: 0,
      afterPosition: at,
      toPosition: at + entries.length,
      entries,
    };
    const rows = toRows(group, {
      classifications: Buffer.alloc(groupScans, classes.counted),
      numbers: Array.from({ length: groupScans }, (_, n) => at + n),
    });
    await clickhouse.insert({ table: 'bare', columns }, rows, `${round}-${at}`);
  }
  return perSecond(start);
}

async function timeIngest(
  db: Database,
  clickhouse: ClickHouse,
  batches: readonly ScanBatch[],
  shard: number,
): Promise<number> {
  const log = createMemoryLog();
  const end = log.append(...batches);
  const ingest = createIngest({
    markUsedUp,
    db,
    rows: createClickHouseRows(clickhouse),
    log,
    shard,
    logger: quiet,
    limits: { groupScans },
  });
  const start = performance.now();
  ingest.start();
  await waitUntil('all is stored', async () => (await db.query(doneAt, [shard, end])).length > 0, {
    timeoutMs: 120_000,
  });
  const rate = perSecond(start);
  await ingest.stop();
  return rate;
}

/** The p99 from a scan to its row at a steady 300 a second; the counts are updated before the row. */
async function timeFreshness(db: Database, clickhouse: ClickHouse, codes: readonly Code[]): Promise<number> {
  const log = createMemoryLog();
  const ages: number[] = [];
  const watched: ClickHouse = {
    ...clickhouse,
    async insert(table, rows, ...more) {
      await clickhouse.insert(table, rows, ...more);
      for (const row of rows) ages.push(Date.now() - Number(row[atColumn]) * 1_000);
    },
  };
  const ingest = createIngest({
    markUsedUp,
    db,
    rows: createClickHouseRows(watched),
    log,
    shard: rounds + 1,
    logger: quiet,
  });
  ingest.start();
  const perTick = 3;
  for (let sent = 0; sent < steadyPerSecond * steadySeconds; sent += perTick) {
    log.append(batchOf(...Array.from({ length: perTick }, (_, n) => scanOf(codes[n]!, sent + n))));
    await pause((1_000 * perTick) / steadyPerSecond);
  }
  await waitUntil('all is stored', () => ages.length === steadyPerSecond * steadySeconds);
  await ingest.stop();
  return Math.round(p99(ages));
}

const quiet = { info() {}, warn: console.warn, error: console.error };

const perSecond = (start: number) => scansPerRound / ((performance.now() - start) / 1_000);

const doneAt = sql(
  'bench-done',
  `select 1 as done from ingest_positions p where shard = $1 and position = $2
      and not exists (select from ingest_groups g where g.shard = p.shard)`,
);

const columns = Object.keys(scanColumns) as [string, ...string[]];
