import type { AuditLog } from '../http/audited.ts';
import type { Lifecycle } from '../kernel/running/lifecycle.ts';
import { runService } from '../kernel/running/run-service.ts';
import { createBackgroundJobs } from '../platform/background-jobs.ts';
import type { Logger } from '../platform/logger.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import { createRemovalJob } from '../platform/postgres/removal-job.ts';
import { toEvent, toPlace } from './event.ts';
import { removeOldEvents } from './store.ts';
import { writeEvent } from './writer.ts';

type Parts = {
  readonly db: Database;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
  readonly config: { readonly auditDays: number };
};

/** The log of what happens in accounts, and the removal of what is older than AUDIT_DAYS. */
export function openAudit({ db, logger, lifecycle, config }: Parts): AuditLog {
  const remove = (limit: number) => removeOldEvents(db, config.auditDays, limit);
  const removal = createRemovalJob('audit events', remove, logger);
  runService(lifecycle, 'audit events', createBackgroundJobs(logger, [removal]));
  return {
    async record(on, call) {
      const place = toPlace(call);
      const event = place && toEvent(call);
      if (event) await writeEvent(on, place, event);
    },
    toEvent,
  };
}
