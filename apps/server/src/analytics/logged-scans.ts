import type { Uuid } from '../kernel/ids.ts';
import type { ClickHouse, QueryOptions } from '../platform/clickhouse.ts';
import { type Database, sql } from '../platform/postgres.ts';
import type { AccountScan, Scope } from './analytics.ts';
import { type Cursor, endOfEntry, isAfter, logStart, type ScanPosition } from './log-cursor.ts';
import { scopeParams, whereScope } from './scope.ts';

/** A stored scan with its position in the log. */
export type LoggedScan = AccountScan & ScanPosition & { readonly shard: number };

/**
 * The position up to which every scan is stored. Ingest counts a group first and stores it then. While it is being stored the
 * group is open, and only part of it may be in ClickHouse.
 */
export async function findHorizon(db: Database): Promise<Cursor> {
  const rows = await db.query<{ shard: number; log: number; position: number }>(horizon);
  return new Map(rows.map(({ shard, ...entry }) => [shard, { ...entry, index: endOfEntry }]));
}

/** The account and mode whose scans are viewed. */
export type Watched = Pick<Scope, 'accountId' | 'mode'>;

/** How many scans at most: of each shard, and of all. */
export type ScanLimits = { readonly perShard: number; readonly limit: number };

/** The shards that have something after one cursor up to another, and where each ends. */
export const spansBetween = (after: Cursor, upTo: Cursor) =>
  [...upTo].filter(([shard, position]) => isAfter(position, after.get(shard) ?? logStart));

/** Scans after one cursor up to another, each shard in the order of its log. */
export async function scansBetween(
  clickhouse: Pick<ClickHouse, 'query'>,
  scope: Scope,
  after: Cursor,
  upTo: Cursor,
  { perShard, limit }: ScanLimits,
  options: QueryOptions = { timeoutMs },
): Promise<LoggedScan[]> {
  const spans = spansBetween(after, upTo);
  if (spans.length === 0) return [];
  // Only numbers are written into the query. They cannot be parameters, since how many there are varies.
  const where = spans.map(([shard, to]) => between(shard, after.get(shard) ?? logStart, to));
  const rows = await clickhouse.query<Row>(
    `select shard, log_number as log, position, place as scan_index, id, qr_code_id, toUnixTimestamp64Milli(at) as at_ms, country, region, city, device,
            browser, is_unique, language, target_id, rule_id, placement
       from scans
      where ${whereScope(scope)} and (${where.join(' or ')})
      order by shard, log_number, position, place limit {perShard: UInt32} by shard limit {limit: UInt32}`,
    { ...scopeParams(scope), perShard, limit },
    options,
  );
  return rows.map(
    ({
      scan_index: index,
      qr_code_id: qrCodeId,
      at_ms: atMs,
      is_unique: isUnique,
      target_id: targetId,
      rule_id: ruleId,
      ...row
    }) => ({
      ...row,
      targetId,
      ruleId,
      index,
      qrCodeId,
      atMs,
      isUnique,
    }),
  );
}

const timeoutMs = 5000;

function between(shard: number, from: ScanPosition, to: ScanPosition): string {
  const isAfterFrom = `(log_number, position, place) > (${from.log}, ${from.position}, ${from.index})`;
  const upTo = `(log_number, position) <= (${to.log}, ${to.position})`;
  // Plain ranges beside the tuples: the indexes use them to skip granules.
  const span =
    from.log === to.log
      ? `log_number = ${to.log} and position between ${from.position} and ${to.position}`
      : `(log_number = ${from.log} and position >= ${from.position}
          or log_number > ${from.log} and log_number < ${to.log}
          or log_number = ${to.log} and position <= ${to.position})`;
  return `(shard = ${shard} and ${span} and ${isAfterFrom} and ${upTo})`;
}

/** An open group may belong to an earlier log than the one that is read now. */
const horizon = sql(
  'live-horizon',
  `select distinct on (p.shard) p.shard, coalesce(g.log, p.log) as log,
          coalesce(g.after_position, p.position) as position
     from ingest_positions p left join ingest_groups g on g.shard = p.shard
    order by p.shard, g.log, g.after_position`,
);

type Row = {
  shard: number;
  log: number;
  position: number;
  scan_index: number;
  id: Uuid;
  qr_code_id: Uuid;
  at_ms: number;
  country: string;
  region: string;
  city: string;
  device: string;
  browser: string;
  is_unique: boolean;
  language: string;
  target_id: Uuid;
  rule_id: Uuid;
  placement: string;
};
