import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Uuid } from '../../kernel/ids.ts';
import { type BackgroundJobs, createBackgroundJobs } from '../../platform/background-jobs.ts';
import type { Logger } from '../../platform/logger.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import { createListCheck, firstTarget, type ListCheckParts } from './list-check.ts';
import { deleteDroppedGenerations } from './store.ts';

type Parts = ListCheckParts & { readonly logger: Pick<Logger, 'warn' | 'info'> };

/** A claim that was not renewed for this long is taken over: its process is gone, and another continues from its position. */
const claimMs = 60_000;

/** Once a day, at a time that differs by installation, one process checks every target against the lists. */
export function createListJobs({ logger, ...parts }: Parts): BackgroundJobs {
  const { db } = parts;
  const check = createListCheck(parts);
  return createBackgroundJobs(logger, [
    {
      name: 'check targets against the lists',
      everyMs: 60_000,
      async run(signal) {
        let after = await claim(db);
        if (after === null) return false;
        await deleteDroppedGenerations(db);
        let suspendedCodes = 0;
        while (!signal.aborted) {
          const { next, suspended } = await check.step(after);
          suspendedCodes += suspended;
          if (next === null) {
            await db.query(finishCheck, [firstTarget]);
            if (suspendedCodes > 0)
              logger.info({ codes: suspendedCodes }, 'suspended codes with a listed destination');
            return false;
          }
          after = next;
          await db.query(saveProgress, [after]);
          await yieldToEventLoop();
        }
        // Another process can continue without waiting for this claim to expire.
        await db.query(releaseClaim);
        return false;
      },
    },
  ]);
}

/** Where to continue, or null if the check is not due or another process has claimed it. */
async function claim(db: Database): Promise<Uuid | null> {
  const [row] = await db.query<{ after: Uuid }>(claimCheck, [claimMs]);
  return row?.after ?? null;
}

const claimCheck = sql(
  'claim-list-check',
  `update list_checks set claimed_at = now()
    where due_at <= now() and (claimed_at is null or claimed_at < now() - $1 * interval '1 millisecond')
   returning after`,
);

const saveProgress = sql('save-list-check', 'update list_checks set after = $1, claimed_at = now()');

const releaseClaim = sql('release-list-check', 'update list_checks set claimed_at = null');

/** The next check is due at the same time of day, however late this one was. */
const finishCheck = sql(
  'finish-list-check',
  `update list_checks
      set after = $1, claimed_at = null,
          due_at = due_at + (floor(extract(epoch from now() - due_at) / 86400) + 1) * interval '1 day'`,
);
