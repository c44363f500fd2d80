import { setImmediate as turn } from 'node:timers/promises';
import type { Uuid } from '../kernel/ids.ts';
import { type Chores, createChores } from '../platform/chores.ts';
import type { Logger } from '../platform/logger.ts';
import { type Database, sql } from '../platform/postgres.ts';
import { type CheckingParts, createChecking, firstTarget } from './checking.ts';
import { removeDropped } from './store.ts';

type Parts = CheckingParts & { readonly logger: Pick<Logger, 'warn' | 'info'> };

/** A claim that was not renewed for so long is taken over: its process is gone, and the next goes on where it was. */
const claimMs = 60_000;

/** Once a day, at an hour of the installation's own, one process of all looks every target up in the lists. */
export function createListChores({ logger, ...parts }: Parts): Chores {
  const { db } = parts;
  const checking = createChecking(parts);
  return createChores(logger, [
    {
      name: 'look targets up in the lists',
      everyMs: 60_000,
      async run(signal) {
        let after = await claim(db);
        if (after === null) return false;
        await removeDropped(db);
        let stopped = 0;
        while (!signal.aborted) {
          const { next, suspended } = await checking.step(after);
          stopped += suspended;
          if (next === null) {
            await db.query(finishCheck, [firstTarget]);
            if (stopped > 0)
              logger.info({ codes: stopped }, 'codes suspended that lead to what is on a list');
            return false;
          }
          after = next;
          await db.query(noteProgress, [after]);
          await turn();
        }
        // Another process need not wait until this claim has run out.
        await db.query(letGo);
        return false;
      },
    },
  ]);
}

/** Where to go on, or null where it is not yet time or another process is at it. */
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

const noteProgress = sql('note-list-check', 'update list_checks set after = $1, claimed_at = now()');

const letGo = sql('let-go-of-list-check', 'update list_checks set claimed_at = null');

/** The next one is at the same time of day, however late this one was. */
const finishCheck = sql(
  'finish-list-check',
  `update list_checks
      set after = $1, claimed_at = null,
          due_at = due_at + (floor(extract(epoch from now() - due_at) / 86400) + 1) * interval '1 day'`,
);
