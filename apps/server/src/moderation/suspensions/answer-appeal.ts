import { AppError } from '../../kernel/errors.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import { findSuspension } from './store.ts';
import type { Suspension } from './suspension.ts';

/** Answers the owner's appeal and keeps the suspension. A new appeal clears the answer. */
export function answerAppeal(
  db: Database,
  id: Uuid,
  text: string | null,
  now: Date,
): Promise<Suspension | null> {
  return db.transaction(async tx => {
    const found = await findSuspension(tx, id);
    if (!found) return null;
    const rows = found.code
      ? await tx.query(answerOfCode, [found.code.id, text, now])
      : await tx.query(answerOfAccount, [found.account.id, text, now]);
    if (rows.length === 0)
      throw new AppError(
        'invalid_transition',
        'There is no appeal to answer, or the suspension was already released.',
      );
    return findSuspension(tx, id);
  });
}

const answer = 'update suspensions set answer = $2, answered_at = $3';
const isAppealed = 'released_at is null and deleted_at is null and appealed_at is not null returning id';

/** An appeal is against every suspension of a code, and so is its answer. */
const answerOfCode = sql('answer-appeal-of-code', `${answer} where qr_code_id = $1 and ${isAppealed}`);
const answerOfAccount = sql(
  'answer-appeal-of-account',
  `${answer} where account_id = $1 and qr_code_id is null and ${isAppealed}`,
);
