import { randomBytes } from 'node:crypto';
import type { App } from '../http/app.ts';
import { addSecurityTxt } from '../http/security-txt.ts';
import type { ClientAddress } from '../kernel/client-address.ts';
import type { Ids } from '../kernel/ids.ts';
import { createAttempts } from '../limits/attempts.ts';
import { createChores } from '../platform/chores.ts';
import type { Database } from '../platform/postgres.ts';
import { createRedis } from '../platform/redis.ts';
import { createReportLimits } from '../reports/limits.ts';
import { addReportRoutes } from '../reports/routes.ts';
import { createReports, type Reports } from '../reports/service.ts';
import type { Shared } from './shared.ts';

/** A report waits longer for Redis than a rate limit may: it is not taken uncounted. */
const redisTimeoutMs = 1000;
const removeEveryMs = 3_600_000;

type Parts = {
  readonly app: App;
  readonly db: Database;
  readonly ids: Ids;
  readonly clientAddress: ClientAddress;
};

/** The report page, whom else to write to, and the end of old reports. */
export function buildReports(
  { config, logger, lifecycle, clock }: Shared,
  { app, db, ids, clientAddress }: Parts,
): Reports {
  const redis = createRedis(
    { ...config, redisTimeoutMs },
    error => logger.debug({ err: error }, 'redis connection error'),
    { patient: true },
  );
  lifecycle.defer('redis of reports', () => redis.disconnect());
  // Without the secret that all processes know, each of them counts by itself: an address is never hashed without one.
  const secret = config.authSecret || randomBytes(32).toString('base64');
  const attempts = createAttempts({ redis, secret, timeoutMs: redisTimeoutMs });
  const reports = createReports({ ids, clock });
  addReportRoutes(app, {
    reports,
    limits: createReportLimits(attempts),
    db,
    clientAddress,
    shortBaseUrl: config.shortBaseUrl,
    contact: config.abuseContact,
  });
  addSecurityTxt(app, { ...config, contact: config.abuseContact }, clock);
  const chores = createChores(logger, [
    {
      name: 'remove old reports',
      everyMs: removeEveryMs,
      async run() {
        const removed = await reports.removeOld(db);
        if (removed > 0) logger.info({ reports: removed }, 'old reports removed');
        return false;
      },
    },
  ]);
  lifecycle.defer('end of old reports', () => chores.stop());
  chores.start();
  return reports;
}
