import { countGroup } from './counting.ts';
import { traceGroup } from './group-trace.ts';
import { type Counted, type Group, groupOf, ShardTaken, scansOf, type Verdicts } from './ingest.ts';
import { createLogBuffer } from './log-buffer.ts';
import { numberVisitors, unpackNumbers } from './numbering.ts';
import { lastStored } from './rows.ts';
import * as statements from './statements.ts';
import { redo, store, type Worker } from './storing.ts';

type OpenGroup = { after_position: number; to_position: number; verdicts: Verdicts; numbers: Buffer };

/**
 * Takes the shard, does again what was left open, and then works through the log until something fails or the signal
 * comes. Whoever calls it calls it again: every failure is recovered from in this one way.
 */
export async function workShard(worker: Worker, onProgress: () => void, signal: AbortSignal): Promise<never> {
  const { db, shard, owner, limits } = worker;
  const [held] = await db.query<{ position: number }>(statements.takeShard, [shard, owner, limits.ownedMs]);
  if (!held) throw new ShardTaken(shard);
  const open = await db.query<OpenGroup>(statements.openGroups, [shard]);
  let position = held.position;
  const ending = new AbortController();
  const either = AbortSignal.any([signal, ending.signal]);
  const from = open[0]?.after_position ?? position;
  const buffer = createLogBuffer(worker.log, shard, from, 2 * limits.groupScans, either);
  try {
    for (const { after_position, to_position, ...kept } of open) {
      const entries = await buffer.upTo(to_position);
      const group = { shard, afterPosition: after_position, toPosition: to_position, entries };
      await redo(worker, group, await countedOf(worker, group, kept), either);
      onProgress();
    }
    // Rows beyond the position are there only where PostgreSQL was put back to an older state than ClickHouse's.
    const storedTo = await lastStored(worker.clickhouse, shard, position, either);
    // One group is stored while the next is counted; never more, so that a crash leaves two open at most.
    let storing: Promise<void> = Promise.resolve();
    for (;;) {
      const entries = await Promise.race([
        buffer.next(limits.groupScans, limits.groupMs),
        // Should the store fail while the log is silent, nobody would hear of it.
        storing.then(() => new Promise<never>(() => undefined)),
      ]);
      const group = groupOf(shard, position, entries);
      await worker.windows.prepare(group);
      const trace = traceGroup(worker.tracer, group);
      const result = await countGroup(db, owner, group, worker.counters);
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
  } finally {
    ending.abort();
  }
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
