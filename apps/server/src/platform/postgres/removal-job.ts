import { throttle } from '../../kernel/running/throttle.ts';
import type { BackgroundJob } from '../background-jobs.ts';
import type { Logger } from '../logger.ts';

const [everyMs, maxRows, logEveryMs] = [10_000, 1000, 3_600_000];

/** Removes expired rows, a bounded number every few seconds, and logs once an hour how many there were. */
export function createRemovalJob(
  rows: string,
  remove: (limit: number) => Promise<number>,
  logger: Pick<Logger, 'info'>,
): BackgroundJob {
  const hourly = throttle(logEveryMs);
  let total = 0;
  return {
    name: `remove expired ${rows}`,
    everyMs,
    async run() {
      const removed = await remove(maxRows);
      total += removed;
      if (removed > 0)
        hourly(() => {
          logger.info({ removed: total }, `expired ${rows} removed`);
          total = 0;
        });
      return false;
    },
  };
}
