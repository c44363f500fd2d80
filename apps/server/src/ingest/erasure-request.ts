import type { Uuid } from '../kernel/ids.ts';
import { type Database, sql } from '../platform/postgres.ts';

/** Asks for the erasure of everything that is known of the scans of codes. Part of the transaction that deletes them. */
export async function requestErasures(tx: Database, qrCodeIds: readonly Uuid[], now: Date): Promise<void> {
  await tx.query(addErasures, [qrCodeIds, now]);
}

/** Forgets who has scanned anything of an account that is closed, some at a time. */
export async function forgetVisitors(db: Database, accountId: Uuid): Promise<void> {
  const most = 10_000;
  while ((await db.query(deleteVisitors, [accountId, most])).length === most);
}

const addErasures = sql(
  'add-erasures',
  `insert into erasures (qr_code_id, requested_at, account_id, mode)
   select id, $2, account_id, mode from qr_codes where id = any($1::uuid[])
   on conflict (qr_code_id) do nothing`,
);

const deleteVisitors = sql(
  'delete-account-visitors',
  `delete from account_visitors where (account_id, time_window, visitor) in (
     select account_id, time_window, visitor from account_visitors where account_id = $1 limit $2)
   returning 1`,
);
