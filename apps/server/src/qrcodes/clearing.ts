import { modes } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { Database } from '../platform/postgres.ts';
import { evidenceDue, keptDestinations } from '../suspensions/evidence.ts';
import { forgetDailyCodes } from './daily-codes.ts';
import { deleteSome } from './deletion.ts';
import { countEditsOf, trimEdits } from './edits.ts';
import type { LinkDropper } from './service.ts';
import * as statements from './statements.ts';
import type { Owner } from './store.ts';

type Parts = { readonly db: Database; readonly clock: Clock; readonly links: LinkDropper };

/** Codes that are deleted in one transaction, before redirects are told, and edits that go into evidence with them. */
const batchSize = 1000;
const editsAtOnce = 5000;

/**
 * What becomes of the codes of an account that is closed, in both modes. A code may have a thousand edits of some kilobytes
 * each: they go before their codes, so that no statement grows with them.
 */
export function createClearing({ db, clock, links }: Parts) {
  async function clearMode(owner: Owner, onDeleted: (some: number) => void): Promise<void> {
    for (;;) {
      const codes = await db.query<{ id: Uuid; destination_url: string }>(statements.nextToDelete, [
        owner.accountId,
        owner.mode,
        batchSize,
      ]);
      if (codes.length === 0) return;
      const due = await evidenceDue(db, owner.accountId, codes);
      const ids = codes.map(({ id }) => id);
      const plain = ids.filter(id => !due.has(id));
      await trimEdits(db, plain, 0);
      await trimEdits(db, [...due], keptDestinations);
      for (const batch of cutByEdits(ids, await countEditsOf(db, ids))) {
        const keys = await deleteSome(db, owner, batch, clock.now());
        if (keys.length === 0) continue;
        await links.drop(keys);
        onDeleted(keys.length);
      }
    }
  }

  /** Removes the tally, without which nothing is made, unless a code was made meanwhile. What it counts does not matter. */
  const removeTally = ({ accountId, mode }: Owner): Promise<boolean> =>
    db.transaction(async tx => {
      await tx.query(statements.lockTally, [accountId, mode]);
      if ((await tx.query(statements.nextToDelete, [accountId, mode, 1])).length > 0) return false;
      await tx.query(statements.deleteTally, [accountId, mode]);
      return true;
    });

  return {
    /**
     * Deletes every code, and at last the tallies. When it resolves, no redirect sends anybody on, and a create that was
     * under way when the account was closed has come too late or was deleted too.
     */
    async clear(accountId: Uuid, onProgress: (deleted: number) => void): Promise<number> {
      let deleted = 0;
      const onDeleted = (some: number) => {
        deleted += some;
        onProgress(deleted);
      };
      for (const mode of modes) {
        const owner = { accountId, mode };
        do await clearMode(owner, onDeleted);
        while (!(await removeTally(owner)));
      }
      await forgetDailyCodes(db, accountId);
      return deleted;
    },
  };
}

/** In parts whose edits are few enough for one transaction. */
function cutByEdits(ids: readonly Uuid[], edits: ReadonlyMap<Uuid, number>): Uuid[][] {
  const parts: Uuid[][] = [];
  let room = 0;
  for (const id of ids) {
    const own = edits.get(id) ?? 0;
    if (parts.length === 0 || own > room) {
      parts.push([]);
      room = editsAtOnce;
    }
    parts.at(-1)!.push(id);
    room -= own;
  }
  return parts;
}
