import type { Config } from '../config/config.ts';
import type { App } from '../http/app.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Lifecycle } from '../kernel/running/lifecycle.ts';
import { runService } from '../kernel/running/run-service.ts';
import { withTimeout } from '../kernel/running/with-timeout.ts';
import type { Limiters } from '../limits/limiters.ts';
import { createSlidingWindows } from '../limits/sliding-windows.ts';
import { createBackgroundJobs } from '../platform/background-jobs.ts';
import type { Logger } from '../platform/logger.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import { createKeyAuthentication } from './authentication.ts';
import { warnOfMissingPlan } from './default-plan.ts';
import { createKeyCache, createKeyInvalidator } from './key-cache.ts';
import { createKeyUses, flushEveryMs } from './key-uses.ts';
import { createAccounts, createAccountsWithin } from './service.ts';
import { createAccountStore } from './store.ts';

type Parts = {
  readonly app: App;
  readonly config: Config;
  readonly db: Database;
  readonly limiters: Limiters;
  readonly metrics: Pick<Metrics, 'limitedByProcess'>;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly windowMs: number;
};

/** How long a process that ends waits for the last uses of keys to be written. */
const lastUsesTimeoutMs = 1_000;

/** Accounts and their API keys; authenticates callers by key, and anonymous ones by address. */
export function registerAccounts(parts: Parts) {
  const { app, config, db, limiters, metrics, logger, lifecycle, clock, ids, windowMs } = parts;
  const store = createAccountStore(db);
  const uses = createKeyUses({ store, clock });
  const limiter = limiters.calls({ windowMs, onAlone: () => metrics.limitedByProcess.inc() });
  app.addAuthenticators(
    createKeyAuthentication({
      store,
      cache: createKeyCache(50_000),
      limiter,
      uses,
      clock,
      anonymousCalls: createSlidingWindows({ windowMs, maxKeys: 100_000 }),
      anonymousPerMinute: config.anonymousRequestsPerMinute,
    }),
  );
  // Deferred before the job, and so run after it has stopped: nothing is noted between the two.
  // They are only a hint to people: a silent database is not waited for.
  lifecycle.defer('last key uses', () =>
    withTimeout(lastUsesTimeoutMs, uses.flush()).catch(error =>
      logger.warn({ err: error }, 'last uses of keys not written'),
    ),
  );
  const writeUses = {
    name: 'write key uses',
    everyMs: flushEveryMs,
    async run() {
      await uses.flush();
      return false;
    },
  };
  runService(lifecycle, 'key uses', createBackgroundJobs(logger, [writeUses]));
  void warnOfMissingPlan(db, config, logger);
  const keyInvalidator = createKeyInvalidator(limiters.endToken);
  return {
    accounts: createAccounts({ store, keyInvalidator, ids, clock }),
    accountsWithin: createAccountsWithin({ keyInvalidator, ids, clock }),
    keyInvalidator,
    uses,
  };
}
