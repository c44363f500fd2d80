import type { EntryMark } from '../scans/log-entry.ts';
import { checkEntry } from './check.ts';
import { countGroup } from './counting.ts';
import { unpackEntries } from './group-entries.ts';
import { traceGroup } from './group-trace.ts';
import { type CheckedEntry, type Counted, type Group, groupOf, ShardTaken, scansOf } from './ingest.ts';
import { createLogBuffer } from './log-buffer.ts';
import { beginLog, knownLog } from './logs.ts';
import { numberVisitors, unpackNumbers } from './numbering.ts';
import { countedLongAgo } from './old-batches.ts';
import { lastStored } from './rows.ts';
import * as statements from './statements.ts';
import { redo, store } from './storing.ts';
import type { Worker } from './work.ts';

type Held = {
  readonly position: number;
  readonly log: number;
  readonly now_ms: number;
  readonly mark_batch: string | null;
  readonly mark_ms: number | null;
};

/**
 * Takes the shard, does again what was left open, and then works through the log until something fails or the signal
 * comes. Whoever calls it calls it again: every failure is recovered from in this one way. It returns where the log was
 * replaced by another one, with which the next call begins.
 */
export async function workShard(worker: Worker, onProgress: () => void, signal: AbortSignal): Promise<void> {
  const { db, log, shard, owner, limits } = worker;
  const [held] = await db.query<Held>(statements.takeShard, [shard, owner, limits.ownedMs]);
  if (!held) throw new ShardTaken(shard);
  const clock = clockOf(held);
  await redoOpen(worker, onProgress, signal);
  await log.ready(shard, signal);
  const standing = { log: held.log, position: held.position, mark: markOf(held) };
  const known = await knownLog(worker, standing);
  let { position } = held;
  const ending = new AbortController();
  const either = AbortSignal.any([signal, ending.signal]);
  const buffer = createLogBuffer(log, shard, position, 2 * limits.groupScans, either, known);
  // One group is stored while the next is counted; never more, so that a crash leaves two open at most.
  let storing: Promise<void> = Promise.resolve();
  try {
    // Rows beyond the position are there only where PostgreSQL was put back to an older state than ClickHouse's.
    const storedTo = await lastStored(worker.clickhouse, { shard, log: held.log }, position, either);
    for (;;) {
      const entries = await Promise.race([
        buffer.next(limits.groupScans, limits.groupMs),
        // Should the store fail while the log is silent, nobody would hear of it.
        storing.then(() => new Promise<never>(() => undefined)),
      ]);
      const group = groupOf({ shard, log: held.log }, position, entries);
      await worker.windows.prepare(group);
      const trace = traceGroup(worker.tracer, group);
      const old = await countedLongAgo(worker.clickhouse, group, clock(), either);
      const result = await countGroup(worker, group, old);
      trace?.counted();
      position = group.toPosition;
      await storing;
      storing =
        group.afterPosition < storedTo
          ? redo(worker, group, result, either)
          : store(worker, group, result, either);
      storing.then(
        () => {
          trace?.stored();
          onProgress();
        },
        error => trace?.failed(error),
      );
    }
  } catch (error) {
    // What was read of the old log before it went is counted by now.
    if (!isReplaced(error)) throw error;
    await storing.catch(() => undefined);
    await beginLog(worker, { ...standing, position });
  } finally {
    ending.abort();
  }
}

const isReplaced = (error: unknown) => (error as { fault?: unknown } | null)?.fault === 'replaced';

/** PostgreSQL's time, whatever this machine's clock says. */
function clockOf({ now_ms }: Held): () => number {
  const start = performance.now();
  return () => now_ms + performance.now() - start;
}

const markOf = ({ mark_batch, mark_ms }: Held): EntryMark | null =>
  mark_batch === null || mark_ms === null ? null : { batchId: mark_batch, takenAtMs: mark_ms };

type OpenGroup = {
  readonly log: number;
  readonly after_position: number;
  readonly to_position: number;
  readonly verdicts: Buffer;
  readonly numbers: Buffer;
  readonly entries: Buffer | null;
};

/** Stores what was counted and perhaps not stored. It needs no log, but for groups that an older version counted. */
async function redoOpen(worker: Worker, onProgress: () => void, signal: AbortSignal): Promise<void> {
  for (const open of await worker.db.query<OpenGroup>(statements.openGroups, [worker.shard])) {
    const { log, after_position: afterPosition, to_position: toPosition } = open;
    const entries = open.entries ? unpackEntries(open.entries) : await readEntries(worker, open, signal);
    const group = { shard: worker.shard, log, afterPosition, toPosition, entries };
    await redo(worker, group, await countedOf(worker, group, open), signal);
    onProgress();
  }
}

/** The entries of a group as the log has them now; none where it is another log by now, which has other batches. */
async function readEntries(
  { db, log, shard }: Worker,
  { after_position, to_position }: OpenGroup,
  signal: AbortSignal,
): Promise<CheckedEntry[]> {
  await log.ready(shard, signal);
  if ((await log.stateOf(shard)).lastPosition < to_position) return [];
  const entries: CheckedEntry[] = [];
  try {
    for await (const read of log.read(shard, after_position, signal)) {
      if (read.position <= to_position) entries.push(checkEntry(read));
      if (read.position >= to_position) break;
    }
  } catch (error) {
    if (isReplaced(error)) return [];
    throw error;
  }
  const ids = new Set(entries.filter(({ batch }) => batch.scans.length > 0).map(({ batch }) => batch.id));
  const [row] = await db.query<{ known: number }>(statements.knownBatches, [[...ids]]);
  return row?.known === ids.size ? entries : [];
}

/** What is written down of an open group. One from before visitors had numbers gets them now. */
async function countedOf(
  { db, windows }: Worker,
  group: Group,
  { verdicts, numbers }: Pick<OpenGroup, 'verdicts' | 'numbers'>,
): Promise<Counted> {
  const scans = scansOf(group);
  if (numbers.length > 0 || scans.length !== verdicts.length)
    return { verdicts, numbers: unpackNumbers(numbers) };
  await windows.prepare(group);
  return { verdicts, numbers: await db.transaction(tx => numberVisitors(tx, scans, verdicts)) };
}
