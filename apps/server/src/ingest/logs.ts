import { sql } from '../platform/postgres.ts';
import type { EntryMark } from '../scans/log-entry.ts';
import { type KnownLog, type LogExtent, type ScanLogReader, ShardTaken } from './ingest.ts';
import type { Worker } from './work.ts';

/** Where a worker stands: a position in one of the logs that the shard has had. */
export type Standing = { readonly log: number; readonly position: number; readonly mark: EntryMark | null };

/** What is written down of the log that a worker reads. The first look at a log writes it down. */
export async function knownLog({ db, log, shard }: Worker, at: Standing): Promise<KnownLog> {
  const { createdAt } = await log.stateOf(shard);
  const [row] = await db.query<LogRow>(noteLog, [shard, at.log, createdAt]);
  const extent = async () => extentOf((await db.query<LogRow>(findLog, [shard, at.log]))[0]!);
  return { createdAt: row!.created, mark: at.mark, extent };
}

const extentOf = ({ reached, reached_ms, acked }: LogRow): LogExtent => ({
  reached: reached_ms === null ? null : { position: reached, takenAtMs: reached_ms },
  acked,
});

/**
 * Begins with a log that has taken the place of the one that was counted. It is read from its first entry: batches that
 * the old log had too are known by their ids. What it dropped before that the reader reports, but for what was counted
 * already. The old one is closed with the number of entries that are lost with it, as far as anybody has seen them or
 * redirects have had acks for them.
 */
export async function beginLog(worker: Worker, at: Standing): Promise<void> {
  const { db, log, shard, owner, logger } = worker;
  const state = await log.stateOf(shard);
  const [old] = await db.query<LogRow>(findLog, [shard, at.log]);
  const reached = Math.max(old?.reached ?? 0, old?.acked ?? 0, at.position);
  const isCopy = old !== undefined && old.created === state.createdAt;
  const knownAtMs = Math.max(old?.reached_ms ?? 0, at.mark?.takenAtMs ?? 0);
  const copied = isCopy ? await endOfCopy(log, shard, knownAtMs, Math.min(state.lastPosition, reached)) : 0;
  const kept = Math.max(0, copied - at.position);
  const lost = reached - at.position - kept;
  const [earlier] = await db.query<{ counted: number }>(countedOfCreation, [shard, state.createdAt]);
  const counted = isCopy ? Math.min(at.position, copied) : earlier!.counted;
  const begin = Math.max(0, Math.min(state.firstPosition - 1, counted));
  await db.transaction(async tx => {
    const moved = await tx.query(changeLog, [shard, owner, at.log, at.position, at.log + 1, begin]);
    if (moved.length === 0) throw new ShardTaken(shard);
    await tx.query(closeLog, [shard, at.log, at.position, kept]);
    await tx.query(noteLog, [shard, at.log + 1, state.createdAt]);
  });
  logger[lost > 0 ? 'error' : 'warn'](
    {
      shard,
      log: at.log + 1,
      countedTo: at.position,
      reached,
      lostEntries: lost,
    },
    'scan log replaced',
  );
}

/**
 * The last position up to which a log that was put back to an older state has the entries that were seen before: those
 * that it took by then. Halving finds it, since a log takes its entries in the order of time.
 */
async function endOfCopy(
  log: Pick<ScanLogReader, 'timeOf'>,
  shard: number,
  knownAtMs: number,
  most: number,
): Promise<number> {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const time = await log.timeOf(shard, middle);
    // What is no longer there was trimmed from the front.
    if (time === null || time.getTime() <= knownAtMs + 1) low = middle;
    else high = middle - 1;
  }
  return low;
}

export type LogRow = {
  readonly created: string;
  readonly reached: number;
  readonly reached_ms: number | null;
  readonly acked: number;
};

const noteLog = sql(
  'note-log',
  `insert into scan_logs as known (shard, number, created) values ($1, $2, $3)
   on conflict (shard, number) do update set created = coalesce(known.created, excluded.created)
   returning created, reached, reached_ms, acked`,
);

const findLog = sql(
  'find-log',
  'select created, reached, reached_ms, acked from scan_logs where shard = $1 and number = $2',
);

/** Of a log that was there before, and was put back. */
const countedOfCreation = sql(
  'counted-of-creation',
  'select coalesce(max(counted_to), 0)::float8 as counted from scan_logs where shard = $1 and created = $2',
);

const changeLog = sql(
  'change-log',
  `update ingest_positions
      set log = $5, position = $6, marked_position = null, mark_batch = null, mark_ms = null, updated_at = now()
    where shard = $1 and owner = $2 and log = $3 and position = $4 returning shard`,
);

const closeLog = sql(
  'close-log',
  `update scan_logs set replaced_at = now(), counted_to = $3, kept_entries = $4 where shard = $1 and number = $2`,
);
