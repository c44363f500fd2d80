import { statfs } from 'node:fs/promises';

/** The room on the disk of the spool, looked up now and then: a disk that hangs must hold up neither scans nor metrics. */
export type SpoolDisk = {
  /** NaN where the disk did not say, or has not said for a while. */
  freeBytes(): number;
  stop(): void;
};

/** So many looks without an answer, and what was found last is too old. */
const mostMissed = 5;

export function watchSpoolDisk(
  dir: string,
  everyMs = 2_000,
  ask: (dir: string) => Promise<{ readonly bavail: number; readonly bsize: number }> = statfs,
): SpoolDisk {
  let free = Number.NaN;
  let answeredMs = 0;
  let asking = false;
  async function look(): Promise<void> {
    if (asking) return;
    asking = true;
    // What only root may still take does not count.
    free = await ask(dir).then(
      ({ bavail, bsize }) => bavail * bsize,
      () => Number.NaN,
    );
    answeredMs = performance.now();
    asking = false;
  }
  void look();
  const timer = setInterval(look, everyMs).unref();
  return {
    freeBytes: () => (performance.now() - answeredMs > mostMissed * everyMs ? Number.NaN : free),
    stop: () => clearInterval(timer),
  };
}
