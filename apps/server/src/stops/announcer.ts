import { type Chores, createChores } from '../platform/chores.ts';
import type { Logger } from '../platform/logger.ts';
import { type Database, sql } from '../platform/postgres.ts';
import type { StopChange, StopTeller } from './stop.ts';
import { forgetLifted } from './writing.ts';

type Options = {
  readonly db: Database;
  readonly redirects: StopTeller;
  readonly logger: Pick<Logger, 'warn'>;
};

/** Changes that redirects are told of in one message. */
const most = 1000;
/** Longer than redirects are ever waited for. */
const claimMs = 10_000;

/**
 * Tells redirects of every change of a stop once more, since whoever made it may have died before it did; and forgets stops
 * that were lifted long ago.
 */
export function createStopAnnouncer({ db, redirects, logger }: Options): Chores {
  async function announce(): Promise<boolean> {
    if ((await db.query(anyUntold)).length === 0) return false;
    const changes = await db.query<StopChange>(claimUntold, [most, claimMs]);
    if (changes.length === 0) return false;
    await redirects.tell(changes.map(({ subject, reason, n }) => ({ subject, reason, n })));
    await db.query(markTold, [changes.map(({ n }) => n)]);
    return changes.length === most;
  }

  return createChores(logger, [
    { name: 'tell redirects of stops', everyMs: 1000, run: announce },
    {
      name: 'forget lifted stops',
      everyMs: 600_000,
      run: async () =>
        (await db.query(anyOldLifted)).length > 0 &&
        (await db.transaction(tx => forgetLifted(tx, most))) === most,
    },
  ]);
}

const anyOldLifted = sql(
  'any-old-lifted-stop',
  `select from stops where reason is null and told and changed_at < now() - interval '1 day' limit 1`,
);

const anyUntold = sql('any-untold-stop', 'select from stops where not told limit 1');

const claimUntold = sql(
  'claim-untold-stops',
  `update stops set claimed_at = now()
    where n = any(array(
      select n from stops
       where not told and (claimed_at is null or claimed_at < now() - $2 * interval '1 millisecond')
       order by n limit $1 for update skip locked))
   returning subject, reason, n`,
);

/** By number: a stop that was changed meanwhile has another, and is told of again. */
const markTold = sql('mark-stops-told', 'update stops set told = true where n = any($1)');
