import { statfs } from 'node:fs/promises';
import { poll } from '../../platform/background-jobs.ts';

/** Free space on the disk of the spool, polled in the background: a disk that hangs must block neither scans nor metrics. */
export type SpoolDisk = {
  /** NaN if the disk did not answer, or the last answer is too old. */
  freeBytes(): number;
  stop(): Promise<void>;
};

/** After this many polls without an answer the last one is too old. */
const maxMissedPolls = 5;

export function watchSpoolDisk(
  dir: string,
  everyMs = 2_000,
  measure: (dir: string) => Promise<{ readonly bavail: number; readonly bsize: number }> = statfs,
): SpoolDisk {
  let free = Number.NaN;
  let answeredMs = 0;
  async function update(): Promise<void> {
    // Blocks reserved for root do not count.
    free = await measure(dir).then(
      ({ bavail, bsize }) => bavail * bsize,
      () => Number.NaN,
    );
    answeredMs = performance.now();
  }
  return {
    freeBytes: () => (performance.now() - answeredMs > maxMissedPolls * everyMs ? Number.NaN : free),
    stop: poll(everyMs, update),
  };
}
