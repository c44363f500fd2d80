import type { Lifecycle } from '../../../kernel/running/lifecycle.ts';
import { runService } from '../../../kernel/running/run-service.ts';
import type { Logger } from '../../../platform/logger.ts';
import type { Database } from '../../../platform/postgres/postgres.ts';
import type { StopNotifier } from './stop.ts';
import { createStopRelay } from './stop-relay.ts';

type Parts = {
  readonly db: Database;
  readonly redirects: StopNotifier;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
};

/** Repeats stops of codes and hosts that redirect processes may have missed. */
export function registerStops({ db, redirects, logger, lifecycle }: Parts): void {
  runService(lifecycle, 'stop relay', createStopRelay({ db, redirects, logger }));
}
