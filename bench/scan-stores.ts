import { startMigratedClickHouse } from '@signpost/testing/clickhouse.ts';
import { createFixture } from '@signpost/testing/fixture.ts';
import { type Crowd, createProgressBar, generateScans, numbered } from '@signpost/testing/scan-generator.ts';
import { contextOn } from '@signpost/testing/unshared-queries.ts';
import { listBuckets, type Period, parsePeriod } from '../apps/server/src/analytics/period.ts';
import * as store from '../apps/server/src/analytics/store.ts';
import type { ClickHouse } from '../apps/server/src/platform/clickhouse/clickhouse.ts';
import { createPostgres, type Postgres, sql } from '../apps/server/src/platform/postgres/postgres.ts';
import { createReadPool } from '../apps/server/src/platform/postgres/reading/read-pool.ts';
import { monthlyTables } from '../apps/server/src/scans/stores/postgres/partitions.ts';
import { createPostgresRows } from '../apps/server/src/scans/stores/postgres/postgres-rows.ts';
import { createPostgresScans } from '../apps/server/src/scans/stores/postgres/postgres-scans.ts';
import type { WeekHourCount } from '../apps/server/src/scans/stores/scan-queries.ts';
import { type ScanRow, scanColumns } from '../apps/server/src/scans/stores/scan-row.ts';
import type { Scope } from '../apps/server/src/scans/stores/scope.ts';
import { toTimeRange } from '../apps/server/src/scans/stores/time-range.ts';
import { median } from './median.ts';

