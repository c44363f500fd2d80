import { startMigratedClickHouse } from '@signpost/testing/clickhouse.ts';
import { createTestDatabase } from '@signpost/testing/database.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { createMemoryLog, entryOf, type MemoryLog } from '@signpost/testing/file-scan-log.ts';
import {
  addCodes,
  batchOf,
  type Code,
  countedIn,
  expectedCounts,
  scanOf,
  storedIn,
} from '@signpost/testing/scan-ledger.ts';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../config/config.ts';
import { systemClock } from '../kernel/clock.ts';
import { createIds } from '../kernel/ids.ts';
import type { ClickHouse } from '../platform/clickhouse/clickhouse.ts';
import { createPostgres, type Postgres, sql } from '../platform/postgres/postgres.ts';
import { markUsedUp } from '../qrcodes/targets/used-up.ts';
import { ackedWriter } from '../scans/log/acked-positions.ts';
import { newestVersion } from '../scans/log/format/batch.ts';
import type { LogEntry } from '../scans/log/format/entry.ts';
import type { ScanBatch } from '../scans/scan.ts';
import { createClickHouseRows } from '../scans/stores/clickhouse/clickhouse-rows.ts';
import type { IngestCounters } from './ingest.ts';
import { measureLag, recordReached } from './lag/lag.ts';
import { batchIdsKeptDays } from './prune.ts';
import { createIngest, type IngestParts } from './service.ts';

let engine: Engine;
let clickhouse: ClickHouse;
let db: Postgres;
let codes: Code[];
let log: MemoryLog;
let logged: unknown[][];
let trimmed: number;
let stopped: boolean;

beforeAll(async () => {
  ({ engine, clickhouse } = await startMigratedClickHouse());
});
afterAll(async () => {
  await clickhouse.close();
  await engine.remove();
});
beforeEach(async () => {
  const databaseUrl = await createTestDatabase();
  db = createPostgres(
    { databaseUrl, databasePooler: 'none', databasePoolSize: 8, databaseTimeoutMs: 5_000 },
    () => undefined,
  );
  onTestFinished(() => db.close());
  codes = await addCodes(db, 3);
  log = createMemoryLog();
  [logged, trimmed, stopped] = [[], 0, false];
  await clickhouse.command('truncate table scans');
});

const write = (...line: unknown[]) => void logged.push(line);
const logger = { info: write, warn: write, error: write };
const linesOf = (message: string) => logged.filter(line => line[1] === message).map(line => line[0]);

const counters: IngestCounters = {
  stored() {},
  repeated() {},
  ofDeletedCodes() {},
  quarantined() {},
  interrupted() {},
  trimmed: entries => {
    trimmed += entries;
  },
  stopped: (_, isStopped) => {
    stopped = isStopped;
  },
};

function start(more: Partial<IngestParts> = {}) {
  const limits = { groupMs: 10, ownerTimeoutMs: 1_000 };
  const ingest = createIngest({
    markUsedUp,
    db,
    rows: createClickHouseRows(clickhouse),
    log,
    shard: 0,
    logger,
    limits,
    counters,
    ...more,
  });
  ingest.start();
  onTestFinished(() => ingest.stop());
  return ingest;
}

type ShardState = { readonly log: number; readonly position: number; readonly open: number };

const findState = sql(
  'test-shard-state',
  'select log, position, (select count(*) from ingest_groups) as open from ingest_positions where shard = 0',
);

const reaches = (number: number, position: number) =>
  waitUntil(`log ${number} is stored up to ${position}`, async () => {
    const [row] = await db.query<ShardState>(findState);
    return row?.log === number && row.position === position && row.open === 0;
  });

async function provesEqual(batches: readonly ScanBatch[]): Promise<void> {
  const expected = expectedCounts(batches);
  expect(await countedIn(db)).toEqual(expected);
  expect(await storedIn(clickhouse)).toEqual({ tally: expected, duplicates: 0, faults: [] });
}

const many = (count: number) =>
  Array.from({ length: count }, (_, n) => batchOf(scanOf(codes[n % 3]!, n % 17), scanOf(codes[0]!, n)));

