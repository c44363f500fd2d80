import type { EntryMark } from '../scans/log/format/entry.ts';
import { mayBeRemoved, readCountedFrom } from '../scans/retention/retention.ts';
import { countGroup } from './counting/counting.ts';
import { unpackEntries } from './counting/group-entries.ts';
import { traceGroup } from './counting/group-trace.ts';
import { unpackNumbers } from './counting/numbering.ts';
import { countedLongAgo } from './counting/old-batches.ts';
import { refuseRemoved } from './counting/removed-months.ts';
import { redo, store } from './counting/storing.ts';
import { type Group, listScans, ShardTaken, toGroup } from './ingest.ts';
import { createLogBuffer } from './log-buffer.ts';
import { beginLog, knownLog } from './logs.ts';
import * as statements from './statements.ts';
import type { WorkerContext } from './worker-context.ts';

type ClaimedShard = {
  readonly position: number;
  readonly log: number;
  readonly now_ms: number;
  readonly mark_batch: string | null;
  readonly mark_ms: number | null;
};

/**
 * Claims the shard, redoes open groups, and then processes the log until something fails or the signal aborts. The caller
 * calls it again: this is the one way to recover from any failure. It returns if the log was replaced; the next call
 * then reads the new one.
 */
export async function workShard(
  worker: WorkerContext,
  onProgress: () => void,
  signal: AbortSignal,
): Promise<void> {
  const { db, log, shard, owner, limits } = worker;
  const [claimed] = await db.query<ClaimedShard>(statements.takeShard, [shard, owner, limits.ownerTimeoutMs]);
  if (!claimed) throw new ShardTaken(shard);
  const clock = createClock(claimed);
  await redoOpen(worker, onProgress, signal);
  await log.ready(shard, signal);
  const start = { log: claimed.log, position: claimed.position, mark: toMark(claimed) };
  const known = await knownLog(worker, start);
  let { position } = claimed;
  const finished = new AbortController();
  const anySignal = AbortSignal.any([signal, finished.signal]);
  const buffer = createLogBuffer(log, shard, position, 2 * limits.groupScans, anySignal, known);
  // One group is stored while the next is counted; never more, so that a crash leaves at most two open.
  let storing: Promise<void> = Promise.resolve();
  try {
    const storedTo = await findStoredPosition(worker, claimed, anySignal);
    for (;;) {
      const entries = await Promise.race([
        buffer.next(limits.groupScans, limits.groupMs),
        // Or a failed store would go unnoticed while the log is silent.
        storing.then(() => new Promise<never>(() => undefined)),
      ]);
      const read = toGroup({ shard, log: claimed.log }, position, entries);
      const hasOldScans = listScans(read).some(({ atMs }) => mayBeRemoved(atMs, clock()));
      const group = hasOldScans ? refuseRemoved(read, await readCountedFrom(db)) : read;
      await worker.visitorTables.prepare(group);
      await prepareRows(worker, group);
      const trace = traceGroup(worker.tracer, group);
      const old = await countedLongAgo(worker.rows, group, clock(), anySignal);
      const counted = await countGroup(worker, group, old, hasOldScans);
      trace?.counted();
      position = group.toPosition;
      await storing;
      storing =
        group.afterPosition < storedTo
          ? redo(worker, group, counted, anySignal)
          : store(worker, group, counted, anySignal);
      storing.then(
        () => {
          trace?.stored();
          onProgress();
        },
        error => trace?.failed(error),
      );
    }
  } catch (error) {
    // All entries that were read from the old log are counted by now.
    if (!isReplaced(error)) throw error;
    await storing.catch(() => undefined);
    await beginLog(worker, { ...start, position });
  } finally {
    finished.abort();
  }
}

/** There are rows beyond the position only in a store of its own, if PostgreSQL was restored to an older state. */
const findStoredPosition = async (
  { rows, shard }: WorkerContext,
  { log, position }: ClaimedShard,
  signal: AbortSignal,
): Promise<number> =>
  rows.stores === 'after_counts'
    ? await rows.findLastPosition({ shard, log }, position, { signal })
    : position;

const prepareRows = async ({ rows }: WorkerContext, group: Group): Promise<void> => {
  if (rows.stores === 'with_counts') await rows.prepare(listScans(group).map(({ atMs }) => atMs));
};

const isReplaced = (error: unknown) => (error as { fault?: unknown } | null)?.fault === 'replaced';

/** PostgreSQL's time, independent of this machine's clock. */
function createClock({ now_ms }: ClaimedShard): () => number {
  const start = performance.now();
  return () => now_ms + performance.now() - start;
}

const toMark = ({ mark_batch, mark_ms }: ClaimedShard): EntryMark | null =>
  mark_batch === null || mark_ms === null ? null : { batchId: mark_batch, appendedAtMs: mark_ms };

type OpenGroup = {
  readonly log: number;
  readonly after_position: number;
  readonly to_position: number;
  readonly classifications: Buffer;
  readonly numbers: Buffer;
  readonly entries: Buffer;
};

/** Stores groups that were counted and perhaps not stored. */
async function redoOpen(worker: WorkerContext, onProgress: () => void, signal: AbortSignal): Promise<void> {
  for (const open of await worker.db.query<OpenGroup>(statements.openGroups, [worker.shard])) {
    const { log, after_position: afterPosition, to_position: toPosition } = open;
    const group = {
      shard: worker.shard,
      log,
      afterPosition,
      toPosition,
      entries: unpackEntries(open.entries),
    };
    const counted = { classifications: open.classifications, numbers: unpackNumbers(open.numbers) };
    await redo(worker, group, counted, signal);
    onProgress();
  }
}
