import { createTestDatabase } from '@signpost/testing/database.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { createMemoryLog } from '@signpost/testing/file-scan-log.ts';
import { addCodes, batchOf, type Code, scanOf } from '@signpost/testing/scan-ledger.ts';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Uuid } from '../kernel/ids.ts';
import { createPostgres, type Postgres, sql } from '../platform/postgres/postgres.ts';
import { markUsedUp } from '../qrcodes/targets/used-up.ts';
import type { Scan } from '../scans/scan.ts';
import { createPostgresRows } from '../scans/stores/postgres/postgres-rows.ts';
import { lockRollUps } from '../scans/stores/postgres/roll-ups.ts';
import { toWindowName } from '../scans/visitor.ts';
import { eraseDue } from './erasure/erasure.ts';
import { requestErasures } from './erasure/request.ts';
import { createIngest } from './service.ts';

let db: Postgres;
let codes: Code[];
let databaseUrl: string;

const limitsOf = (databaseTimeoutMs = 10_000) =>
  ({ databaseUrl, databasePooler: 'none', databasePoolSize: 12, databaseTimeoutMs }) as const;

beforeEach(async () => {
  databaseUrl = await createTestDatabase();
  db = createPostgres(limitsOf(), () => undefined);
  codes = await addCodes(db, 3);
  onTestFinished(() => db.close());
});

const shards = 3;
const visitors = 12;

/** Within seven weeks and in no order, most within some hours of another by the same visitor. */
function someScans(count: number): Scan[] {
  return Array.from({ length: count }, (_, n) => {
    const day = Math.floor(Math.random() * 49);
    const atMs = Date.UTC(2026, 8, 10 + day) + Math.floor(Math.random() * 100) * 900_000 + (n % 3);
    const window = toWindowName(atMs, 'month');
    return scanOf(codes[n % 3]!, Math.floor(Math.random() * visitors), {
      atMs,
      window,
      mode: n % 7 === 0 ? 'test' : 'live',
    });
  });
}

/** Counts scans in several shards at once; `during` runs meanwhile. */
async function count(scans: readonly Scan[], during: () => Promise<void> = async () => undefined) {
  const rows = createPostgresRows(db);
  const logger = { info() {}, warn() {}, error() {} };
  const logs = Array.from({ length: shards }, (_, n) => {
    const log = createMemoryLog();
    const limits = { groupMs: 5, groupScans: 20 };
    const shard = nextShard++;
    const ingest = createIngest({ markUsedUp, db, rows, log, shard, logger, limits });
    const ends = scans.filter((_scan, index) => index % shards === n).map(scan => log.append(batchOf(scan)));
    ingest.start();
    return { shard, ingest, end: ends.at(-1)! };
  });
  await during();
  for (const { shard, ingest, end } of logs) {
    await waitUntil('the scans are counted', async () => (await db.query(isAt, [shard, end])).length > 0);
    await ingest.stop();
  }
}
let nextShard = 0;
const isAt = sql('test-is-at', 'select from ingest_positions where shard = $1 and position = $2');

type Row = {
  readonly id: Uuid;
  readonly account_id: Uuid;
  readonly qr_code_id: Uuid;
  readonly mode: string;
  readonly at_ms: number;
  readonly visitor_number: number;
  readonly time_window: string;
  readonly country: string;
  readonly city: string;
  readonly device: string;
  readonly browser: string;
  readonly target_id: Uuid;
  readonly placement: string;
};

const allRows = sql(
  'test-rows',
  'select *, (extract(epoch from at) * 1000)::bigint as at_ms from scans order by at, id',
);
const keptQuarters = sql(
  'test-quarters',
  `select scope_id, mode, time_window, extract(epoch from quarter)::bigint * 1000 as quarter_ms, scans, firsts, lasts
     from scan_quarters where scans <> 0 or firsts <> 0 or lasts <> 0`,
);
const keptRepeats = sql(
  'test-repeats',
  `select scope_id, mode, extract(epoch from quarter)::bigint * 1000 as quarter_ms, gap, repeats
     from scan_repeats where repeats <> 0`,
);
const keptDays = sql(
  'test-days',
  `select scope_id, mode, kind, extract(epoch from day)::bigint * 1000 as day_ms, key_1, key_2, scans
     from scan_days where scans <> 0`,
);

const quarterMs = 900_000;
const toQuarter = (atMs: number) => Math.floor(atMs / quarterMs) * quarterMs;
const joined = (rows: readonly object[], count: number) =>
  Object.fromEntries(
    rows.map(row => {
      const values = Object.values(row);
      return [values.slice(0, -count).join(' '), values.slice(-count).join(' ')] as const;
    }),
  );