const gauge = () => ({ ...log, shards: async () => [0] });
async function recordLag(): Promise<void> {
  for (const lag of await measureLag(db, gauge(), Date.now())) await recordReached(db, log, lag);
}

const allLogs = () =>
  db.query(
    sql(
      'test-logs',
      'select number, counted_to, lost_entries from scan_logs where shard = 0 order by number',
    ),
  );

test('a replaced log is read from its start, whatever its length, and entries of the old one count once', async () => {
  const [before, after] = [many(20), many(30)];
  start();
  await reaches(0, log.append(...before));
  log.replace();
  // Redirects resend batches without an ack.
  await reaches(1, log.append(...before.slice(15), ...after));
  await provesEqual([...before, ...after]);
  expect(await allLogs()).toEqual([
    { number: 0, counted_to: 20, lost_entries: 0 },
    { number: 1, counted_to: null, lost_entries: null },
  ]);
  expect(linesOf('scan log replaced')).toMatchObject([{ shard: 0, log: 1, countedTo: 20, lostEntries: 0 }]);
  const rows = await clickhouse.query(
    'select log_number, uniqExact(position) as positions from scans group by 1 order by 1',
  );
  expect(rows).toEqual([
    { log_number: 0, positions: 20 },
    { log_number: 1, positions: 30 },
  ]);
});

test('a log that was replaced while ingest was stopped is detected by its creation time alone', async () => {
  const [before, after] = [many(20), many(30)];
  const first = start();
  await reaches(0, log.append(...before));
  await first.stop();
  log.replace();
  const end = log.append(...after);
  start();
  await reaches(1, end);
  await provesEqual([...before, ...after]);
});

test('a log restored from an older copy is detected by its entry at the position, even if it has grown since', async () => {
  const [before, after] = [many(20), many(30)];
  const first = start();
  await reaches(0, log.append(...before));
  await first.stop();
  log.replace(12);
  const end = log.append(...after);
  start();
  await reaches(1, end);
  await provesEqual([...before, ...after]);
  expect(linesOf('scan log replaced')).toMatchObject([{ log: 1, lostEntries: 0 }]);
});

test('entries that ingest had seen, and that are neither counted nor in the new log, are reported by number', async () => {
  const [counted, seen, copied] = [many(10), many(6), many(4)];
  const first = start();
  await reaches(0, log.append(...counted));
  await first.stop();
  log.append(...copied, ...seen);
  await recordLag();
  log.replace(14);
  const after = many(9);
  const end = log.append(...after);
  // Recording the new log, which has grown past the old one, must not hide the loss.
  await recordLag();
  start();
  await reaches(1, end);
  await provesEqual([...counted, ...copied, ...after]);
  expect(await allLogs()).toMatchObject([{ counted_to: 10, lost_entries: 6 }, {}]);
  const [lag] = await measureLag(db, gauge(), Date.now());
  expect(lag!.replaced).toMatchObject({ lostEntries: 6 });
  // Ingest has caught up with the next one: nothing is lost with it.
  log.replace();
  await reaches(2, log.append(...many(1)));
  expect(await allLogs()).toMatchObject([{ lost_entries: 6 }, { lost_entries: 0 }, {}]);
  const [last] = await measureLag(db, gauge(), Date.now());
  expect(last!.replaced).toMatchObject({ lostEntries: 0, lostInDay: 6 });
  expect(linesOf('scan log replaced')).toHaveLength(2);
});

test('entries that redirects had acks for, and that an older copy lacks, are reported although ingest never saw them', async () => {
  const [counted, copied, lost] = [many(10), many(4), many(6)];
  const first = start();
  await reaches(0, log.append(...counted));
  await first.stop();
  await ackedWriter(db, 0)('log 1', log.append(...copied, ...lost), 0);
  log.replace(14);
  start();
  await reaches(1, 14);
  await provesEqual([...counted, ...copied]);
  // No process saw when they were appended: the end of the copy is unknown, so all count as lost.
  expect(await allLogs()).toMatchObject([{ counted_to: 10, lost_entries: 10 }, {}]);
  expect(linesOf('scan log replaced')).toMatchObject([{ log: 1, countedTo: 10, reached: 20 }]);
});

