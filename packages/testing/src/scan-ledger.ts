import { systemClock } from '../../../apps/server/src/kernel/clock.ts';
import type { Uuid } from '../../../apps/server/src/kernel/ids.ts';
import { createIds } from '../../../apps/server/src/kernel/ids.ts';
import type { ClickHouse } from '../../../apps/server/src/platform/clickhouse/clickhouse.ts';
import { type Database, sql } from '../../../apps/server/src/platform/postgres/postgres.ts';
import {
  browsers,
  defaultFields,
  devices,
  type Scan,
  type ScanBatch,
} from '../../../apps/server/src/scans/scan.ts';

export const ids = createIds(systemClock);

export type Code = { readonly id: Uuid; readonly accountId: Uuid };

/** Inserts codes of a new account directly: what matters here is that they exist. */
export async function addCodes(db: Database, count: number): Promise<Code[]> {
  const accountId = ids.next();
  await db.query(addAccount, [accountId]);
  const codes = Array.from({ length: count }, () => ({ id: ids.next(), accountId }));
  await db.query(addCode, [codes.map(code => code.id), accountId]);
  return codes;
}

const addAccount = sql(
  'test-add-account',
  `insert into accounts (id, name, plan, created_at) values ($1, 'test', 'enterprise', now())`,
);

const addCode = sql(
  'test-add-code',
  `insert into qr_codes (id, account_id, mode, number, status, made_by, short_code, link_key, name, destination_url, style, created_at, updated_at)
   select id, $2, 'live', n, 'active', 'api', replace(id::text, '-', ''), replace(id::text, '-', ''), '', 'https://example.com', '{}', now(), now()
     from unnest($1::uuid[]) with ordinality as code (id, n)`,
);

const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(Math.random() * values.length)]!;

const visitorOf = (n: number) => n.toString(16).padStart(32, '0');

export function scanOf(code: Code, visitor: number, more: Partial<Scan> = {}): Scan {
  return {
    id: ids.next(),
    qrCodeId: code.id,
    accountId: code.accountId,
    mode: 'live',
    atMs: Date.now(),
    country: pick(['DE', 'FR', 'XX']),
    region: pick(['', 'Île-de-France', "Provence-Alpes-Côte d'Azur"]),
    city: pick(['', 'München', 'Xi\\an\t"q"\n']),
    device: pick(devices),
    browser: pick(browsers),
    visitor: visitorOf(visitor),
    window: '2026-11',
    ...defaultFields,
    language: pick(['', 'de', 'fr']),
    ...more,
  };
}

export const batchOf = (...scans: readonly Scan[]): ScanBatch => ({ id: ids.next(), scans });

/** The expected counts: a scan once by its id, a visitor of a code once per window. */
export type ExpectedCounts = Record<Uuid, { total: number; uniques: number }>;

export function expectedCounts(batches: Iterable<ScanBatch>): ExpectedCounts {
  const scans = new Map([...batches].flatMap(batch => batch.scans).map(scan => [scan.id, scan]));
  const visitors = new Set<string>();
  const tally: ExpectedCounts = {};
  for (const { qrCodeId, window, visitor } of scans.values()) {
    tally[qrCodeId] ??= { total: 0, uniques: 0 };
    const count = tally[qrCodeId];
    const key = `${qrCodeId} ${window} ${visitor}`;
    count.total++;
    if (!visitors.has(key)) count.uniques++;
    visitors.add(key);
  }
  return tally;
}

type Counted = { readonly id: Uuid; readonly total: number; readonly uniques: number };

const toCounts = (rows: readonly Counted[]): ExpectedCounts =>
  Object.fromEntries(rows.map(({ id, total, uniques }) => [id, { total, uniques }]));

export async function countedIn(db: Database): Promise<ExpectedCounts> {
  return toCounts(await db.query<Counted>(allCounts));
}

const allCounts = sql(
  'test-all-counts',
  'select qr_code_id as id, total_scans as total, unique_scans as uniques from scan_counts',
);

/** What a store holds, and how far it is from every scan once, every visitor unique once and with a number of its own. */
export async function storedIn(store: ClickHouse | Database) {
  const ask = <Row extends object>([name, inPostgres, inClickHouse]: readonly [string, string, string]) =>
    'transaction' in store ? store.query<Row>(sql(name, inPostgres)) : store.query<Row>(inClickHouse);
  const rows = await ask<Counted & { distinct: number }>(storedCounts);
  const faults = [...(await ask(repeatedFirsts)), ...(await ask(misnumbered))];
  const duplicates = rows.reduce((sum, row) => sum + row.total - row.distinct, 0);
  return { tally: toCounts(rows), duplicates, faults };
}

/** A name, and the query in the SQL of PostgreSQL and of ClickHouse. */
const storedCounts = [
  'test-stored-counts',
  `select qr_code_id as id, count(*) as total, count(distinct id) as distinct,
          count(*) filter (where is_unique) as uniques
     from scans group by qr_code_id`,
  `select qr_code_id as id, count() as total, uniqExact(scans.id) as distinct, countIf(is_unique) as uniques
     from scans group by qr_code_id`,
] as const;

const repeatedFirsts = [
  'test-repeated-firsts',
  `select qr_code_id, time_window, visitor, count(*) filter (where is_unique) as firsts from scans
    group by qr_code_id, time_window, visitor having count(*) filter (where is_unique) <> 1 limit 10`,
  `select qr_code_id, time_window, visitor, countIf(is_unique) as firsts from scans
    group by qr_code_id, time_window, visitor having firsts != 1 limit 10`,
] as const;

const misnumbered = [
  'test-misnumbered',
  `select account_id, time_window, visitor, count(distinct visitor_number) as numbers from scans
    group by account_id, time_window, visitor having count(distinct visitor_number) <> 1
    union all
   select min(account_id::text)::uuid, min(time_window), min(visitor::text)::uuid, visitor_number as numbers from scans
    group by visitor_number having count(distinct (account_id, time_window, visitor)) <> 1 limit 10`,
  `select account_id, time_window, visitor, groupUniqArray(visitor_number) as numbers from scans
    group by account_id, time_window, visitor having length(numbers) != 1
    union all
   select any(account_id), any(time_window), any(visitor), [visitor_number] as numbers from scans
    group by visitor_number having uniqExact(account_id, time_window, visitor) != 1 limit 10`,
] as const;
