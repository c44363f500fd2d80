import type { Mode } from '../kernel/caller.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { ClickHouse } from '../platform/clickhouse.ts';
import { type Database, sql } from '../platform/postgres.ts';
import { type Cursor, endOfEntry, isAfter, type Place, start } from './cursor.ts';
import type { LiveScan } from './live-scan.ts';

/**
 * Up to where every scan is stored. Ingest counts a group first and stores it after; while it is being stored the
 * group is open, and what lies in it may be there in part.
 */
export async function findHorizon(db: Database): Promise<Cursor> {
  const rows = await db.query<{ shard: number; log: number; position: number }>(horizon);
  return new Map(rows.map(({ shard, ...place }) => [shard, { ...place, place: endOfEntry }]));
}

/** Whose scans. */
export type Watched = { readonly accountId: Uuid; readonly mode: Mode };

const timeoutMs = 5000;

/** Scans behind one cursor up to another, in the order of the log. */
export async function scansBetween(
  clickhouse: Pick<ClickHouse, 'query'>,
  { accountId, mode }: Watched,
  after: Cursor,
  upTo: Cursor,
  limit: number,
): Promise<LiveScan[]> {
  const spans = [...upTo].filter(([shard, place]) => isAfter(place, after.get(shard) ?? start));
  if (spans.length === 0) return [];
  // All numbers: they are written into the question, since their count is not known before.
  const where = spans.map(([shard, to]) => between(shard, after.get(shard) ?? start, to));
  const rows = await clickhouse.query<Row>(
    `select shard, log_number as log, position, place, id, qr_code_id, toUnixTimestamp64Milli(at) as at_ms, country, region, city, device,
            browser, is_unique
       from scans
      where account_id = {account: UUID} and mode = {mode: String} and (${where.join(' or ')})
      order by shard, log_number, position, place limit {limit: UInt32}`,
    { account: accountId, mode, limit },
    { timeoutMs },
  );
  return rows.map(({ qr_code_id: qrCodeId, at_ms: atMs, is_unique: isUnique, ...row }) => ({
    ...row,
    qrCodeId,
    atMs,
    isUnique,
  }));
}

function between(shard: number, from: Place, to: Place): string {
  const behind = `(log_number, position, place) > (${from.log}, ${from.position}, ${from.place})`;
  const upTo = `(log_number, position) <= (${to.log}, ${to.position})`;
  // By these the indexes tell what need not be read.
  const span =
    from.log === to.log
      ? `log_number = ${to.log} and position between ${from.position} and ${to.position}`
      : `(log_number = ${from.log} and position >= ${from.position}
          or log_number > ${from.log} and log_number < ${to.log}
          or log_number = ${to.log} and position <= ${to.position})`;
  return `(shard = ${shard} and ${span} and ${behind} and ${upTo})`;
}

/** A group that is still open may be of a log before the one that is read now. */
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
  place: number;
  id: Uuid;
  qr_code_id: Uuid;
  at_ms: number;
  country: string;
  region: string;
  city: string;
  device: string;
  browser: string;
  is_unique: boolean;
};