test('a copy that has grown past the acks is detected if a redirect has seen the log', async () => {
  const [counted, copied, lost, after] = [many(10), many(4), many(6), many(9)];
  const first = start();
  await reaches(0, log.append(...counted));
  await first.stop();
  log.append(...copied, ...lost.slice(0, 4));
  await recordReached(db, log, { shard: 0, state: await log.readState(0) });
  await ackedWriter(db, 0)('log 1', log.append(...lost.slice(4)), 0);
  log.replace(14);
  const end = log.append(...after);
  start();
  await reaches(1, end);
  await provesEqual([...counted, ...copied, ...after]);
  expect(await allLogs()).toMatchObject([{ counted_to: 10, lost_entries: 6 }, {}]);
});

test('a state read before an older copy was restored is not recorded for the copy', async () => {
  const first = start();
  await reaches(0, log.append(...many(10)));
  await first.stop();
  log.append(...many(6));
  const state = await log.readState(0);
  log.replace(10);
  await recordReached(db, log, { shard: 0, state });
  expect(await reachedOf(0)).toEqual({ reached: 0, acked: 0 });
});

test('a position that is written late belongs to the log that it was acked in', async () => {
  const first = start();
  await reaches(0, log.append(...many(10)));
  log.replace(5);
  await reaches(1, log.append(...many(1)));
  await first.stop();
  const write = ackedWriter(db, 0);
  await write('log 1', 12, 600_000);
  expect([await reachedOf(0), await reachedOf(1)]).toMatchObject([{ acked: 12 }, { acked: 0 }]);
  await write('log 1', 7, 0);
  expect([await reachedOf(0), await reachedOf(1)]).toMatchObject([{ acked: 12 }, { acked: 7 }]);
});

const reachedOf = async (number: number) =>
  (
    await db.query(sql('test-reached', 'select reached, acked from scan_logs where number = $1'), [number])
  )[0];

test('entries that a new log lost before ingest first saw it are counted as trimmed', async () => {
  const [before, after] = [many(20), many(30)];
  const first = start();
  await reaches(0, log.append(...before));
  await first.stop();
  log.replace();
  const end = log.append(...after);
  log.trim(12);
  start();
  await reaches(1, end);
  await provesEqual([...before, ...after.slice(12)]);
  expect(trimmed).toBe(12);
});

test('entries that an older copy lost after they were counted are not counted as trimmed', async () => {
  const [before, after] = [many(20), many(30)];
  const first = start();
  await reaches(0, log.append(...before));
  await first.stop();
  log.trim(8);
  log.replace(12);
  const end = log.append(...after);
  start();
  await reaches(1, end);
  await provesEqual([...before, ...after]);
  expect(trimmed).toBe(0);
});

/** Lets ingest count the batches but not store them. Returns how many it had counted when it was stopped. */
async function countOnly(batches: readonly ScanBatch[]): Promise<number> {
  const unreachable = {
    ...clickhouse,
    insert: async () => {
      throw new Error('ClickHouse is away');
    },
  };
  const first = start({ rows: createClickHouseRows(unreachable) });
  log.append(...batches);
  await waitUntil('a group is open', async () => {
    const [row] = await db.query<ShardState>(findState);
    return row !== undefined && row.position > 0 && row.open > 0;
  });
  await first.stop();
  return (await db.query<ShardState>(findState))[0]!.position;
}

test('scans that were counted before the log was lost are stored although the log is gone', async () => {
  const [before, after] = [many(30), many(5)];
  const position = await countOnly(before);
  log.replace();
  const end = log.append(...after);
  start();
  await reaches(1, end);
  await provesEqual([...before.slice(0, position), ...after]);
});

test('a counted group in an unknown layout stops its shard until a version runs that can read it', async () => {
  const before = many(30);
  const position = await countOnly(before);
  const layout = sql('test-layout', 'update ingest_groups set entries = set_byte(entries, 10, $1)');
  await db.query(layout, [99]);
  start();
  await waitUntil('the shard is stopped', () => stopped);
  expect(linesOf('log entry has an unknown layout: its shard is stopped')).toMatchObject([{ version: 99 }]);
  expect((await db.query<ShardState>(findState))[0]).toMatchObject({ position });
  await db.query(layout, [newestVersion]);
  await reaches(0, 30);
  await provesEqual(before);
});

