import { modes } from '../../kernel/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { maxEvidenceTargets } from '../../moderation/evidence.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import type { CacheInvalidator } from '../../redirect/changes/cache-invalidator.ts';
import { deleteCounts, lockCounts } from '../code-counts.ts';
import { deleteDailyCodes } from '../creation/daily-limit.ts';
import type { Owner } from '../qr-code.ts';
import * as statements from '../statements.ts';
import { deleteAccountTags } from '../tags/tag-writer.ts';
import { countRemovedTargets, trimRemovedTargets } from '../targets/targets.ts';
import { deleteCodes } from './deletion.ts';
import { deleteEditsInSteps } from './edits.ts';
import { deleteMassChanges } from './mass-changes.ts';

type Parts = { readonly db: Database; readonly clock: Clock; readonly links: CacheInvalidator };

/** Codes that are read at a time, and removed targets that one transaction may delete with its codes. */
const codesPerStep = 1000;
const removedPerTransaction = 5000;

/**
 * Deletes every code of a closed account, in both modes, and then its counts. When it resolves, none of them redirects, and a
 * create that was under way when the account was closed has failed or its code was deleted too.
 *
 * A code may have a thousand edits and as many removed targets, of some kilobytes each. They are deleted before their codes,
 * except for those that may be needed as evidence, so that no statement grows with them.
 */
export function createDeleteAllCodes({ db, clock, links }: Parts) {
  async function deleteInMode(owner: Owner, onDeleted: (count: number) => void): Promise<void> {
    for (;;) {
      const codes = await db.query<{ id: Uuid }>(statements.nextToDelete, [
        owner.accountId,
        owner.mode,
        codesPerStep,
      ]);
      if (codes.length === 0) return;
      const ids = codes.map(({ id }) => id);
      await deleteEditsInSteps(db, ids);
      await trimRemovedTargets(db, ids, maxEvidenceTargets);
      for (const batch of splitByRemoved(ids, await countRemovedTargets(db, ids))) {
        const keys = await deleteCodes(db, owner, batch, clock.now());
        if (keys.length === 0) continue;
        await links.invalidate(keys);
        onDeleted(keys.length);
      }
    }
  }

  /** Removes the counts, without which no code can be created. False where a code was created meanwhile. */
  const tryDeleteCounts = (owner: Owner): Promise<boolean> =>
    db.transaction(async tx => {
      await lockCounts(tx, owner);
      const left = await tx.query(statements.nextToDelete, [owner.accountId, owner.mode, 1]);
      if (left.length > 0) return false;
      await deleteAccountTags(tx, owner);
      await deleteCounts(tx, owner);
      return true;
    });

  return async (accountId: Uuid, onProgress: (deleted: number) => void): Promise<number> => {
    let deleted = 0;
    const onDeleted = (count: number) => {
      deleted += count;
      onProgress(deleted);
    };
    for (const mode of modes) {
      const owner = { accountId, mode };
      do await deleteInMode(owner, onDeleted);
      while (!(await tryDeleteCounts(owner)));
    }
    await deleteDailyCodes(db, accountId);
    await deleteMassChanges(db, accountId);
    return deleted;
  };
}

/** Into batches whose removed targets are few enough for one transaction. */
function splitByRemoved(ids: readonly Uuid[], removed: ReadonlyMap<Uuid, number>): Uuid[][] {
  const batches: Uuid[][] = [];
  let left = 0;
  for (const id of ids) {
    const own = removed.get(id) ?? 0;
    if (batches.length === 0 || own > left) {
      batches.push([]);
      left = removedPerTransaction;
    }
    batches.at(-1)!.push(id);
    left -= own;
  }
  return batches;
}
