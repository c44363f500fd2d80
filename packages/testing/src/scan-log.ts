import type { ScanLog } from '../../../apps/server/src/scans/log/scan-log.ts';

/** Everything in a shard of the log now, counted with and without repeated batches. */
export async function readThrough(log: ScanLog, shard: number) {
  const last = await log.lastPosition(shard);
  const batches = new Map<string, number>();
  const scanIds = new Set<string>();
  const positions: number[] = [];
  if (last > 0) {
    for await (const entry of log.read(shard, 0, AbortSignal.timeout(60_000))) {
      positions.push(entry.position);
      if (entry.kind === 'batch') {
        batches.set(entry.batch.id, entry.batch.scans.length);
        for (const { id } of entry.batch.scans) scanIds.add(id);
      }
      if (entry.position >= last) break;
    }
  }
  const scansOfDistinctBatches = [...batches.values()].reduce((sum, scans) => sum + scans, 0);
  return { positions, scanIds, distinctBatches: batches.size, scansOfDistinctBatches };
}
