import type { Durability } from '../../../apps/server/src/scans/log/durable-append.ts';
import type { ScanWriter } from '../../../apps/server/src/scans/scan-writer.ts';
import { someScan, withPromises } from './scans.ts';

const everyMs = 10;

/** Writes scans at a steady rate until it is stopped, and records the outcome of each. */
export function load(keeper: Pick<ScanWriter, 'write'>, perSecond: number) {
  const { write } = withPromises(keeper);
  const ledger = new Map<string, Durability>();
  const writing = new Set<Promise<unknown>>();
  const timer = setInterval(() => {
    for (let i = 0; i < (perSecond * everyMs) / 1000; i++) {
      const scan = someScan();
      const written = write(scan).then(kept => {
        ledger.set(scan.id, kept);
        writing.delete(written);
      });
      writing.add(written);
    }
  }, everyMs);
  return {
    async stop(): Promise<ReadonlyMap<string, Durability>> {
      clearInterval(timer);
      await Promise.all(writing);
      return ledger;
    },
  };
}
