import { randomBytes } from 'node:crypto';
import type { Config } from '../../config/config.ts';
import type { App } from '../../http/app.ts';
import type { ClientAddress } from '../../kernel/addresses/client-address.ts';
import type { LinkNames } from '../../kernel/addresses/link-names.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { Lifecycle } from '../../kernel/running/lifecycle.ts';
import { runService } from '../../kernel/running/run-service.ts';
import type { Limiters } from '../../limits/limiters.ts';
import { createBackgroundJobs } from '../../platform/background-jobs.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import { createReportLimits } from './limits.ts';
import { addReportRoutes } from './routes.ts';
import { createReports, type Reports } from './service.ts';

type Parts = {
  readonly app: App;
  readonly config: Config;
  readonly linkNames: LinkNames;
  readonly limiters: Pick<Limiters, 'attempts'>;
  readonly db: Database;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly clientAddress: ClientAddress;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
};

const removeEveryMs = 3_600_000;

/** The report page, and the removal of old reports. */
export function registerReports(parts: Parts): Reports {
  const { app, config, linkNames, limiters, db, ids, clock, clientAddress, logger, lifecycle } = parts;
  // Without the secret that all processes share, each of them counts alone: an address is never hashed without one.
  const secret = config.authSecret || randomBytes(32).toString('base64');
  const attempts = limiters.attempts(secret);
  const reports = createReports({ ids, clock });
  addReportRoutes(app, {
    reports,
    limits: createReportLimits(attempts),
    db,
    clientAddress,
    linkNames,
    contact: config.abuseContact,
  });
  const removal = {
    name: 'remove old reports',
    everyMs: removeEveryMs,
    async run() {
      const removed = await reports.removeOld(db);
      if (removed > 0) logger.info({ reports: removed }, 'old reports removed');
      return false;
    },
  };
  runService(lifecycle, 'old reports', createBackgroundJobs(logger, [removal]));
  return reports;
}
