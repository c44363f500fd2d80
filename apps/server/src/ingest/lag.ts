import { type Database, sql } from '../platform/postgres.ts';
import type { LogState } from './ingest.ts';

/** How far the counts of a shard are behind its log. */
export type ShardLag = {
  readonly shard: number;
  readonly entries: number;
  /** The age of the oldest entry that is not counted; 0 where all are. */
  readonly seconds: number;
  /** Since a worker last said that it is there, or, where none ever did, since the stream exists. */
  readonly silentSeconds: number;
  /** The log that this one took the place of; null where it is the first. `lostInDay`: with all that went within a day. */
  readonly replaced: {
    readonly secondsAgo: number;
    readonly lostEntries: number;
    readonly lostInDay: number;
  } | null;
  readonly state: LogState;
};

/** What is asked of the log. */
export type LogGauge = {
  shards(): Promise<readonly number[]>;
  stateOf(shard: number): Promise<LogState>;
  timeOf(shard: number, position: number): Promise<Date | null>;
};

/** Of every shard that has a stream, whether the settings know it or not. */
export async function measureLag(db: Database, log: LogGauge, nowMs: number): Promise<ShardLag[]> {
  const rows = await db.query<PositionRow>(positions);
  const secondsSince = (ms: number) => Math.max(0, (nowMs - ms) / 1_000);
  return Promise.all(
    (await log.shards()).map(async shard => {
      const row = rows.find(one => one.shard === shard);
      const state = await log.stateOf(shard);
      const { createdAt, firstPosition, lastPosition } = state;
      // Of another log nothing is counted, whatever its positions are.
      const isOther = lastPosition < (row?.position ?? 0) || (row?.created ?? createdAt) !== createdAt;
      const position = row && !isOther ? row.position : 0;
      const entries = Math.max(0, lastPosition - Math.max(position, firstPosition - 1));
      // Behind an entry that was trimmed unread, the oldest that is left tells how late we are.
      const oldest = entries > 0 ? await log.timeOf(shard, Math.max(position + 1, firstPosition)) : null;
      return {
        shard,
        entries,
        seconds: oldest ? secondsSince(oldest.getTime()) : 0,
        silentSeconds: row ? row.silent : secondsSince(Date.parse(createdAt)),
        replaced:
          row && row.replaced !== null
            ? {
                secondsAgo: row.replaced,
                lostEntries: row.lost_entries ?? 0,
                lostInDay: row.lost_in_day ?? 0,
              }
            : null,
        state,
      };
    }),
  );
}

type PositionRow = {
  readonly shard: number;
  readonly position: number;
  readonly silent: number;
  readonly created: string | null;
  readonly replaced: number | null;
  readonly lost_entries: number | null;
  readonly lost_in_day: number | null;
};

const positions = sql(
  'ingest-lag',
  `select p.shard, p.position, extract(epoch from now() - p.seen_at)::float8 as silent, l.created,
          extract(epoch from now() - old.replaced_at)::float8 as replaced, old.lost_entries,
          (select sum(lost_entries)::float8 from scan_logs s
            where s.shard = p.shard and s.replaced_at > now() - interval '1 day') as lost_in_day
     from ingest_positions p
     left join scan_logs l on l.shard = p.shard and l.number = p.log
     left join scan_logs old on old.shard = p.shard and old.number = p.log - 1`,
);

/**
 * Writes down how far a log reaches, so that it is known what is lost with it. A log that was put back to an older state
 * has grown by other entries: then what is known of the old one stays, and the worker finds out.
 */
export async function noteReached(
  db: Database,
  log: Pick<LogGauge, 'timeOf'>,
  { shard, state }: Pick<ShardLag, 'shard' | 'state'>,
): Promise<void> {
  const { createdAt, firstPosition, lastPosition, lastAtMs } = state;
  const [known] = await db.query<ReachedRow>(findReached, [shard, createdAt]);
  if (!known || lastAtMs === null || lastPosition <= known.reached || lastPosition < known.acked) return;
  const isTakenAt = async (position: number, ms: number) => {
    const time = await log.timeOf(shard, position);
    return time !== null && Math.abs(time.getTime() - ms) <= 1;
  };
  if (known.reached_ms !== null && known.reached >= firstPosition)
    if (!(await isTakenAt(known.reached, known.reached_ms))) return;
  // The look may be older than a copy that was put back since.
  if (!(await isTakenAt(lastPosition, lastAtMs))) return;
  await db.query(setReached, [shard, known.number, known.reached, lastPosition, lastAtMs]);
}

type ReachedRow = {
  readonly number: number;
  readonly reached: number;
  readonly reached_ms: number | null;
  readonly acked: number;
};

const findReached = sql(
  'find-reached',
  `select l.number, l.reached, l.reached_ms, l.acked
     from ingest_positions p join scan_logs l on l.shard = p.shard and l.number = p.log
    where p.shard = $1 and l.created = $2`,
);

const setReached = sql(
  'set-reached',
  `update scan_logs set reached = $4, reached_ms = $5
    where shard = $1 and number = $2 and reached = $3`,
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
