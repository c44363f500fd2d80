import type { Logger } from '../platform/logger.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { KeeperEvent } from '../scans/scan-keeper.ts';

type Parts = {
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly metrics: Pick<Metrics, 'scans'>;
};

/** What happens to scans is counted; what must not happen is said aloud too. */
export function noteKeeperEvents({ logger, metrics }: Parts): (event: KeeperEvent) => void {
  return event => {
    switch (event.kind) {
      case 'logged':
      case 'spooled':
      case 'lost':
        metrics.scans.inc({ kept: event.kind }, event.scans);
        if (event.kind === 'lost') logger.error({ scans: event.scans, why: event.why }, 'scans lost');
        return;
      case 'replayed':
        logger.info({ batches: event.batches }, 'spooled scans sent on');
        return;
      case 'log_doubted':
        logger.warn({ err: event.error }, 'scan log did not answer in time');
        return;
      case 'log_trusted':
        logger.info({}, 'scan log answers again');
        return;
      case 'spool_adopted':
        logger.warn({ event }, 'spool of an earlier process taken over');
        return;
      default:
        logger.error('error' in event ? { event: event.kind, err: event.error } : { event }, 'scan spool');
    }
  };
}
