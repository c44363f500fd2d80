import { statfs } from 'node:fs/promises';

/** The room on the disk of the spool, looked up now and then: a disk that hangs must hold up neither scans nor metrics. */
export type SpoolDisk = {
  /** NaN where the disk did not say. */
  freeBytes(): number;
  stop(): void;
};

export function watchSpoolDisk(dir: string, everyMs = 2_000): SpoolDisk {
  let free = Number.NaN;
  let asking = false;
  async function look(): Promise<void> {
    if (asking) return;
    asking = true;
    // What only root may still take does not count.
    free = await statfs(dir).then(
      ({ bavail, bsize }) => bavail * bsize,
      () => Number.NaN,
    );
    asking = false;
  }
  void look();
  const timer = setInterval(look, everyMs).unref();
  return { freeBytes: () => free, stop: () => clearInterval(timer) };
}
