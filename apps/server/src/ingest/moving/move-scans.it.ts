import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { startMigratedClickHouse } from '@signpost/testing/clickhouse.ts';
import { createTestDatabase } from '@signpost/testing/database.ts';
import { startClickHouse } from '@signpost/testing/engines/clickhouse.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { createMemoryLog, type MemoryLog } from '@signpost/testing/file-scan-log.ts';
import { addMonthsOfScans } from '@signpost/testing/months-of-scans.ts';
import { addCodes, batchOf, type Code, countedIn, scanOf, storedIn } from '@signpost/testing/scan-ledger.ts';
import { runCommand } from '@signpost/testing/server.ts';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createClickHouse } from '../../platform/clickhouse/clickhouse.ts';
import { createPostgres, type Postgres, sql } from '../../platform/postgres/postgres.ts';
import { markUsedUp } from '../../qrcodes/targets/used-up.ts';
import { createClickHouseRows } from '../../scans/stores/clickhouse/clickhouse-rows.ts';
import { createPostgresRows } from '../../scans/stores/postgres/postgres-rows.ts';
import type { RowStore } from '../../scans/stores/row-storage.ts';
import { eraseDue } from '../erasure/erasure.ts';
import { requestErasures } from '../erasure/request.ts';
import { createIngest } from '../service.ts';
import { moveScans } from './move-scans.ts';

let db: Postgres;
let databaseUrl: string;
let codes: Code[];

beforeEach(async () => {
  databaseUrl = await createTestDatabase();
  db = createPostgres(
    { databaseUrl, databasePooler: 'none', databasePoolSize: 8, databaseTimeoutMs: 60_000 },
    () => undefined,
  );
  codes = await addCodes(db, 4);
  onTestFinished(() => db.close());
});

async function openClickHouse() {
  const { engine, clickhouse } = await startMigratedClickHouse();
  onTestFinished(async () => {
    await clickhouse.close();
    await engine.remove();
  });
  return { engine, clickhouse };
}

const main = new URL('../../main.ts', import.meta.url).pathname;
const settings = (clickhouseUrl = '') => ({
  DATABASE_URL: databaseUrl,
  CLICKHOUSE_URL: clickhouseUrl,
  PUBLIC_URL: 'https://api.example',
  SHORT_BASE_URL: 'https://sign.example',
});

const storePast = (perCode: number) => addMonthsOfScans(db, codes, perCode);

const deleteCode = sql('test-delete-code', 'delete from qr_codes where id = $1');
const findMoves = sql(
  'test-moves',
  'select coalesce(sum(rows), 0)::int as rows, count(to_log)::int as pending from scan_moves',
);
const findStore = sql('test-scan-store', 'select store, moving_to from scan_store');
const countRows = sql('test-count-scans', 'select count(*)::int as rows from scans');
const findErasures = sql('test-erasures', 'select qr_code_id from erasures');

function start(log: MemoryLog, rows: RowStore, onWarning: (message: string) => void = () => undefined) {
  const logger = { info() {}, error() {}, warn: ({ err }: { err?: Error }) => onWarning(err?.message ?? '') };
  const limits = { groupMs: 10, ownerTimeoutMs: 1_000 };
  const ingest = createIngest({ markUsedUp, db, rows, log, shard: 0, logger: logger as never, limits });
  ingest.start();
  onTestFinished(() => ingest.stop());
  return ingest;
}

/** Ends the command in the middle of an insert, or resolves to its exit code. */
async function moveAndKill(to: string): Promise<number | null> {
  const child = spawn(process.execPath, [main, 'move-scans', '--to', to], {
    env: { PATH: process.env.PATH, ...settings() },
    stdio: 'ignore',
  });
  const exit = once(child, 'exit');
  const findState = async () => (await db.query<{ rows: number; pending: number }>(findMoves))[0]!;
  const before = await findState();
  await waitUntil('a further insert is under way', async () => {
    const { rows, pending } = await findState();
    return child.exitCode !== null || (pending > 0 && (rows > before.rows || before.pending === 0));
  });
  child.kill('SIGKILL');
  return (await exit)[0] as number | null;
}

