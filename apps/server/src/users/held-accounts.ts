import { releaseHeldAccounts } from '../accounts/account.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { StopNotifier } from '../redirect/changes/stops/stop.ts';
import { writeAccountStop } from '../redirect/changes/stops/stop-writer.ts';

type Parts = {
  readonly clock: Clock;
  readonly stops: StopNotifier;
  /** Invalidates cached keys of an account, which include whether it is held. */
  readonly keyInvalidator: { invalidate(accountId: Uuid): Promise<void> };
};

/**
 * Releases the accounts that waited for a person's confirmed address, in the transaction that confirms it. After its commit
 * every redirect serves their links. Returns how many accounts were released.
 */
export type ReleaseHeldAccounts = (tx: Database, userId: Uuid) => Promise<number>;

export function createReleaseHeldAccounts({ clock, stops, keyInvalidator }: Parts): ReleaseHeldAccounts {
  return async (tx, userId) => {
    const released = await releaseHeldAccounts(tx, userId);
    for (const id of released) {
      const changes = await writeAccountStop(tx, id, clock.now());
      // First, because the notification of redirects may fail and end the list of callbacks.
      await tx.afterCommit(() => keyInvalidator.invalidate(id));
      await tx.afterCommit(() => stops.notify(changes));
    }
    return released.length;
  };
}
