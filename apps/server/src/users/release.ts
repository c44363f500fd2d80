import type { Clock } from '../kernel/clock.ts';
import type { Uuid } from '../kernel/ids.ts';
import { type Database, sql } from '../platform/postgres.ts';
import type { StopTeller } from '../stops/stop.ts';
import { writeAccountStop } from '../stops/writing.ts';

type Parts = {
  readonly clock: Clock;
  readonly stops: StopTeller;
  /** Makes processes forget what they remember of an account's keys, and with it that it was held. */
  readonly forgetter: { forget(accountId: Uuid): Promise<void> };
};

/**
 * Releases what waited for a person's address, in the transaction that writes down that it is theirs. When that has
 * resolved, every redirect sends people on. How many accounts there were.
 */
export type Release = (tx: Database, userId: Uuid) => Promise<number>;

export function createRelease({ clock, stops, forgetter }: Parts): Release {
  return async (tx, userId) => {
    const released = await tx.query<{ id: Uuid }>(releaseAccounts, [userId]);
    for (const { id } of released) {
      const changes = await writeAccountStop(tx, id, clock.now());
      // First, since whatever fails here keeps what is behind it from being done.
      await tx.afterCommit(() => forgetter.forget(id));
      await tx.afterCommit(() => stops.tell(changes));
    }
    return released.length;
  };
}

const releaseAccounts = sql(
  'release-held-accounts',
  `update accounts a set held_at = null
     from members m
    where m.user_id = $1 and m.role = 'owner' and a.id = m.account_id and a.held_at is not null
   returning a.id`,
);
