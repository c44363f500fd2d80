import { AppError } from '../../kernel/errors.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';

/** The plan of an operator's own account. */
export const operatorPlan = 'enterprise';

/**
 * Serialises changes of operators across all processes until the end of the transaction. Without it, two people could both become
 * the first operator, or the last two could be removed at once.
 */
export async function lockOperators(tx: Database): Promise<void> {
  await tx.query(lock);
}

export async function hasOperator(db: Database): Promise<boolean> {
  return (await db.query(anyOperator)).length > 0;
}

/** Also deletes the tokens that create the first operator. Returns false if the user is already an operator. */
export async function addOperator(tx: Database, userId: Uuid, at: Date): Promise<boolean> {
  await lockOperators(tx);
  await tx.query(removeTokens);
  return (await tx.query(insertOperator, [userId, at])).length > 0;
}

/** Returns false if the user is not an operator. Refuses to remove the last one. */
export async function removeOperator(tx: Database, userId: Uuid, email: string): Promise<boolean> {
  await lockOperators(tx);
  const all = await tx.query<{ user_id: Uuid }>(allOperators);
  if (!all.some(row => row.user_id === userId)) return false;
  if (all.length === 1) throw lastOperator(email);
  await tx.query(deleteOperator, [userId]);
  return true;
}

const lastOperator = (email: string) =>
  new AppError(
    'forbidden',
    `${email} is the only operator, and there must be one. Make another person an operator first, on the page People or with signpost admin set-operator EMAIL on`,
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
