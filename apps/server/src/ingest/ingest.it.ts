import { setTimeout as pause } from 'node:timers/promises';
import { startMigratedClickHouse } from '@signpost/testing/clickhouse.ts';
import { createTestDatabase } from '@signpost/testing/database.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { checkedOf, createMemoryLog, type MemoryLog } from '@signpost/testing/file-scan-log.ts';
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
import { zeroId } from '../kernel/ids.ts';
import type { ClickHouse } from '../platform/clickhouse/clickhouse.ts';
import { createPostgres, type Postgres, sql } from '../platform/postgres/postgres.ts';
import { markUsedUp } from '../qrcodes/targets/used-up.ts';
import type { ScanBatch } from '../scans/scan.ts';
import { createClickHouseMonths } from '../scans/stores/clickhouse/clickhouse-months.ts';
import { createClickHouseRows } from '../scans/stores/clickhouse/clickhouse-rows.ts';
import { createIngestJobs } from './background-jobs.ts';
import { toInsertToken, toRows } from './counting/rows.ts';
import { eraseDue } from './erasure/erasure.ts';
import { requestErasures } from './erasure/request.ts';
import { classes } from './ingest.ts';
import { pruneIngest } from './prune.ts';
import { createIngest, type IngestParts } from './service.ts';

let engine: Engine;
let clickhouse: ClickHouse;
let db: Postgres;
let codes: Code[];
let log: MemoryLog;

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
  codes = await addCodes(db, 3);
  log = createMemoryLog();
  await clickhouse.command('truncate table scans');
  onTestFinished(() => db.close());
});

const logged: unknown[][] = [];
const write = (...line: unknown[]) => void logged.push(line);
const logger = { info: write, warn: write, error: write };

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
    ...more,
  });
  ingest.start();
  onTestFinished(() => ingest.stop());
  return ingest;
}

const positionOf = sql(
  'test-position',
  `select position, (select count(*) from ingest_groups) as open from ingest_positions where shard = 0`,
);

async function reaches(position: number): Promise<void> {
  await waitUntil(`ingest has stored position ${position}`, async () => {
    const [row] = await db.query<{ position: number; open: number }>(positionOf);
    return row?.position === position && row.open === 0;
  });
}

async function provesEqual(batches: readonly ScanBatch[]): Promise<void> {
  const expected = expectedCounts(batches);
  expect(await countedIn(db)).toEqual(expected);
  expect(await storedIn(clickhouse)).toEqual({ tally: expected, duplicates: 0, faults: [] });
}

const many = (count: number, visitors: number) =>
  Array.from({ length: count }, (_, n) =>
    batchOf(
      ...Array.from({ length: 1 + (n % 4) }, (_, i) => scanOf(codes[(n + i) % 3]!, (n * 7 + i) % visitors)),
    ),
  );

test('a scan is stored as it was sent, in every column', async () => {
  const scan = scanOf(codes[0]!, 1, {
    atMs: 1_794_706_241_007,
    city: 'Xi\\an\t"q"\n',
    country: 'CN',
    mode: 'test',
  });
  start();
  await reaches(log.append(batchOf(scanOf(codes[1]!, 1), scan)));
  const rows = await clickhouse.query('select * from scans where id = {id: UUID}', { id: scan.id });
  expect(rows).toEqual([
    {
      id: scan.id,
      account_id: scan.accountId,
      qr_code_id: scan.qrCodeId,
      at: '2026-11-15 01:30:41.007',
      mode: 'test',
      country: 'CN',
      region: scan.region,
      city: scan.city,
      device: scan.device,
      browser: scan.browser,
      visitor: '00000000-0000-0000-0000-000000000001',
      visitor_number: 1,
      time_window: '2026-11',
      is_unique: true,
      shard: 0,
      log_number: 0,
      position: 1,
      place: 1,
      rule_id: zeroId,
      target_id: zeroId,
      placement: '',
      language: scan.language,
    },
  ]);
});

