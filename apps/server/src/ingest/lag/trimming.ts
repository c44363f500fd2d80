import { type Database, sql } from '../../platform/postgres/postgres.ts';
import { type EntryMark, isSameMark, type LogSize } from '../../scans/log/format/entry.ts';

/** The part of the log that trimming needs. */
export type TrimmableLog = {
  readSize(shard: number): Promise<LogSize>;
  /** Null if the entry does not exist. */
  markAt(shard: number, position: number): Promise<EntryMark | null>;
  /** Removes every entry before the position, and returns how many. */
  trim(shard: number, position: number): Promise<number>;
  /** The position from which a log of this size is kept. A log that does not know it is trimmed by an estimate. */
  keepWithin?(maxBytes: number): number;
};

/** A log that is fuller than the first ratio is trimmed to the second, as far as it is stored. */
const [trimAbove, trimTo] = [0.7, 0.5];

/**
 * Trims a log that fills up before its entries expire: removes the oldest entries, but only those that are counted in
 * PostgreSQL and stored in ClickHouse. The last of them stays, since it identifies the log. Returns how many it removed.
 */
export async function trimFull(
  db: Database,
  log: TrimmableLog,
  { shard, maxBytes }: { readonly shard: number; readonly maxBytes: number },
): Promise<number> {
  const { bytes, firstPosition, lastPosition } = await log.readSize(shard);
  if (bytes <= trimAbove * maxBytes) return 0;
  // Assumes that all entries have the same size; if that trims too few, the next run trims more.
  const excess = Math.ceil((lastPosition - firstPosition + 1) * (1 - (trimTo * maxBytes) / bytes));
  const keepFrom = log.keepWithin?.(trimTo * maxBytes) ?? firstPosition + excess;
  return trimStored(db, log, shard, keepFrom);
}

/** Removes entries older than this from a log in which nothing expires by itself; as far as they are stored. */
export async function trimExpired(
  db: Database,
  log: TrimmableLog & { keepFrom(olderThanMs: number): number },
  olderThanMs: number,
): Promise<number> {
  return trimStored(db, log, onlyShard, log.keepFrom(olderThanMs));
}

const onlyShard = 0;

/** Removes the entries before a position, but none that is not counted and stored. */
async function trimStored(db: Database, log: TrimmableLog, shard: number, before: number): Promise<number> {
  const { createdAt, firstPosition } = await log.readSize(shard);
  if (before <= firstPosition) return 0;
  const [row] = await db.query<StoredRow>(storedTo, [shard, createdAt]);
  if (!row) return 0;
  const keepFrom = Math.min(before, row.stored);
  if (keepFrom <= firstPosition) return 0;
  // A log that was restored from an older copy has other entries at the same positions, which are not counted.
  const mark = { batchId: row.mark_batch, appendedAtMs: row.mark_ms };
  const actual = await log.markAt(shard, row.position);
  if (!actual || !isSameMark(actual, mark)) return 0;
  return await log.trim(shard, keepFrom);
}

type StoredRow = {
  readonly position: number;
  /** Everything up to and including this position is stored. */
  readonly stored: number;
  readonly mark_batch: string;
  readonly mark_ms: number;
};

/** Of the log that is being counted. No row if its last counted entry is unknown. */
const storedTo = sql(
  'ingest-stored-to',
  `select p.position, p.mark_batch, p.mark_ms,
          least(p.position, (select min(after_position) from ingest_groups g where g.shard = p.shard)) as stored
     from ingest_positions p
     join scan_logs l on l.shard = p.shard and l.number = p.log and l.created = $2
    where p.shard = $1 and p.marked_position = p.position and p.mark_batch is not null and p.mark_ms is not null`,
);
