import { type BackgroundJobs, createBackgroundJobs } from '../../../platform/background-jobs.ts';
import type { Logger } from '../../../platform/logger.ts';
import { type Database, sql } from '../../../platform/postgres/postgres.ts';
import { type StopNotifier, type StopRow, toChange } from './stop.ts';
import { pruneLifted } from './stop-writer.ts';

type Options = {
  readonly db: Database;
  readonly redirects: StopNotifier;
  readonly logger: Pick<Logger, 'warn'>;
};

/** Changes that are broadcast in one message. */
const changesPerStep = 1000;
/** Longer than a broadcast ever takes. */
const claimMs = 10_000;

/**
 * Broadcasts every change of a stop once more, since the process that made it may have died before it did; and prunes stops
 * that were lifted long ago.
 */
export function createStopRelay({ db, redirects, logger }: Options): BackgroundJobs {
  async function relay(): Promise<boolean> {
    if ((await db.query(anyUnrelayed)).length === 0) return false;
    const changes = await db.query<StopRow>(claimUnrelayed, [changesPerStep, claimMs]);
    if (changes.length === 0) return false;
    await redirects.notify(changes.map(toChange));
    await db.query(markRelayed, [changes.map(({ n }) => n)]);
    return changes.length === changesPerStep;
  }

  return createBackgroundJobs(logger, [
    { name: 'relay stops to redirects', everyMs: 1000, run: relay },
    {
      name: 'prune lifted stops',
      everyMs: 600_000,
      run: async () =>
        (await db.query(anyOldLifted)).length > 0 &&
        (await db.transaction(tx => pruneLifted(tx, changesPerStep))) === changesPerStep,
    },
  ]);
}

const anyOldLifted = sql(
  'any-old-lifted-stop',
  `select from stops
    where reason is null and domain is null and relayed and changed_at < now() - interval '1 day' limit 1`,
);

const anyUnrelayed = sql('any-unrelayed-stop', 'select from stops where not relayed limit 1');

const claimUnrelayed = sql(
  'claim-unrelayed-stops',
  `update stops set claimed_at = now()
    where n = any(array(
      select n from stops
       where not relayed and (claimed_at is null or claimed_at < now() - $2 * interval '1 millisecond')
       order by n limit $1 for update skip locked))
   returning subject, reason, domain, n`,
);

/** By number: a stop that was changed meanwhile has another number, and is relayed again. */
const markRelayed = sql('mark-stops-relayed', 'update stops set relayed = true where n = any($1)');