test('batches sent twice, next to each other or far apart, count once', async () => {
  const batches = many(60, 40);
  start();
  await reaches(log.append(...batches, batches[3]!, batches[3]!));
  await reaches(log.append(...many(2, 5), ...batches.slice(10, 30)));
  const all = [];
  for await (const entry of log.read(0, 0, AbortSignal.timeout(5_000))) {
    if (entry.kind === 'batch') all.push(entry.batch);
    if (entry.position === 84) break;
  }
  await provesEqual(all);
});

test('reading the log again from an old position, three times, changes nothing', async () => {
  const batches = many(200, 50);
  let ingest = start();
  await reaches(log.append(...batches));
  for (let times = 0; times < 3; times++) {
    await ingest.stop();
    await db.query(sql('test-rewind', 'update ingest_positions set position = $1'), [times * 13]);
    ingest = start({ limits: { groupMs: 10, groupScans: 50 + times * 31 } });
    await reaches(batches.length);
    await provesEqual(batches);
  }
});

test('a PostgreSQL restored to an older state catches up without duplicating stored rows', async () => {
  const batches = many(120, 50);
  const first = start({ limits: { groupScans: 37, groupMs: 5 } });
  await reaches(log.append(...batches));
  await first.stop();
  await db.query(sql('test-put-back', 'truncate scan_batches, visitors, scan_counts'));
  await db.query(sql('test-rewind', 'update ingest_positions set position = $1'), [0]);
  start({ limits: { groupScans: 50, groupMs: 5 } });
  const more = many(30, 60);
  await reaches(log.append(...more));
  await provesEqual([...batches, ...more]);
});

test('200 scans by one visitor in parallel batches on two shards are one unique', async () => {
  const other = createMemoryLog();
  const batches = Array.from({ length: 200 }, () => batchOf(scanOf(codes[0]!, 7)));
  const limits = { groupScans: 7, groupMs: 1 };
  start({ limits });
  start({ limits, shard: 1, log: other });
  for (const [n, batch] of batches.entries()) (n % 2 ? log : other).append(batch);
  await waitUntil('all are stored', async () => {
    const { tally } = await storedIn(clickhouse);
    return tally[codes[0]!.id]?.total === 200;
  });
  await provesEqual(batches);
});

test('an insert whose response is lost, or that arrives late, is stored once', async () => {
  let calls = 0;
  const late: Promise<void>[] = [];
  const shaky: ClickHouse = {
    ...clickhouse,
    async insert(...args) {
      const turn = calls++ % 4;
      if (turn === 0) throw new Error('cut off before');
      // Arrives only after the next attempt has queried what is stored.
      if (turn === 1) late.push(pause(80).then(() => clickhouse.insert(args[0], args[1], args[2])));
      else await clickhouse.insert(...args);
      if (turn !== 3) throw new Error('cut off after');
    },
  };
  const batches = many(40, 15);
  start({ rows: createClickHouseRows(shaky), limits: { groupScans: 10, groupMs: 5 } });
  await reaches(log.append(...batches));
  await Promise.all(late);
  expect(late.length).toBeGreaterThan(2);
  await provesEqual(batches);
});

test('rows are stored even if ClickHouse knows their token but has lost them', async () => {
  const batch = batchOf(scanOf(codes[0]!, 1), scanOf(codes[0]!, 2));
  const group = { shard: 0, log: 0, afterPosition: 0, toPosition: 1, entries: [checkedOf(1, batch)] };
  const rows = toRows(group, { classifications: Buffer.of(classes.unique, classes.unique), numbers: [1, 2] });
  const stored = createClickHouseRows(clickhouse);
  await stored.insert(rows, toInsertToken(group), {});
  await clickhouse.command('delete from scans where position = 1');
  await stored.insert(rows, toInsertToken(group), {});
  expect((await storedIn(clickhouse)).tally).toEqual({});
  for (let times = 0; times < 2; times++) await stored.insertMissing(group, rows, toInsertToken(group), {});
  expect(await storedIn(clickhouse)).toEqual({ tally: expectedCounts([batch]), duplicates: 0, faults: [] });
});

