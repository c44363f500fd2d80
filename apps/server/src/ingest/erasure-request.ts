import type { Uuid } from '../kernel/ids.ts';
import { type Database, sql } from '../platform/postgres.ts';

/** Asks for the erasure of everything that is known of a code's scans. Part of the transaction that deletes the code. */
export async function requestErasure(tx: Database, qrCodeId: Uuid, now: Date): Promise<void> {
  await tx.query(addErasure, [qrCodeId, now]);
}

const addErasure = sql(
  'add-erasure',
  `insert into erasures (qr_code_id, requested_at, account_id, mode)
   select id, $2, account_id, mode from qr_codes where id = $1
   on conflict (qr_code_id) do nothing`,
);
