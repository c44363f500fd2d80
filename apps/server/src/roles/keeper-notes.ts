import { atMostEvery } from '../kernel/at-most-every.ts';
import type { Logger } from '../platform/logger.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { KeeperEvent } from '../scans/scan-keeper.ts';
import { ScanLogError } from '../scans/scan-log-error.ts';

type Parts = {
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly metrics: Pick<Metrics, 'scans'>;
};

const [secondMs, minuteMs] = [1_000, 60_000];

/** What happens to scans is counted; what must not happen is said aloud too, but of what every scan meets once a second. */
export function noteKeeperEvents({ logger, metrics }: Parts): (event: KeeperEvent) => void {
  const [sayLost, sayFailed] = [atMostEvery(secondMs), atMostEvery(secondMs)];
  const sayUnknown = atMostEvery(minuteMs);
  let lost = 0;

  function noteLoss(scans: number, why: string): void {
    lost += scans;
    sayLost(() => {
      logger.error({ scans: lost, why }, 'scans lost');
      lost = 0;
    });
  }

  return event => {
    switch (event.kind) {
      case 'logged':
      case 'spooled':
      case 'lost':
        metrics.scans.inc({ kept: event.kind }, event.scans);
        if (event.kind === 'lost') noteLoss(event.scans, event.why);
        return;
      case 'replayed':
        logger.info({ batches: event.batches }, 'spooled scans sent on');
        return;
      case 'log_doubted':
        logger.warn(
          { err: event.error },
          isFull(event.error) ? 'scan log is full: scans are spooled' : 'scan log did not answer in time',
        );
        return;
      case 'log_trusted':
        logger.info({}, 'scan log takes scans again');
        return;
      case 'spool_adopted':
        logger.warn({ event }, 'spool of an earlier process taken over');
        return;
      case 'spool_failed':
        sayFailed(skipped => logger.error({ event: event.kind, err: event.error, skipped }, 'scan spool'));
        return;
      case 'replay_unknown':
        sayUnknown(skipped =>
          logger.error({ event, skipped }, 'spooled scans in an unknown layout stay on the disk'),
        );
        return;
      default:
        logger.error({ event }, 'scan spool');
    }
  };
}

const isFull = (error: unknown) => error instanceof ScanLogError && error.fault === 'full';
