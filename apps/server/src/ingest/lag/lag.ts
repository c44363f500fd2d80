import { type Database, sql } from '../../platform/postgres/postgres.ts';
import { createdMs, moveReached } from '../../scans/log/known-logs.ts';
import type { LogMeter, LogState } from '../../scans/log/meter.ts';

/** How far the counts of a shard are behind its log. */
export type ShardLag = {
  readonly shard: number;
  readonly entries: number;
  /** The age of the oldest entry that is not counted; 0 if all are. */
  readonly seconds: number;
  /** Since the last heartbeat of a worker or, if there was none, since the stream was created. */
  readonly silentSeconds: number;
  /** The log before this one; null if this is the first. `lostInDay` adds up all logs replaced within a day. */
  readonly replaced: {
    readonly secondsAgo: number;
    readonly lostEntries: number;
    readonly lostInDay: number;
  } | null;
  readonly state: LogState;
};

export type LagSource = Pick<LogMeter, 'shards' | 'readState' | 'readTime'>;

/** For every shard that has a stream, including those beyond the settings. */
export async function measureLag(db: Database, log: LagSource, nowMs: number): Promise<ShardLag[]> {
  const rows = await db.query<PositionRow>(positions);
  const secondsSince = (ms: number) => Math.max(0, (nowMs - ms) / 1_000);
  return Promise.all(
    (await log.shards()).map(async shard => {
      const row = rows.find(candidate => candidate.shard === shard);
      const state = await log.readState(shard);
      const { createdAt, firstPosition, lastPosition } = state;
      // Nothing of a replaced log's successor is counted, whatever its positions are.
      const isReplaced = lastPosition < (row?.position ?? 0) || (row?.created ?? createdAt) !== createdAt;
      const position = row && !isReplaced ? row.position : 0;
      const entries = Math.max(0, lastPosition - Math.max(position, firstPosition - 1));
      // If the next entry was trimmed unread, the oldest that remains shows how late we are.
      const oldest = entries > 0 ? await log.readTime(shard, Math.max(position + 1, firstPosition)) : null;
      return {
        shard,
        entries,
        seconds: oldest ? secondsSince(oldest.getTime()) : 0,
        silentSeconds: row ? row.silent : secondsSince(createdMs(createdAt)),
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

/** Entries of the logs that this database counts from and that are not counted yet. Logs of other installations are not. */
export async function countWaiting(
  db: Database,
  log: Pick<LagSource, 'shards' | 'readState'>,
): Promise<number> {
  const rows = await db.query<PositionRow>(positions);
  const waiting = (await log.shards()).map(async shard => {
    const row = rows.find(candidate => candidate.shard === shard);
    const { createdAt, lastPosition } = await log.readState(shard);
    return row?.created === createdAt ? Math.max(0, lastPosition - row.position) : 0;
  });
  return (await Promise.all(waiting)).reduce((sum, entries) => sum + entries, 0);
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
 * Records the last position of a log, so that the loss is known if the log is replaced. A log that was restored from an older
 * copy has grown by other entries: the record of the old one is then left alone, and the worker detects the replacement.
 */
export async function recordReached(
  db: Database,
  log: Pick<LagSource, 'readTime'>,
  { shard, state }: Pick<ShardLag, 'shard' | 'state'>,
): Promise<void> {
  const { createdAt, firstPosition, lastPosition, lastAtMs } = state;
  const [known] = await db.query<ReachedRow>(findReached, [shard, createdAt]);
  if (!known || lastAtMs === null || lastPosition <= known.reached || lastPosition < known.acked) return;
  const wasAppendedAt = async (position: number, ms: number) => {
    const time = await log.readTime(shard, position);
    return time !== null && Math.abs(time.getTime() - ms) <= 1;
  };
  if (known.reached_ms !== null && known.reached >= firstPosition)
    if (!(await wasAppendedAt(known.reached, known.reached_ms))) return;
  // The state may have been read before an older copy was restored.
  if (!(await wasAppendedAt(lastPosition, lastAtMs))) return;
  await moveReached(db, { shard, number: known.number, from: known.reached }, lastPosition, lastAtMs);
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

/** How far the counts are behind the only shard, by what is recorded in PostgreSQL: for a process that cannot open the log. */
export async function measureKnownLag(db: Database): Promise<Pick<ShardLag, 'entries' | 'seconds'>> {
  const [row] = await db.query<{ entries: number; seconds: number }>(knownLag);
  return row ?? { entries: 0, seconds: 0 };
}

const knownLag = sql(
  'known-lag',
  `select greatest(0, l.reached - p.position) as entries,
          extract(epoch from now() - p.updated_at)::float8 as seconds
     from ingest_positions p join scan_logs l on l.shard = p.shard and l.number = p.log
    where p.shard = 0`,
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
