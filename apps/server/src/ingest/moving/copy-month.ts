import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../platform/postgres/postgres.ts';
import { type PlacedRow, visitRows } from '../../scans/stores/postgres/stored-rows.ts';
import type { StoresAfterCounts } from '../../scans/stores/row-storage.ts';
import { beginInsert, finishInsert, type Progress, readProgress, start } from './progress.ts';

export type CopyParts = {
  readonly db: Database;
  readonly target: Pick<StoresAfterCounts, 'insert' | 'insertMissing'>;
  readonly onCopied: (month: string, rows: number) => void;
  /** Rows per insert, which are in memory at a time. */
  readonly rowsPerInsert?: number;
};

const defaultRowsPerInsert = 20_000;
const insertTimeoutMs = 60_000;
const maxAttempts = 5;

/** Copies what a month has more than was copied before. Resolves to the number of rows. */
export async function copyMonth(parts: CopyParts, month: string): Promise<number> {
  const { db, rowsPerInsert = defaultRowsPerInsert } = parts;
  let copied = 0;
  for (const progress of await readProgress(db, month)) copied += await finishPending(parts, month, progress);
  const reached = new Map((await readProgress(db, month)).map(({ shard, after }) => [shard, after]));
  const spans = [...reached].map(([shard, after]) => ({ shard, after, upTo: null }));
  await visitRows(db, { month, spans }, rowsPerInsert, async rows => {
    for (const run of splitByLog(rows)) {
      const { shard, log, position, place } = run.at(-1)!;
      const pending = { log, position, place };
      const after = reached.get(shard) ?? start;
      const id = await beginInsert(db, month, shard, { after, upTo: pending });
      await insert(parts, run, toToken({ id, after }), false);
      await finishInsert(db, month, { shard, id, pending, rows: run.length });
      reached.set(shard, pending);
      copied += run.length;
      parts.onCopied(month, run.length);
    }
  });
  return copied;
}

/**
 * Repeats the insert that was under way when an earlier command ended. Rows at these positions can only have been erased
 * since: under the same token ClickHouse stores what it had got before or what is left, and never both.
 */
async function finishPending(parts: CopyParts, month: string, progress: Progress): Promise<number> {
  const { shard, after, pending } = progress;
  if (pending === null) return 0;
  const rows: PlacedRow[] = [];
  const span = { month, spans: [{ shard, after, upTo: pending }], only: true };
  await visitRows(parts.db, span, defaultRowsPerInsert, async more => void rows.push(...more));
  if (rows.length > 0) await insert(parts, rows, toToken(progress), true);
  await finishInsert(parts.db, month, { ...progress, pending, rows: rows.length });
  parts.onCopied(month, rows.length);
  return rows.length;
}

const toToken = ({ id, after: { log, position, place } }: Pick<Progress, 'id' | 'after'>) =>
  `move-${id}-${log}.${position}.${place}`;

/** Sends rows of one log of a shard until ClickHouse has them. */
async function insert(
  { target }: CopyParts,
  placed: readonly PlacedRow[],
  token: string,
  isRepeated: boolean,
): Promise<void> {
  const [first, last] = [placed[0]!, placed.at(-1)!];
  const span = {
    shard: first.shard,
    log: first.log,
    afterPosition: first.position - 1,
    toPosition: last.position,
  };
  const rows = placed.map(({ row }) => row);
  const limits = { timeoutMs: insertTimeoutMs };
  for (let attempt = 1; ; attempt++) {
    try {
      if (isRepeated || attempt > 1) await target.insertMissing(span, rows, token, limits);
      else await target.insert(rows, token, limits);
      return;
    } catch (cause) {
      if (attempt === maxAttempts)
        throw new Error(
          `ClickHouse does not take the scans: ${(cause as Error).message} Nothing is lost. When it works again, run the same command: it continues where it stopped.`,
          { cause },
        );
      await pause(attempt * 500);
    }
  }
}

/** An insert has rows of one log: its positions are those of that log. */
function splitByLog(rows: readonly PlacedRow[]): PlacedRow[][] {
  const runs: PlacedRow[][] = [];
  for (const row of rows) {
    const before = runs.at(-1)?.at(-1);
    if (before?.shard === row.shard && before.log === row.log) runs.at(-1)!.push(row);
    else runs.push([row]);
  }
  return runs;
}