test('scans are moved under load, in spite of kills and of a deletion: none is lost, doubled or left of the deleted code', async () => {
  const { engine, clickhouse } = await openClickHouse();
  await storePast(15_000);
  const log = createMemoryLog();
  const warnings: string[] = [];
  const first = start(log, createPostgresRows(db), message => warnings.push(message));
  const stopping = new AbortController();
  const counting = (async () => {
    for (let n = 0; !stopping.signal.aborted; n++) {
      log.append(batchOf(...codes.map(code => scanOf(code, n % 50))));
      await sleep(10);
    }
  })();
  expect(await moveAndKill(engine.url)).toBeNull();
  expect(await moveAndKill(engine.url)).toBeNull();

  const [deleted, later] = [codes[3]!, codes[2]!];
  const remove = async (code: Code) => {
    await requestErasures(db, [code.id], new Date());
    await db.query(deleteCode, [code.id]);
  };
  await remove(deleted);
  while ((await eraseDue(db, createPostgresRows(db))) > 0);

  const lines: string[] = [];
  const target = { db, clickhouse, target: `${engine.url}/`, print: (line: string) => lines.push(line) };
  const moved = await moveScans({ ...target, rowsPerInsert: 1_000 });
  expect(moved.scans).toBeGreaterThan(45_000);
  expect(lines.join('\n')).toMatch(/\[#+\.*\] \d+ % {2}\d+ of \d+ scans, in 2026-\d\d/);
  expect(await db.query(findStore)).toEqual([{ store: 'clickhouse', moving_to: null }]);

  // The process that was started before counts nothing any more, and erases nothing.
  const [atSwitch] = await db.query<{ rows: number }>(countRows);
  await remove(later);
  await expect(eraseDue(db, createPostgresRows(db))).rejects.toThrow('Set CLICKHOUSE_URL and restart');
  await waitUntil('ingest says what to do', async () =>
    warnings.some(text => /restart this process/.test(text)),
  );
  expect(await db.query(countRows)).toEqual([atSwitch]);
  await first.stop();
  stopping.abort();
  await counting;

  const rows = createClickHouseRows(clickhouse);
  start(log, rows);
  const end = log.append(batchOf(scanOf(codes[0]!, 1)));
  await waitUntil('all is counted', async () => {
    const [row] = await db.query<{ done: boolean }>(hasCounted, [end]);
    return row!.done;
  });
  await waitUntil('both codes are erased', async () => {
    await db.query(sweepNow);
    await eraseDue(db, rows);
    return (await db.query(findErasures)).length === 0;
  });
  const { tally, duplicates } = await storedIn(clickhouse);
  expect(duplicates).toBe(0);
  expect(tally).toEqual(await countedIn(db));
  expect(Object.keys(tally).sort()).toEqual([codes[0]!.id, codes[1]!.id].sort());
});

const hasCounted = sql(
  'test-has-counted',
  'select position >= $1 and not exists (select from ingest_groups) as done from ingest_positions where shard = 0',
);
const sweepNow = sql('test-sweep-now', 'update erasures set sweep_at = now()');

test('a month that differs is removed and copied again, and nothing is switched before it agrees', async () => {
  const { clickhouse } = await openClickHouse();
  await storePast(300);
  const parts = { db, clickhouse, target: 'http://one/', print: () => undefined };
  const faulty = {
    ...clickhouse,
    insert: async (...[into, rows, ...rest]: Parameters<typeof clickhouse.insert>) => {
      await clickhouse.insert(into, rows.slice(1), ...rest);
    },
  };
  await expect(moveScans({ ...parts, clickhouse: faulty })).rejects.toThrow(
    /other scans of 2026-08, 2026-09, 2026-10 than PostgreSQL.*Run the same command again/,
  );
  expect(await db.query(findStore)).not.toMatchObject([{ store: 'clickhouse' }]);
  expect(await moveScans(parts)).toMatchObject({ scans: 1_200, months: 3 });
  expect((await storedIn(clickhouse)).tally).toEqual(await countedIn(db));
});

test('an insert whose answer is lost is repeated and stored once', async () => {
  const { clickhouse } = await openClickHouse();
  await storePast(300);
  let lost = 0;
  const losing = {
    ...clickhouse,
    insert: async (...call: Parameters<typeof clickhouse.insert>) => {
      await clickhouse.insert(...call);
      if (lost++ % 2 === 0) throw new Error('The connection was lost');
    },
  };
  const parts = { db, clickhouse: losing, target: 'http://one/', print: () => undefined };
  expect(await moveScans(parts)).toMatchObject({ scans: 1_200 });
  expect(lost).toBeGreaterThan(3);
  expect((await storedIn(clickhouse)).duplicates).toBe(0);
});

test('a ClickHouse that has other scans is refused', async () => {
  const { clickhouse } = await openClickHouse();
  await storePast(3);
  const parts = { db, clickhouse, print: () => undefined };
  await moveScans({ ...parts, target: 'http://one/' });
  await db.query(sql('test-back', `update scan_store set store = 'postgres'`));
  await expect(moveScans({ ...parts, target: 'http://one/' })).rejects.toThrow(
    /has 12 scans already.*Name an empty/,
  );
});

test('the command counts first, says what comes next, and removes the copy of PostgreSQL only after the switch', async () => {
  const engine = await startClickHouse();
  onTestFinished(() => engine.remove());
  await storePast(30);
  const run = (...args: string[]) => runCommand(['move-scans', ...args], settings());
  expect(await run()).toMatchObject({
    code: 1,
    output: expect.stringContaining('Name the ClickHouse with --to'),
  });
  const dry = await run('--to', engine.url, '--dry-run');
  expect(dry.output).toMatch(
    /2026-08 {2}40 scans\n2026-09 {2}40 scans\n2026-10 {2}40 scans\n120 scans would be copied/,
  );
  expect((await run('--to', engine.url, '--drop')).output).toContain('Run `signpost move-scans` first');
  const moved = await run('--to', engine.url);
  expect(moved).toMatchObject({ code: 0 });
  expect(moved.output).toMatch(
    /120 scans of 3 months.*agree by code and month.*\n.*set CLICKHOUSE_URL.*restart them/,
  );
  expect((await run('--to', engine.url)).output).toContain('in ClickHouse already');
  expect(await db.query(countRows)).toEqual([{ rows: 120 }]);
  expect((await run('--to', engine.url, '--drop')).output).toMatch(/Removed \d+ MB/);
  expect(await db.query(countRows)).toEqual([{ rows: 0 }]);
  const clickhouse = await createClickHouse(engine.url);
  onTestFinished(() => clickhouse.close());
  expect((await storedIn(clickhouse)).tally).toEqual(await countedIn(db));
});
