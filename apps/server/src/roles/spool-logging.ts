import { hostname } from 'node:os';
import { withTimeout } from '../kernel/running/with-timeout.ts';
import { createBackgroundJobs } from '../platform/background-jobs.ts';
import type { Logger } from '../platform/logger.ts';
import { loadSpoolId } from '../scans/spool/id.ts';
import type { SpoolsLeft } from '../scans/spool/left-behind.ts';
import type { SpoolStats } from '../scans/spool/spool.ts';

/** Tracks the spool in PostgreSQL: while the process runs, nothing is left behind; when it stops, what is. */
export type LeftSpoolTracker = {
  recordLeft(stats: SpoolStats): Promise<void>;
  stop(): Promise<void>;
};

type Parts = {
  readonly left: Pick<SpoolsLeft, 'record' | 'remove'>;
  readonly directory: string;
  readonly logger: Pick<Logger, 'warn' | 'debug'>;
  readonly everyMs?: number;
};

const writeTimeoutMs = 1_000;

/**
 * Removes the row of an earlier process now and every minute: PostgreSQL may be down at the start, and a process that
 * shares the directory may stop later. This process adopts what that one leaves.
 */
export function trackLeftSpool({ left, directory, logger, everyMs = 60_000 }: Parts): LeftSpoolTracker {
  const remove = async (): Promise<boolean> => {
    try {
      await left.remove(await loadSpoolId(directory));
    } catch (error) {
      logger.debug({ err: error }, 'row of a left spool not removed');
    }
    return false;
  };
  const jobs = createBackgroundJobs(logger, [
    { name: 'remove the row of a left spool', everyMs, run: remove },
  ]);
  jobs.start();
  return {
    async recordLeft({ scans, bytes, segments }) {
      if (segments === 0) return;
      const recorded = await withTimeout(writeTimeoutMs, record(scans, bytes)).then(
        () => true,
        error => {
          logger.debug({ err: error }, 'left spool not recorded');
          return false;
        },
      );
      // `recorded`: if false, PostgreSQL does not know of it, and no alert will fire.
      logger.warn(
        { scans, bytes, directory, recorded, next: `signpost spool drain --dir ${directory}` },
        'scans are left on the disk',
      );
    },
    async stop() {
      await withTimeout(writeTimeoutMs, jobs.stop()).catch(() => undefined);
    },
  };

  async function record(scans: number, bytes: number): Promise<void> {
    await left.record({ spoolId: await loadSpoolId(directory), host: hostname(), directory, scans, bytes });
  }
}