test('of two workers on one shard one works, and the other takes over when it stops', async () => {
  const reads: string[] = [];
  const watched = (name: string): MemoryLog => ({
    ...log,
    read: (...args) => {
      reads.push(name);
      return log.read(...args);
    },
  });
  const first = start({ log: watched('first') });
  await reaches(log.append(...many(5, 5)));
  start({ log: watched('second') });
  const batches = many(30, 5);
  for (const batch of batches) log.append(batch);
  await reaches(35);
  expect(reads).toEqual(['first']);
  await first.stop();
  await reaches(log.append(...many(5, 5)));
  expect(reads).toEqual(['first', 'second']);
});

test('a worker without heartbeats loses its shard, and counts nothing after that', async () => {
  const batches = many(20, 9);
  const mute: Postgres = {
    ...db,
    query: async (statement, values) => (statement.name === 'heartbeat' ? [] : db.query(statement, values)),
  };
  start({ db: mute, limits: { groupMs: 10 } });
  await reaches(log.append(...batches.slice(0, 10)));
  const [first] = await db.query<{ owner: string }>(ownerOf);
  // Heartbeats come every 500 ms: with this timeout the mute worker too would soon claim the shard back.
  start({ limits: { ownerTimeoutMs: 300, groupMs: 10 } });
  await waitUntil('the shard has another owner', async () => {
    const [row] = await db.query<{ owner: string }>(ownerOf);
    return row?.owner !== first?.owner;
  });
  const [second] = await db.query(ownerOf);
  await reaches(log.append(...batches.slice(10)));
  await provesEqual(batches);
  expect(await db.query(ownerOf)).toEqual([second]);
});

const ownerOf = sql('test-owner', 'select owner from ingest_positions where shard = 0');

test('an entry that ingest or ClickHouse refuses is quarantined, and the others are counted', async () => {
  await clickhouse.command(`alter table scans add constraint if not exists no_zz check country != 'ZZ'`);
  onTestFinished(() => clickhouse.command('alter table scans drop constraint no_zz'));
  const good = many(10, 5);
  const refused = batchOf(scanOf(codes[0]!, 99, { country: 'ZZ' }), scanOf(codes[1]!, 99));
  const broken = [
    batchOf(scanOf(codes[0]!, 1, { visitor: 'x' })),
    batchOf(scanOf(codes[0]!, 1, { atMs: Number.NaN })),
    { id: 'none', scans: [] },
    ...[null, { id: good[0]!.id, scans: 7 }, { id: good[0]!.id, scans: [null] }].map(
      one => one as unknown as ScanBatch,
    ),
  ];
  start();
  await reaches(log.append(...good.slice(0, 5), refused, ...broken, ...good.slice(5)));
  const after = batchOf(scanOf(codes[0]!, 99));
  await reaches(log.append(after));
  await provesEqual([...good, after]);
  const aside = await db.query(
    sql('test-aside', 'select position, reason from ingest_quarantine order by 1'),
  );
  expect(aside).toEqual([
    { position: 6, reason: 'VIOLATED_CONSTRAINT' },
    { position: 7, reason: 'visitor' },
    { position: 8, reason: 'atMs' },
    { position: 9, reason: 'batch id' },
    { position: 10, reason: 'batch id' },
    { position: 11, reason: 'scans' },
    { position: 12, reason: 'scan' },
  ]);
});

test('with ClickHouse down ingest waits, and loses nothing', async () => {
  const batches = many(50, 20);
  start();
  await reaches(log.append(...batches.slice(0, 10)));
  await engine.kill('SIGKILL');
  log.append(...batches.slice(10, 30));
  await waitUntil('ingest has noticed', () => logged.some(line => line[1] === 'ingest interrupted'));
  await engine.restart();
  await reaches(log.append(...batches.slice(30)));
  await provesEqual(batches);
});

