import type { Uuid } from '../kernel/ids.ts';
import { type Database, sql } from '../platform/postgres/postgres.ts';

/** Accounts that are closed, and of which something is still to be deleted. */

/** In the transaction that closes it: whoever runs it deletes the rest. */
export async function recordClosure(tx: Database, accountId: Uuid): Promise<void> {
  await tx.query(insertClosure, [accountId]);
}

/** A closure that somebody began long ago and did not finish; null if there is none. */
export async function claimAbandonedClosure(db: Database): Promise<Uuid | null> {
  const [row] = await db.query<{ account_id: Uuid }>(claimClosure);
  return row?.account_id ?? null;
}

export async function endClosure(db: Database, accountId: Uuid): Promise<void> {
  await db.query(deleteClosure, [accountId]);
}

const insertClosure = sql(
  'insert-account-closure',
  `insert into account_closures (account_id, claimed_at) values ($1, now())
   on conflict (account_id) do update set claimed_at = excluded.claimed_at`,
);
const claimClosure = sql(
  'claim-account-closure',
  `update account_closures set claimed_at = now()
    where account_id = (
      select account_id from account_closures where claimed_at < now() - interval '30 minutes'
       order by claimed_at limit 1 for update skip locked)
   returning account_id`,
);
const deleteClosure = sql('end-account-closure', 'delete from account_closures where account_id = $1');
