import { AppError } from '../../../kernel/errors.ts';
import { type Database, isOutOfTime, sql } from '../postgres.ts';

/** Runs statements that read one snapshot, so that what they find agrees. Each may take this long. */
export async function readAtOnce<Result>(
  db: Database,
  statementMs: number,
  read: (tx: Database) => Promise<Result>,
): Promise<Result> {
  try {
    return await db.transaction(async tx => {
      await tx.query(oneSnapshot);
      await tx.query(limitStatements, [String(statementMs)]);
      return await read(tx);
    });
  } catch (error) {
    if (!isOutOfTime(error)) throw error;
    throw new AppError('timeout', 'The answer took too long to work out. Ask for less, or try again.', {
      cause: error,
    });
  }
}

const oneSnapshot = sql('read-one-snapshot', 'set transaction isolation level repeatable read, read only');
const limitStatements = sql('read-limit-statements', `select set_config('statement_timeout', $1, true)`);
