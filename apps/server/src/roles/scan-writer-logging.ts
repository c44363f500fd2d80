import { throttle } from '../kernel/running/throttle.ts';
import type { Logger } from '../platform/logger.ts';
import type { Metrics } from '../platform/metrics.ts';
import { ScanLogError } from '../scans/log/scan-log-error.ts';
import type { ScanWriterEvent } from '../scans/scan-writer.ts';

type Parts = {
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly metrics: Pick<Metrics, 'scans'>;
};

const [secondMs, minuteMs] = [1_000, 60_000];

/** Counts what happens to scans, and logs what should not happen. Events that every scan may cause are logged once a second. */
export function logScanWriterEvents({ logger, metrics }: Parts): (event: ScanWriterEvent) => void {
  const [limitLost, limitFailed] = [throttle(secondMs), throttle(secondMs)];
  const [limitUnknown, limitHeld] = [throttle(minuteMs), throttle(minuteMs)];
  let lost = 0;

  function logLoss(scans: number, reason: string): void {
    lost += scans;
    limitLost(() => {
      logger.error({ scans: lost, reason }, 'scans lost');
      lost = 0;
    });
  }

  const logHeld = () =>
    limitHeld(() =>
      logger.error(
        'scans are in memory only: neither the log nor the disk takes them, and a kill would lose them',
      ),
    );

  return event => {
    switch (event.kind) {
      case 'logged':
      case 'spooled':
      case 'held':
      case 'lost':
        metrics.scans.inc({ outcome: event.kind }, event.scans);
        if (event.kind === 'lost') logLoss(event.scans, event.reason);
        if (event.kind === 'held') logHeld();
        return;
      case 'held_stored':
        logger.info({ scans: event.scans }, 'scans in memory are stored');
        return;
      case 'replayed':
        logger.info({ batches: event.batches }, 'spooled scans replayed');
        return;
      case 'log_unhealthy':
        logger.warn(
          { err: event.error, shard: event.shard },
          isFull(event.error) ? 'scan log is full' : 'scan log did not take scans in time',
        );
        return;
      case 'log_recovered':
        logger.info({ shard: event.shard }, 'scan log has recovered');
        return;
      case 'spool_adopted':
        logger.warn({ event }, 'spool of an earlier process adopted');
        return;
      case 'spool_failed':
        limitFailed(skipped => logger.error({ event: event.kind, err: event.error, skipped }, 'scan spool'));
        return;
      case 'replay_unknown':
        limitUnknown(skipped =>
          logger.error({ event, skipped }, 'spooled scans in an unknown layout stay on the disk'),
        );
        return;
      default:
        logger.error({ event }, 'scan spool');
    }
  };
}

const isFull = (error: unknown) => error instanceof ScanLogError && error.fault === 'full';