/** The roll-ups of these scopes are what their rows give. */
async function equalTheRows(scopes: readonly Uuid[]): Promise<void> {
  const rows = await db.query<Row>(allRows);
  const quarters = new Map<string, [number, number, number]>();
  const repeats = new Map<string, number>();
  const days = new Map<string, number>();
  const add = (to: Map<string, number>, key: string) => to.set(key, (to.get(key) ?? 0) + 1);
  for (const scope of scopes) {
    const own = rows.filter(row => row.account_id === scope || row.qr_code_id === scope);
    const chains = Map.groupBy(
      own,
      row => `${row.mode} ${row.visitor_number} ${new Date(row.at_ms).toISOString().slice(0, 7)}`,
    );
    for (const chain of chains.values()) {
      for (const [n, row] of chain.entries()) {
        const quarter = toQuarter(row.at_ms);
        const key = `${scope} ${row.mode} ${row.time_window} ${quarter}`;
        const sums = quarters.get(key) ?? [0, 0, 0];
        sums[0]++;
        if (n === 0) sums[1]++;
        if (n === chain.length - 1) sums[2]++;
        quarters.set(key, sums);
        const gap = n === 0 ? 100 : (quarter - toQuarter(chain[n - 1]!.at_ms)) / quarterMs;
        if (gap < 100) add(repeats, `${scope} ${row.mode} ${quarter} ${gap}`);
        const day = Math.floor(row.at_ms / 86_400_000) * 86_400_000;
        add(days, `${scope} ${row.mode} a ${day} ${row.device} ${row.browser}`);
        add(days, `${scope} ${row.mode} p ${day} ${row.country} ${row.city}`);
        const [kind, first, second] =
          scope === row.account_id ? ['c', row.qr_code_id, ''] : ['t', row.target_id, row.placement];
        add(days, `${scope} ${row.mode} ${kind} ${day} ${first} ${second}`);
      }
    }
  }
  expect(joined(await db.query(keptQuarters), 3)).toEqual(
    Object.fromEntries([...quarters].map(([key, sums]) => [key, sums.join(' ')])),
  );
  const texts = (sums: ReadonlyMap<string, number>) =>
    Object.fromEntries([...sums].map(([key, sum]) => [key, String(sum)]));
  expect(joined(await db.query(keptRepeats), 1)).toEqual(texts(repeats));
  expect(joined(await db.query(keptDays), 1)).toEqual(texts(days));
}

const killCounting = sql(
  'test-kill',
  `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%insert into scan_counts%'`,
);
/** Counting waits for these just before it commits. */
const holdCounts = sql('test-hold-counts', 'select from scan_counts for update');

test('roll-ups equal the rows: built, counted in several shards at once, with killed transactions, midway through an erasure and after it', async () => {
  const [gone, ...others] = codes as [Code, Code, Code];
  const { accountId } = gone;
  await count(someScans(150));
  const rows = createPostgresRows(db, 40);
  expect(await rows.rollUp(40)).toBe(4);
  expect(await rows.rollUp(40)).toBe(0);
  const scopes = [accountId, ...codes.map(code => code.id)];
  await equalTheRows(scopes);

  await count(someScans(450), () =>
    db.transaction(async tx => {
      await tx.query(holdCounts);
      await waitUntil('a transaction was killed', async () => (await db.query(killCounting)).length > 0);
    }),
  );
  expect((await db.query(allRows)).length).toBe(600);
  await equalTheRows(scopes);

  await db.transaction(async tx => {
    await tx.query(
      sql('test-delete-code', `update qr_codes set status = 'deleted', destination_url = '' where id = $1`),
      [gone.id],
    );
    await requestErasures(tx, [gone.id], new Date());
  });
  const stop = new AbortController();
  let steps = 0;
  const renew = async () => {
    if (steps++ === 2) stop.abort();
  };
  await count(
    someScans(60).filter(scan => scan.qrCodeId !== gone.id),
    async () => {
      await rows.erase([accountId], [gone.id], renew, stop.signal).catch(() => undefined);
    },
  );
  const left = (await db.query<Row>(allRows)).filter(row => row.qr_code_id === gone.id);
  // Of 200, three steps of 40 are gone.
  expect(left.length).toBe(80);
  await equalTheRows(scopes.filter(scope => scope !== gone.id));
  expect(await eraseDue(db, rows)).toBe(1);
  await equalTheRows([accountId, ...others.map(code => code.id)]);
});

test('while a transaction that counts does not end, nothing is built and others go on counting', async () => {
  await count(someScans(30));
  const rows = createPostgresRows(db);
  await db.transaction(async tx => {
    await lockRollUps(tx, []);
    expect(await rows.rollUp(1)).toBe(0);
    await count(someScans(30));
  });
  expect(await rows.rollUp(1)).toBe(4);
  await equalTheRows([codes[0]!.accountId, ...codes.map(code => code.id)]);
});

test('a build may take longer than any other statement', async () => {
  await count(someScans(30));
  // The driver stops waiting for another statement after 1.1 s.
  await db.query(
    sql(
      'test-slow-build',
      `do $$ begin
         create function wait_for_test() returns trigger language plpgsql as 'begin perform pg_sleep(1.3); return null; end';
         create trigger slow after insert on scan_quarters execute function wait_for_test();
       end $$`,
    ),
  );
  const impatient = createPostgres(limitsOf(100), () => undefined);
  onTestFinished(() => impatient.close());
  expect(await createPostgresRows(impatient).rollUp(30)).toBe(1);
});
