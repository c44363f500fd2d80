import type { Mode } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { Database } from '../platform/postgres.ts';
import type { LinkDropper } from './service.ts';
import { foldShortCode } from './short-code.ts';
import * as statements from './statements.ts';
import { deleteCode } from './store.ts';

type Parts = { readonly db: Database; readonly clock: Clock; readonly links: LinkDropper };

/** How many codes are deleted before redirects are told. */
const groupSize = 100;

/** What becomes of the codes of an account that is closed, in both modes. */
export function createClearing({ db, clock, links }: Parts) {
  async function deleteSome(accountId: Uuid): Promise<number> {
    const found = await db.query<{ id: Uuid; mode: Mode }>(statements.someOfAccount, [accountId, groupSize]);
    const deleted: string[] = [];
    for (const { id, mode } of found) {
      const shortCode = await deleteCode(db, { accountId, mode }, id, clock.now());
      if (shortCode !== null) deleted.push(foldShortCode(shortCode));
    }
    if (deleted.length > 0) await links.drop(deleted);
    return found.length;
  }

  return {
    /**
     * Deletes every code, and at last the tallies, without which none can be made. When it resolves, no redirect sends
     * anybody on, and a create that was under way when the account was closed has come too late or was deleted too.
     */
    async clear(accountId: Uuid, onProgress: (deleted: number) => void): Promise<number> {
      let deleted = 0;
      do {
        for (let some = await deleteSome(accountId); some > 0; some = await deleteSome(accountId)) {
          deleted += some;
          onProgress(deleted);
        }
        await db.query(statements.deleteEmptyTallies, [accountId]);
      } while ((await db.query(statements.findTallies, [accountId])).length > 0);
      return deleted;
    },
  };
}
