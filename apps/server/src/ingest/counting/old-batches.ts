import { timeOfUuid, type Uuid } from '../../kernel/ids.ts';
import type { RowStore } from '../../scans/stores/row-storage.ts';
import type { Group } from '../ingest.ts';
import { batchIdsKeptDays } from '../prune.ts';

const dayMs = 24 * 60 * 60 * 1_000;
/** The clocks of redirects may be off by this much. */
const marginDays = 1;

/**
 * Batches that were counted so long ago that their ids have been pruned. A batch from the spool of a machine that was off
 * for weeks may be one, and so may a batch with an id in the future, from a machine whose clock was wrong. The stored
 * rows show whether it was counted: a batch is counted as a whole or not at all, and if all of its codes were
 * deleted since, it does not count anyway.
 */
export async function countedLongAgo(
  rows: Pick<RowStore, 'findStored'>,
  group: Group,
  nowMs: number,
  signal: AbortSignal,
): Promise<ReadonlySet<Uuid>> {
  const oldest = nowMs - (batchIdsKeptDays - marginDays) * dayMs;
  const newest = nowMs + marginDays * dayMs;
  const mayBeOld = (createdMs: number) => createdMs < oldest || createdMs > newest;
  const old = group.entries.filter(({ batch }) => batch.scans.length > 0 && mayBeOld(timeOfUuid(batch.id)));
  if (old.length === 0) return new Set();
  const scans = old.flatMap(({ batch }) => batch.scans);
  const stored = await rows.findStored(scans, { signal });
  const counted = old.filter(({ batch }) => batch.scans.some(scan => stored.has(scan.id)));
  return new Set(counted.map(({ batch }) => batch.id));
}
