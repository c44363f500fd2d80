import { type Database, sql } from '../platform/postgres.ts';

/** What is done for erasure at most so often, by all ingest processes together. */
export type ErasureTask = 'hide' | 'merge';

/** Seconds between two turns of a task, by PostgreSQL's clock. */
const everySeconds: Readonly<Record<ErasureTask, number>> = { hide: 30, merge: 86_400 };

/** True for the one process whose turn it is. Where it is nobody's, nothing is written. */
export async function takeTurn(db: Database, task: ErasureTask): Promise<boolean> {
  const params = [task, everySeconds[task]];
  if ((await db.query(isTaken, params)).length > 0) return false;
  return (await db.query(take, params)).length > 0;
}

/** A turn that takes long begins again, so that nobody else works on the same parts meanwhile. */
export async function keepTurn(db: Database, task: ErasureTask): Promise<void> {
  await db.query(keep, [task]);
}

/** For a turn in which nothing could be done: the next one comes at once. */
export async function giveTurnBack(db: Database, task: ErasureTask): Promise<void> {
  await db.query(giveBack, [task]);
}

const isTaken = sql(
  'is-erasure-turn-taken',
  `select from erasure_turns where task = $1 and at > now() - $2 * interval '1 second'`,
);

const take = sql(
  'take-erasure-turn',
  `insert into erasure_turns as turn (task, at) values ($1, now())
   on conflict (task) do update set at = now() where turn.at <= now() - $2 * interval '1 second'
   returning task`,
);

const keep = sql('keep-erasure-turn', 'update erasure_turns set at = now() where task = $1');

const giveBack = sql('give-erasure-turn-back', 'delete from erasure_turns where task = $1');
