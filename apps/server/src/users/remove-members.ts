import type { Uuid } from '../kernel/ids.ts';
import { type Database, sql } from '../platform/postgres/postgres.ts';
import { lockOperators } from './operators/operators.ts';

/**
 * Removes everybody from an account. A person without another account is deleted, with sessions, password and links; the e-mail
 * address may sign up again. A person who was made an operator while the account was being closed is removed as one.
 */
export async function removeMembers(db: Database, accountId: Uuid): Promise<void> {
  await db.transaction(async tx => {
    await lockOperators(tx);
    const rows = await tx.query<{ user_id: Uuid }>(deleteMembers, [accountId]);
    for (const { user_id: userId } of rows) {
      if ((await tx.query(anyMembership, [userId])).length > 0) continue;
      await tx.query(deleteOperator, [userId]);
      await tx.query(deleteUser, [userId]);
    }
  });
}

const deleteMembers = sql('delete-members', 'delete from members where account_id = $1 returning user_id');
const anyMembership = sql('any-membership', 'select 1 from members where user_id = $1 limit 1');
const deleteOperator = sql('delete-operator-of-closed-account', 'delete from operators where user_id = $1');
const deleteUser = sql('delete-user', 'delete from auth_users where id = $1');