const aims = { pageMs: 1_000, queryMs: 3_000 };
const rounds = 5;
const dayMs = 86_400_000;
const idOf = (kind: string, number: number) =>
  `${kind}-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;
/** The account whose scans are spread over half a year, and the one that has all of its scans in 30 days. */
const [spread, crowded] = [1, 2];

/**
 * The same scans in PostgreSQL and in ClickHouse: half of them spread over half a year, two fifths of these of one code; and
 * as many within 30 days of one account. Every query of the dashboard on both, with its time, and whether the figures agree.
 */
export async function compareStores(scans: number): Promise<void> {
  const { engine, clickhouse } = await startMigratedClickHouse();
  const fixture = await createFixture({ CLICKHOUSE_URL: engine.url });
  const today = Math.floor(Date.now() / dayMs) * dayMs;
  await generateScans(clickhouse, listCrowds(scans, today), createProgressBar('generated'));
  const db = createPostgres(
    {
      databaseUrl: fixture.env.DATABASE_URL!,
      databasePooler: 'none',
      databasePoolSize: 2,
      databaseTimeoutMs: 3_600_000,
    },
    () => {},
  );
  await copyRows(clickhouse, db, createProgressBar('copied'), 2 * scans);
  await db.close();
  const pool = createReadPool(
    {
      databaseUrl: fixture.env.DATABASE_URL!,
      databasePooler: 'none',
      databasePoolSize: 2,
      databaseTimeoutMs: 60_000,
    },
    () => {},
  );
  const contexts = {
    postgres: {
      scans: createPostgresScans(pool),
      run: (query: Parameters<store.QueryContext['run']>[0]) => query({ timeoutMs: 60_000 }),
    } as store.QueryContext,
    clickhouse: contextOn(clickhouse, 60_000),
  };
  let [worstPage, worstQuery, differences] = [0, 0, 0];
  for (const [name, queries] of Object.entries(listPages(today))) {
    for (const [query, ask] of Object.entries(queries)) {
      const [here, there] = [
        await time(() => ask(contexts.postgres)),
        await time(() => ask(contexts.clickhouse)),
      ];
      worstQuery = Math.max(worstQuery, here.ms);
      const agrees = JSON.stringify(here.result) === JSON.stringify(there.result);
      if (!agrees) differences++;
      print(`${name} ${query}`, here.ms, there.ms, agrees);
    }
    const page = (context: store.QueryContext) =>
      Promise.all(Object.values(queries).map(ask => ask(context)));
    const [here, there] = [
      await time(() => page(contexts.postgres)),
      await time(() => page(contexts.clickhouse)),
    ];
    worstPage = Math.max(worstPage, here.ms);
    print(`${name} (page)`, here.ms, there.ms, true);
  }
  const [disk] = await fixture.db.query<{ bytes: number }>(
    sql(
      'bench-scans-disk',
      `select sum(pg_total_relation_size(inhrelid))::bigint as bytes from pg_inherits
        where inhparent = any($1::text[]::regclass[])`,
    ),
    [monthlyTables],
  );
  await pool.close();
  await fixture.close();
  await clickhouse.close();
  await engine.remove();
  console.log(
    `analytics store postgres scans ${2 * scans} bytes_per_scan ${Math.round(disk!.bytes / scans / 2)} worst_page_ms ${worstPage.toFixed(0)} aim ${aims.pageMs} worst_query_ms ${worstQuery.toFixed(0)} aim ${aims.queryMs} differences ${differences}`,
  );
  if (worstPage > aims.pageMs || worstQuery > aims.queryMs || differences > 0) process.exitCode = 1;
}

const print = (name: string, hereMs: number, thereMs: number, agrees: boolean) =>
  console.log(
    `${name.padEnd(38)} postgres ${hereMs.toFixed(1).padStart(8)} ms, chdb ${thereMs.toFixed(1).padStart(7)} ms${agrees ? '' : '  DIFFERENT'}`,
  );

/** Without the first, which warms up. */
async function time<Result>(ask: () => Promise<Result>): Promise<{ ms: number; result: Result }> {
  const times: number[] = [];
  let result = await ask();
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    result = await ask();
    times.push(performance.now() - start);
  }
  return { ms: median(times), result };
}

/** Codes of the first account: 0 has two fifths of the scans, the others share the rest. */
const listCrowds = (scans: number, today: number): Crowd[] => [
  {
    scans,
    account: numbered('01800000', `${spread}`),
    code: numbered('01900000', 'if(cityHash64(n, 6) % 5 < 2, 0, 1 + cityHash64(n, 3) % 1000)'),
    visitors: Math.ceil(scans / 4),
    fromMs: today - 181 * dayMs,
    days: 182,
  },
  {
    scans,
    account: numbered('01800000', `${crowded}`),
    code: numbered('01a00000', 'cityHash64(n, 3) % 1000'),
    visitors: Math.ceil(scans / 4),
    fromMs: today - 29 * dayMs,
    days: 30,
  },
];

const rowsPerInsert = 20_000;

async function copyRows(
  clickhouse: ClickHouse,
  db: Postgres,
  onProgress: (done: number, all: number) => void,
  all: number,
): Promise<void> {
  const rows = createPostgresRows(db);
  if (rows.stores !== 'with_counts') throw new Error('PostgreSQL stores rows with the counts');
  const columns = Object.keys(scanColumns).map(column =>
    column === 'at'
      ? 'toUnixTimestamp64Milli(at) / 1000'
      : column === 'is_unique'
        ? 'toUInt8(is_unique)'
        : column,
  );
  const buffered: ScanRow[] = [];
  let done = 0;
  let inserting: Promise<void> = Promise.resolve();
  const flush = async () => {
    const some = buffered.splice(0);
    await inserting;
    await rows.prepare(some.map(row => Number(row[3]) * 1000));
    inserting = rows.insert(db, some);
    done += some.length;
    onProgress(done, all);
  };
  // Day by day and in the order of their time, as they would have been counted.
  const days = await clickhouse.query<{ day: string }>(
    'select distinct toString(toDate(at)) as day from scans order by day',
  );
  for (const { day } of days) {
    const ordered = `select ${columns.join(', ')} from scans where toDate(scans.at) = toDate('${day}') order by scans.at`;
    for await (const part of clickhouse.stream<ScanRow>(ordered, {}, { timeoutMs: 3_600_000 })) {
      buffered.push(...part);
      if (buffered.length >= rowsPerInsert) await flush();
    }
  }
  await flush();
  await inserting;
  const started = performance.now();
  for (const statement of addCounted) await db.query(statement);
  await rows.rollUp(50_000);
  console.log(`roll-ups built in ${((performance.now() - started) / 1_000).toFixed(0)} s`);
  await db.query(sql('bench-vacuum', 'vacuum analyze'));
}

/** What says which codes and accounts have so many scans that they get roll-ups. */
const addCounted = [
  sql(
    'bench-add-accounts',
    `insert into accounts (id, name, plan, created_at) select distinct account_id, 'bench', 'enterprise', now() from scans`,
  ),
  sql(
    'bench-add-codes-of-scans',
    `insert into qr_codes (id, account_id, mode, number, status, made_by, short_code, link_key, name, destination_url, style, created_at, updated_at)
     select qr_code_id, account_id, 'live', row_number() over (partition by account_id), 'active', 'api', replace(qr_code_id::text, '-', ''),
            replace(qr_code_id::text, '-', ''), '', 'https://example.com', '{}', now(), now()
       from (select distinct account_id, qr_code_id from scans) codes`,
  ),
  sql(
    'bench-count-scans',
    'insert into scan_counts (qr_code_id, total_scans) select qr_code_id, count(*) from scans group by qr_code_id',
  ),
];

/** A store answers them in any order. */
const sortHours = (hours: WeekHourCount[]) => hours.sort((a, b) => a.hourOfWeek - b.hourOfWeek);

type Ask = (context: store.QueryContext) => Promise<unknown>;

/** What each page asks at once. */
function listPages(today: number): Readonly<Record<string, Readonly<Record<string, Ask>>>> {
  const now = new Date(today + dayMs - 1);
  const berlin = parsePeriod({ timezone: 'Europe/Berlin' }, now);
  const halfYear = parsePeriod(
    { start_date: new Date(today - 181 * dayMs).toISOString().slice(0, 10), timezone: 'Europe/Berlin' },
    now,
  );
  const account = (number: number): Scope => ({ accountId: idOf('01800000', number), mode: 'live' });
  const hot: Scope = { ...account(spread), qrCodeId: idOf('01900000', 0) };
  const small: Scope = { ...account(spread), qrCodeId: idOf('01900000', 7) };
  const summary = (scope: Scope, period: Period): Record<string, Ask> => ({
    totals: context => store.totals(context, scope, period),
    countries: context => store.topCountries(context, scope, period),
    cities: context => store.topCities(context, scope, period),
    agents: context => store.agents(context, scope, period),
  });
  const code = (scope: Scope, period: Period): Record<string, Ask> => ({
    ...summary(scope, period),
    placements: context => store.placements(context, scope, period),
    days: context => store.series(context, scope, period, listBuckets(period, 'day')),
    week_hours: async context => sortHours(await store.weekHours(context, scope, period)),
    newest: context => store.listScans(context, scope, toTimeRange(period), { limit: 50, offset: 0 }),
  });
  const whole = (scope: Scope, period: Period): Record<string, Ask> => ({
    ...summary(scope, period),
    days: context => store.series(context, scope, period, listBuckets(period, 'day')),
    week_hours: async context => sortHours(await store.weekHours(context, scope, period)),
    codes: context => store.topCodes(context, scope, period),
  });
  return {
    'small code, 30 days': code(small, berlin),
    'hot code, 30 days': code(hot, berlin),
    'hot code, half a year': {
      ...code(hot, halfYear),
      months: context => store.series(context, hot, halfYear, listBuckets(halfYear, 'month')),
    },
    'hot code, one country': code({ ...hot, filters: { country: 'DE' } }, berlin),
    'account, 30 days': whole(account(spread), berlin),
    'account, half a year': whole(account(spread), halfYear),
    'crowded account, 30 days': whole(account(crowded), berlin),
  };
}
