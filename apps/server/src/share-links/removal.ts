import type { Uuid } from '../kernel/ids.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import { deleteOfAccount, deleteOfCodes } from './statements.ts';

/** In the transaction that deletes the codes. */
export async function removeShareLinks(tx: Database, qrCodeIds: readonly Uuid[]): Promise<void> {
  await tx.query(deleteOfCodes, [qrCodeIds]);
}

/** Those of a closed account, in both modes. */
export async function removeAccountShareLinks(db: Database, accountId: Uuid): Promise<void> {
  await db.query(deleteOfAccount, [accountId]);
}
