import type { Uuid } from '../../kernel/ids.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';

/** A place where a code is printed. Its key is in the link that is printed there. */
export type Placement = {
  readonly key: string;
  readonly name: string;
  readonly note: string | null;
  readonly createdAt: Date;
};

export async function findPlacementKeys(db: Database, qrCodeId: Uuid): Promise<readonly string[]> {
  const rows = await db.query<{ key: string }>(selectKeys, [qrCodeId]);
  return rows.map(({ key }) => key);
}

export async function removePlacements(tx: Database, qrCodeIds: readonly Uuid[]): Promise<void> {
  await tx.query(deletePlacements, [qrCodeIds]);
}

const selectKeys = sql('select-placement-keys', 'select key from placements where qr_code_id = $1');
const deletePlacements = sql(
  'delete-placements-of-codes',
  'delete from placements where qr_code_id = any($1::uuid[])',
);
