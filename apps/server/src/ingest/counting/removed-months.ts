import { type CheckedEntry, emptyBatch, type Group } from '../ingest.ts';

/**
 * Refuses entries with a scan from before this moment: its month is summed, or is about to be. Whether they were counted
 * before can no longer be told, since the scans that would show it are gone.
 */
export const refuseRemoved = (group: Group, countedFromMs: number): Group => ({
  ...group,
  entries: group.entries.map(entry =>
    isBefore(entry, countedFromMs) ? { ...entry, batch: emptyBatch, fault: 'removed month' } : entry,
  ),
});

export function assertCounted(group: Group, countedFromMs: number): void {
  if (group.entries.some(entry => isBefore(entry, countedFromMs)))
    throw new Error('A month of scans was closed before this group was counted');
}

const isBefore = ({ batch }: CheckedEntry, fromMs: number) => batch.scans.some(({ atMs }) => atMs < fromMs);