test('a deleted code leaves nothing behind, neither of stored scans nor of scans still in the log', async () => {
  const [gone, kept] = codes as [Code, Code];
  start();
  await reaches(log.append(batchOf(scanOf(gone, 1), scanOf(kept, 1)), batchOf(scanOf(gone, 2))));
  await db.transaction(async tx => {
    await tx.query(
      sql('test-delete', `update qr_codes set status = 'deleted', destination_url = '' where id = $1`),
      [gone.id],
    );
    await requestErasures(tx, [gone.id], new Date());
  });
  await reaches(log.append(batchOf(scanOf(gone, 3), scanOf(kept, 2))));
  const jobs = createIngestJobs({
    db,
    rows: createClickHouseRows(clickhouse),
    months: createClickHouseMonths(clickhouse),
    retentionMonths: null,
    clickhouse,
    logger,
    eraseEveryMs: 50,
  });
  jobs.start();
  await waitUntil('the code is swept', async () => (await db.query(sweptOnce)).length > 0);
  await jobs.stop();
  const left = { [kept.id]: { total: 2, uniques: 2 } };
  expect(await countedIn(db)).toEqual(left);
  expect((await storedIn(clickhouse)).tally).toEqual(left);
  const visitors = sql('test-visitors', 'select count(*) from visitors where qr_code_id = $1');
  expect(await db.query(visitors, [gone.id])).toEqual([{ count: 0 }]);
  expect(await db.query(visitors, [kept.id])).toEqual([{ count: 2 }]);
  // Not due again for half a minute; the third sweep is the last.
  expect(await eraseDue(db, createClickHouseRows(clickhouse))).toBe(0);
  for (const expected of [1, 1, 0]) {
    await db.query(sql('test-later', 'update erasures set sweep_at = now()'));
    expect(await eraseDue(db, createClickHouseRows(clickhouse))).toBe(expected);
  }
});

const sweptOnce = sql('test-swept', 'select 1 as once from erasures where sweeps = 1');

test("old batch ids and visitors of past windows are removed by PostgreSQL's clock", async () => {
  start();
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  // A day that its month does not have is removed like any other, and blocks nothing else.
  const [old, recent] = [
    ['2020-01', '2020-02-31', day(9)],
    [day(7), day(0), day(0).slice(0, 7)],
  ];
  const scans = [...old, ...recent].map(window => scanOf(codes[0]!, 1, { window }));
  const [forgotten, remembered] = [batchOf(...scans), batchOf(scanOf(codes[0]!, 2, { window: day(0) }))];
  await reaches(log.append(forgotten, remembered));
  const age = sql(
    'test-age',
    "update scan_batches set at = now() - $2 * interval '1 hour' where batch_id = $1",
  );
  await db.query(age, [forgotten.id, 8 * 24 + 1]);
  await db.query(age, [remembered.id, 8 * 24 - 1]);
  const tidied = await pruneIngest(db);
  expect(tidied).toMatchObject({ batches: 1, quarantined: 0 });
  expect(tidied.tables).toHaveLength(2 * old.length);
  const left = await db.query<{ w: string }>(
    sql('test-windows', 'select distinct time_window as w from visitors'),
  );
  expect(left.map(({ w }) => w).filter(w => old.includes(w))).toEqual([]);
  expect(left.map(({ w }) => w)).toEqual(expect.arrayContaining(recent));
  const batches = await db.query<{ id: string }>(
    sql('test-batches', 'select batch_id as id from scan_batches'),
  );
  expect(batches.map(({ id }) => id)).toContain(remembered.id);
  expect(batches.map(({ id }) => id)).not.toContain(forgotten.id);
  // A window whose table is gone gets a new one.
  await reaches(log.append(batchOf(...scans.map(scan => scanOf(codes[0]!, 1, { window: scan.window })))));
});
