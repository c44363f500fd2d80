import { type Database, sql } from '../platform/postgres/postgres.ts';
import { type Cursor, endOfEntry, isAfter, logStart } from '../scans/log/log-cursor.ts';
import type { LogSpan } from '../scans/stores/scan-queries.ts';
import type { Scope } from '../scans/stores/scope.ts';

/**
 * The position up to which every scan is stored. Where scans are stored after they are counted, a group is open meanwhile,
 * and only part of it may be stored.
 */
export async function findHorizon(db: Database): Promise<Cursor> {
  const rows = await db.query<{ shard: number; log: number; position: number }>(horizon);
  return new Map(rows.map(({ shard, ...entry }) => [shard, { ...entry, index: endOfEntry }]));
}

/** The account and mode whose scans are viewed. */
export type Watched = Pick<Scope, 'accountId' | 'mode'>;

/** What shards have after one cursor up to another. */
export const spansBetween = (after: Cursor, upTo: Cursor): LogSpan[] =>
  [...upTo]
    .map(([shard, to]) => ({ shard, after: after.get(shard) ?? logStart, upTo: to }))
    .filter(span => isAfter(span.upTo, span.after));

/** An open group may belong to an earlier log than the one that is read now. */
const horizon = sql(
  'live-horizon',
  `select distinct on (p.shard) p.shard, coalesce(g.log, p.log) as log,
          coalesce(g.after_position, p.position) as position
     from ingest_positions p left join ingest_groups g on g.shard = p.shard
    order by p.shard, g.log, g.after_position`,
);
