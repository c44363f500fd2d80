import type { Kept } from '../../apps/server/src/scans/batch-keeper.ts';
import type { ScanKeeper } from '../../apps/server/src/scans/scan-keeper.ts';
import { someScan } from './scans.ts';

const everyMs = 10;

/** Writes scans at a steady rate until told to stop, and knows what became of each. */
export function load(keeper: Pick<ScanKeeper, 'write'>, perSecond: number) {
  const ledger = new Map<string, Kept>();
  const writing = new Set<Promise<unknown>>();
  const timer = setInterval(() => {
    for (let i = 0; i < (perSecond * everyMs) / 1000; i++) {
      const scan = someScan();
      const written = keeper.write(scan).then(kept => {
        ledger.set(scan.id, kept);
        writing.delete(written);
      });
      writing.add(written);
    }
  }, everyMs);
  return {
    async stop(): Promise<ReadonlyMap<string, Kept>> {
      clearInterval(timer);
      await Promise.all(writing);
      return ledger;
    },
  };
}
