import { AppError } from '../kernel/errors.ts';
import type { Uuid } from '../kernel/ids.ts';
import { type Database, sql } from '../platform/postgres.ts';
import { membersOf } from './members.ts';

/** The plan that an operator's own account is made with. */
export const operatorPlan = 'enterprise';

/**
 * One change at a time over all processes, until the end of the transaction: only then is the first operator the first,
 * and the last one the last.
 */
export async function lockOperators(tx: Database): Promise<void> {
  await tx.query(lock);
}

export async function hasOperator(db: Database): Promise<boolean> {
  return (await db.query(anyOperator)).length > 0;
}

/** With the first operator every token that could make one ends. False for who is an operator already. */
export async function addOperator(tx: Database, userId: Uuid, at: Date): Promise<boolean> {
  await lockOperators(tx);
  await tx.query(removeTokens);
  return (await tx.query(insertOperator, [userId, at])).length > 0;
}

/** False for who is none. The last one stays: without an operator nobody could let people in by the dashboard. */
export async function removeOperator(tx: Database, userId: Uuid, email: string): Promise<boolean> {
  await lockOperators(tx);
  const all = await tx.query<{ user_id: Uuid }>(allOperators);
  if (!all.some(row => row.user_id === userId)) return false;
  if (all.length === 1) throw lastOperator(email);
  await tx.query(deleteOperator, [userId]);
  return true;
}

/** Before an account is closed: its people who go with it are operators no more, unless no operator were left. */
export async function removeOperatorsOf(db: Database, accountId: Uuid): Promise<void> {
  await db.transaction(async tx => {
    await lockOperators(tx);
    await requireOtherOperator(tx, accountId);
    for (const { userId, email } of await goingOperators(tx, accountId))
      await removeOperator(tx, userId, email);
  });
}

/** Refuses where closing the account would leave nobody who runs the installation. */
export async function requireOtherOperator(db: Database, accountId: Uuid): Promise<void> {
  const going = await goingOperators(db, accountId);
  const all = await db.query(allOperators);
  if (going.length > 0 && going.length >= all.length) throw lastOperator(going[0]!.email);
}

const goingOperators = async (db: Database, accountId: Uuid) =>
  (await membersOf(db, accountId)).filter(({ isOperator, onlyHere }) => isOperator && onlyHere);

const lastOperator = (email: string) =>
  new AppError(
    'forbidden',
    `${email} is the only operator, and there must be one. Make somebody else an operator first: signpost admin set-operator EMAIL on`,
  );

const lock = sql('lock-operators', `select pg_advisory_xact_lock(hashtextextended('signpost operators', 0))`);
const anyOperator = sql('any-operator', 'select 1 from operators limit 1');
const allOperators = sql('all-operators', 'select user_id from operators');
const insertOperator = sql(
  'insert-operator',
  'insert into operators (user_id, created_at) values ($1, $2) on conflict do nothing returning user_id',
);
const deleteOperator = sql('delete-operator', 'delete from operators where user_id = $1');
const removeTokens = sql('remove-operator-tokens', 'delete from operator_tokens');
