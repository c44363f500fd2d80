import type { Mode } from '../../kernel/caller.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';

/** Requests the erasure of everything stored about the scans of codes. Runs in the transaction that deletes them. */
export async function requestErasures(tx: Database, qrCodeIds: readonly Uuid[], now: Date): Promise<void> {
  await tx.query(addErasures, [qrCodeIds, now]);
}

/**
 * Erases from another store: everything that is pending, and these deleted codes, which it still has. Runs in the transaction
 * that switches to it.
 */
export async function eraseAgain(
  tx: Database,
  codes: readonly { readonly qrCodeId: Uuid; readonly accountId: Uuid; readonly mode: Mode }[],
): Promise<void> {
  await tx.query(restartErasures);
  await tx.query(addErasuresOf, [
    codes.map(({ qrCodeId }) => qrCodeId),
    codes.map(({ accountId }) => accountId),
    codes.map(({ mode }) => mode),
  ]);
}

/** Deletes the counts of codes. Runs in the transaction that deletes them. */
export async function deleteScanCounts(tx: Database, qrCodeIds: readonly Uuid[]): Promise<void> {
  await tx.query(deleteCountsOfCodes, [qrCodeIds]);
}

/** Deletes the visitors of a closed account, in batches. */
export async function deleteAccountVisitors(db: Database, accountId: Uuid): Promise<void> {
  const rowsPerStep = 10_000;
  while ((await db.query(deleteVisitors, [accountId, rowsPerStep])).length === rowsPerStep);
}

const addErasures = sql(
  'add-erasures',
  `insert into erasures (qr_code_id, requested_at, account_id, mode)
   select id, $2, account_id, mode from qr_codes where id = any($1::uuid[])
   on conflict (qr_code_id) do nothing`,
);

const restartErasures = sql('restart-erasures', 'update erasures set sweeps = 0, sweep_at = now()');

const addErasuresOf = sql(
  'add-erasures-again',
  `insert into erasures (qr_code_id, requested_at, account_id, mode)
   select id, now(), account_id, mode from unnest($1::uuid[], $2::uuid[], $3::mode[]) as code (id, account_id, mode)
   on conflict (qr_code_id) do nothing`,
);

/** Locked in the order in which counting locks them. */
export const deleteCountsOfCodes = sql(
  'delete-scan-counts',
  `delete from scan_counts where qr_code_id = any(array(
     select qr_code_id from scan_counts where qr_code_id = any($1::uuid[]) order by qr_code_id for update))`,
);

const deleteVisitors = sql(
  'delete-account-visitors',
  `delete from account_visitors where (account_id, time_window, visitor) in (
     select account_id, time_window, visitor from account_visitors where account_id = $1 limit $2)
   returning 1`,
);
