import { sql } from '../platform/postgres/postgres.ts';
import type { EntryMark } from '../scans/log/format/entry.ts';
import { closeLog, type KnownLogRow, onDisk, recordLog } from '../scans/log/known-logs.ts';
import type { KnownLog, LogExtent } from '../scans/log/reader.ts';
import { type ScanLogReader, ShardTaken } from './ingest.ts';
import type { WorkerContext } from './worker-context.ts';

/** The position of a worker in one of the logs that the shard has had. */
export type WorkerPosition = {
  readonly log: number;
  readonly position: number;
  readonly mark: EntryMark | null;
};

/** The stored identity of the log that a worker reads. It is stored when a log is first seen. */
export async function knownLog({ db, log, shard }: WorkerContext, at: WorkerPosition): Promise<KnownLog> {
  const { createdAt } = await log.readState(shard);
  const { created } = await recordLog(db, shard, at.log, createdAt);
  const extent = async () => toExtent((await db.query<KnownLogRow>(findLog, [shard, at.log]))[0]!);
  return { createdAt: created, mark: at.mark, extent };
}

const toExtent = ({ reached, reached_ms, acked }: KnownLogRow): LogExtent => ({
  reached: reached_ms === null ? null : { position: reached, appendedAtMs: reached_ms },
  acked,
});

/**
 * Switches to a log that has replaced the counted one. It is read from its first entry: batches that were in the old log too
 * are recognized by their ids. Entries that it trimmed before are reported by the reader, except those already counted.
 * The old log is closed with the number of entries that are lost with it, as far as any process has seen them or got
 * acks for them.
 */
export async function beginLog(worker: WorkerContext, at: WorkerPosition): Promise<void> {
  const { db, log, shard, owner, logger } = worker;
  const state = await log.readState(shard);
  const [old] = await db.query<KnownLogRow>(findLog, [shard, at.log]);
  const reached = Math.max(old?.reached ?? 0, old?.acked ?? 0, at.position);
  const isCopy = old !== undefined && old.created === state.createdAt;
  const knownAtMs = Math.max(old?.reached_ms ?? 0, at.mark?.appendedAtMs ?? 0);
  const copied = isCopy ? await endOfCopy(log, shard, knownAtMs, Math.min(state.lastPosition, reached)) : 0;
  // A log on the disk is sent into the next one by the process that finds it there.
  const isMoved = old?.created.endsWith(onDisk) === true && !state.createdAt.endsWith(onDisk);
  const copiedUncounted = isMoved ? reached - at.position : Math.max(0, copied - at.position);
  const lost = reached - at.position - copiedUncounted;
  const [earlier] = await db.query<{ counted: number }>(countedOfCreation, [shard, state.createdAt]);
  const counted = isCopy ? Math.min(at.position, copied) : earlier!.counted;
  const startPosition = Math.max(0, Math.min(state.firstPosition - 1, counted));
  await db.transaction(async tx => {
    const moved = await tx.query(changeLog, [shard, owner, at.log, at.position, at.log + 1, startPosition]);
    if (moved.length === 0) throw new ShardTaken(shard);
    await closeLog(tx, shard, at.log, at.position, copiedUncounted);
    await recordLog(tx, shard, at.log + 1, state.createdAt);
  });
  // A log without an entry is replaced by the next start of the only process: nothing happened.
  logger[lost > 0 ? 'error' : reached > 0 ? 'warn' : 'info'](
    { shard, log: at.log + 1, countedTo: at.position, reached, lostEntries: lost },
    'scan log replaced',
  );
}

/**
 * The last position up to which a log that was restored from an older copy has the entries that were seen before. Found by
 * binary search, since entries are in the order of their time.
 */
async function endOfCopy(
  log: Pick<ScanLogReader, 'readTime'>,
  shard: number,
  knownAtMs: number,
  maxPosition: number,
): Promise<number> {
  let [low, high] = [0, maxPosition];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const time = await log.readTime(shard, middle);
    // A missing entry was trimmed from the front.
    if (time === null || time.getTime() <= knownAtMs + 1) low = middle;
    else high = middle - 1;
  }
  return low;
}

const findLog = sql(
  'find-log',
  'select created, reached, reached_ms, acked from scan_logs where shard = $1 and number = $2',
);

/** Of a log that existed before and was restored. */
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
