import { type Database, sql } from '../platform/postgres.ts';
import { type EntryMark, isSameMark, type LogSize } from '../scans/log-entry.ts';

/** As much of the log as it takes to make room in it. */
export type TrimmableLog = {
  sizeOf(shard: number): Promise<LogSize>;
  /** Null where the entry is not there. */
  markAt(shard: number, position: number): Promise<EntryMark | null>;
  /** Removes every entry before the position, and says how many. */
  trim(shard: number, position: number): Promise<number>;
};

/** A log that is fuller than this is brought down to that, as far as it is stored. */
const [fullFrom, fullTo] = [0.7, 0.5];

/**
 * Makes room in a log that fills up, before its age does: removes the oldest entries, but only those that are counted in
 * PostgreSQL and stored in ClickHouse. The last of them stays, since a log is known again by it. How many went.
 */
export async function trimFull(
  db: Database,
  log: TrimmableLog,
  { shard, maxBytes }: { readonly shard: number; readonly maxBytes: number },
): Promise<number> {
  const { bytes, createdAt, firstPosition, lastPosition } = await log.sizeOf(shard);
  if (bytes <= fullFrom * maxBytes) return 0;
  const [row] = await db.query<StoredRow>(storedTo, [shard, createdAt]);
  if (!row) return 0;
  // As if all entries were of one size; where that takes too few, the next look takes more.
  const excess = Math.ceil((lastPosition - firstPosition + 1) * (1 - (fullTo * maxBytes) / bytes));
  const keepFrom = Math.min(firstPosition + excess, row.stored);
  if (keepFrom <= firstPosition) return 0;
  // A log that was put back to an older state has other entries at the same positions, which nobody has counted.
  const mark = { batchId: row.mark_batch, takenAtMs: row.mark_ms };
  const there = await log.markAt(shard, row.position);
  if (!there || !isSameMark(there, mark)) return 0;
  return await log.trim(shard, keepFrom);
}

type StoredRow = {
  readonly position: number;
  /** Up to and with this position all is stored. */
  readonly stored: number;
  readonly mark_batch: string;
  readonly mark_ms: number;
};

/** Of the log that is being counted. Nothing where its last counted entry is not known. */
const storedTo = sql(
  'ingest-stored-to',
  `select p.position, p.mark_batch, p.mark_ms,
          least(p.position, (select min(after_position) from ingest_groups g where g.shard = p.shard)) as stored
     from ingest_positions p
     join scan_logs l on l.shard = p.shard and l.number = p.log and l.created = $2
    where p.shard = $1 and p.marked_position = p.position and p.mark_batch is not null and p.mark_ms is not null`,
);
