import { type Database, sql } from '../platform/postgres.ts';

/** How far the counts of a shard are behind its log. */
export type ShardLag = {
  readonly shard: number;
  readonly entries: number;
  /** The age of the oldest entry that is not counted; 0 where all are. */
  readonly seconds: number;
  /** Since a worker last said that it is there; null where none ever was. */
  readonly silentSeconds: number | null;
  /** The log ends before what was counted of it: it is another log, and ingest stands still. */
  readonly isOtherLog: boolean;
};

/** What is asked of the log. */
export type LogState = { readonly firstPosition: number; readonly lastPosition: number };
export type LogGauge = {
  stateOf(shard: number): Promise<LogState>;
  timeOf(shard: number, position: number): Promise<Date | null>;
};

export async function measureLag(
  db: Database,
  log: LogGauge,
  shards: number,
  nowMs: number,
): Promise<ShardLag[]> {
  const rows = await db.query<PositionRow>(positions);
  return Promise.all(
    Array.from({ length: shards }, async (_, shard) => {
      const row = rows.find(one => one.shard === shard);
      const position = row?.position ?? 0;
      const { firstPosition, lastPosition } = await log.stateOf(shard);
      const entries = Math.max(0, lastPosition - Math.max(position, firstPosition - 1));
      // Behind an entry that was trimmed unread, the oldest that is left tells how late we are.
      const oldest = entries > 0 ? await log.timeOf(shard, Math.max(position + 1, firstPosition)) : null;
      return {
        shard,
        entries,
        seconds: oldest ? Math.max(0, (nowMs - oldest.getTime()) / 1_000) : 0,
        silentSeconds: row ? row.silent : null,
        isOtherLog: lastPosition < position,
      };
    }),
  );
}

type PositionRow = { readonly shard: number; readonly position: number; readonly silent: number };

const positions = sql(
  'ingest-lag',
  'select shard, position, extract(epoch from now() - seen_at)::float8 as silent from ingest_positions',
);

/** Deleted codes whose scans are still to be erased for the first time. */
export type ErasureBacklog = { readonly codes: number; readonly oldestSeconds: number };

export async function measureErasures(db: Database): Promise<ErasureBacklog> {
  const [row] = await db.query<{ codes: number; oldest: number | null }>(backlog);
  return { codes: row?.codes ?? 0, oldestSeconds: Math.max(0, row?.oldest ?? 0) };
}

const backlog = sql(
  'erasure-backlog',
  `select count(*) as codes, extract(epoch from now() - min(requested_at))::float8 as oldest
     from erasures where sweeps = 0`,
);