test('an unreadable entry is quarantined with its bytes and its reason, and the others are counted', async () => {
  const mark = { batchId: '', appendedAtMs: Date.now() } as const;
  const bytes = Buffer.from([1, 0xff, 0x00, 0xfe, 0x5c]);
  const unreadable: LogEntry = { kind: 'unreadable', position: 0, reason: 'bad_value', bytes, mark };
  const good = many(4);
  start();
  log.append(...good.slice(0, 2));
  log.appendEntries(unreadable);
  await reaches(0, log.append(...good.slice(2)));
  await provesEqual(good);
  const aside = sql('test-aside', 'select log, position, reason, entry from ingest_quarantine');
  expect(await db.query(aside)).toEqual([{ log: 0, position: 3, reason: 'bad_value', entry: bytes }]);
  expect(linesOf('log entry quarantined')).toMatchObject([{ position: 3, reason: 'bad_value' }]);
});

test('an entry in an unknown layout stops its shard until a version runs that can read it', async () => {
  const [before, behind] = [many(5), many(5)];
  const newer = batchOf(scanOf(codes[0]!, 99));
  const mark = { batchId: '', appendedAtMs: Date.now() } as const;
  const bytes = Buffer.of(99, 1, 2, 3);
  start();
  log.append(...before);
  log.appendEntries({ kind: 'unreadable', position: 0, reason: 'unknown_version', bytes, mark });
  const end = log.append(...behind);
  await waitUntil('the shard is stopped', () => stopped);
  await reaches(0, 5);
  await provesEqual(before);
  const stops = 'log entry has an unknown layout: its shard is stopped';
  expect(linesOf(stops)).toEqual([{ shard: 0, position: 6, version: 99 }]);
  // A newer version reads the same log, and takes the shard although the older one still runs.
  const knows: MemoryLog = {
    ...log,
    async *read(...args) {
      for await (const entry of log.read(...args))
        yield entry.kind === 'unreadable' ? entryOf(entry.position, newer) : entry;
    },
  };
  start({ log: knows });
  await reaches(0, end);
  await provesEqual([...before, newer, ...behind]);
  expect(await db.query(sql('test-aside', 'select 1 from ingest_quarantine'))).toEqual([]);
});

test('entries that were trimmed before they were counted are reported, once', async () => {
  const good = many(4);
  const first = start();
  log.append(...good.slice(0, 2));
  log.appendEntries({ kind: 'missing', position: 0, count: 7 });
  await reaches(0, 3);
  await first.stop();
  start();
  await reaches(0, log.append(...good.slice(2)));
  await provesEqual(good);
  expect(trimmed).toBe(7);
  expect(linesOf('scan log was trimmed before it was counted')).toMatchObject([{ position: 3, entries: 7 }]);
});

test('batch ids are kept for longer than any log retains its entries', () => {
  const env = {
    DATABASE_URL: 'postgres://x',
    REDIS_URL: 'redis://x',
    NATS_URL: 'nats://x',
    CLICKHOUSE_URL: 'http://x',
  };
  const daysOf = (days: string) => readConfig({ ...env, SCAN_LOG_DAYS: days }).scanLogDays;
  expect(daysOf('7')).toBeLessThan(batchIdsKeptDays);
  expect(() => daysOf('8')).toThrow('SCAN_LOG_DAYS');
});

test.each([-30, 30])('a batch created %i days from now whose id was pruned still counts once', async days => {
  const wrongDay = createIds({ now: () => new Date(systemClock.now().getTime() + days * 86_400_000) });
  const old = Array.from({ length: 5 }, (_, n) => ({
    id: wrongDay.next(),
    scans: [scanOf(codes[0]!, n, { id: wrongDay.next() }), scanOf(codes[1]!, n, { id: wrongDay.next() })],
  }));
  start();
  await reaches(0, log.append(...old.slice(0, 3)));
  await db.query(sql('test-forget', 'truncate scan_batches'));
  await reaches(0, log.append(...old, ...old));
  await provesEqual(old);
});
