import { deleteScanCounts, requestErasures } from '../../ingest/erasure/request.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Precondition } from '../../kernel/precondition.ts';
import { keepEvidence } from '../../moderation/evidence.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import { removeShareLinks } from '../../share-links/removal.ts';
import { lockCounts, subtractDeleted } from '../code-counts.ts';
import { removePlacements } from '../placements/placement.ts';
import type { Owner, Status } from '../qr-code.ts';
import { refuseUnmet } from '../refusals.ts';
import * as statements from '../statements.ts';
import { removeTags } from '../tags/tag-writer.ts';
import { deleteRemovedTargets, deleteTargets } from '../targets/targets.ts';
import { eraseEdits } from './edits.ts';
import { noteMassChange } from './mass-changes.ts';

/** Deletes what the owner asks to delete; the owner is mailed about many. */
export function deleteWanted(
  db: Database,
  owner: Owner,
  ids: readonly Uuid[],
  now: Date,
  required: Precondition = {},
): Promise<readonly string[]> {
  return db.transaction(async tx => {
    const keys = await deleteCodes(tx, owner, ids, now, required);
    await noteMassChange(tx, owner, 'deletion', keys.length, now);
    return keys;
  });
}

/**
 * Deletes those of these codes that the owner still has, in one transaction: leaves tombstones and frees their share of the
 * quota. Returns the keys of their links.
 */
export function deleteCodes(
  db: Database,
  owner: Owner,
  ids: readonly Uuid[],
  now: Date,
  required: Precondition = {},
): Promise<readonly string[]> {
  return db.transaction(async tx => {
    await lockCounts(tx, owner);
    const codes = await tx.query<DeletedCode>(statements.lockToDelete, [owner.accountId, owner.mode, ids]);
    for (const code of codes) refuseUnmet(required, code);
    if (codes.length > 0) await softDelete(tx, owner, codes, now);
    return codes.map(code => code.key);
  });
}

type DeletedCode = {
  readonly id: Uuid;
  readonly number: number;
  readonly status: Status;
  readonly archived: boolean;
  readonly made_by: 'api' | 'dashboard';
  readonly key: string;
  readonly revision: number;
};

async function softDelete(
  tx: Database,
  owner: Owner,
  codes: readonly DeletedCode[],
  now: Date,
): Promise<void> {
  const ids = codes.map(code => code.id);
  // First: a suspension by host locks targets, so from here on it either has suspended these codes or never will.
  const targets = await deleteTargets(tx, ids);
  await removeTags(tx, ids);
  await removePlacements(tx, ids);
  await removeShareLinks(tx, ids);
  await keepEvidence(tx, owner.accountId, ids, targets, now);
  await deleteRemovedTargets(tx, ids);
  await tx.query(statements.softDeleteCodes, [ids, now]);
  await deleteScanCounts(tx, ids);
  await eraseEdits(tx, ids);
  await requestErasures(tx, ids, now);
  await subtractDeleted(tx, owner, codes);
}
