import { type Database, sql } from '../../platform/postgres/postgres.ts';

/** Erasure tasks that one of all ingest processes runs, at most once per interval. */
export type ErasureTask = 'hide' | 'merge';

/** The interval of a task in seconds, by PostgreSQL's clock. */
const intervalSeconds: Readonly<Record<ErasureTask, number>> = { hide: 30, merge: 86_400 };

/** True for the one process that may run the task now. Writes nothing if the task is not due. */
export async function claimTask(db: Database, task: ErasureTask): Promise<boolean> {
  const params = [task, intervalSeconds[task]];
  if ((await db.query(findClaim, params)).length > 0) return false;
  return (await db.query(claim, params)).length > 0;
}

/** Restarts the interval of a long run, so that no other process works on the same parts in the meantime. */
export async function renewClaim(db: Database, task: ErasureTask): Promise<void> {
  await db.query(renew, [task]);
}

/** For a run that failed: the task is due again at once. */
export async function releaseClaim(db: Database, task: ErasureTask): Promise<void> {
  await db.query(release, [task]);
}

const findClaim = sql(
  'find-erasure-claim',
  `select from erasure_turns where task = $1 and at > now() - $2 * interval '1 second'`,
);

const claim = sql(
  'claim-erasure-task',
  `insert into erasure_turns as claimed (task, at) values ($1, now())
   on conflict (task) do update set at = now() where claimed.at <= now() - $2 * interval '1 second'
   returning task`,
);

const renew = sql('renew-erasure-claim', 'update erasure_turns set at = now() where task = $1');

const release = sql('release-erasure-claim', 'delete from erasure_turns where task = $1');
