import type { Mode } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Uuid } from '../kernel/ids.ts';
import { type Database, sql } from '../platform/postgres.ts';
import { type ReleasedRow, releasedCodes } from './released.ts';
import type { Redirects } from './service.ts';
import * as statements from './statements.ts';
import type { SuspensionAnnouncer } from './suspension.ts';

type Parts = {
  readonly db: Database;
  readonly clock: Clock;
  readonly redirects: Pick<Redirects, 'drop'>;
  readonly announce?: SuspensionAnnouncer;
};

export type HostSuspensions = ReturnType<typeof createHostSuspensions>;

/** Codes that are found by one look at the index, and codes that are suspended or released in one transaction. */
const foundAtOnce = 50_000;
const batchSize = 2000;
const nilId: Uuid = '00000000-0000-0000-0000-000000000000';

/**
 * Marks every code that leads to a blocked host as suspended, so that its owner sees why it is stopped and can appeal.
 * Redirects stop them by the host already, before any is marked.
 */
export function createHostSuspensions({ db, clock, redirects, announce }: Parts) {
  /** How many were suspended by this; null where the host is no longer blocked. */
  function suspendSome(host: string, reason: string, ids: readonly Uuid[]): Promise<number | null> {
    return db.transaction(async tx => {
      if ((await tx.query(statements.holdHost, [host])).length === 0) return null;
      const there = await tx.query<{ id: Uuid }>(statements.lockTargets, [host, ids]);
      const now = clock.now();
      const rows = await tx.query<SuspendedRow>(statements.suspendByHost, [
        host,
        there.map(({ id }) => id),
        reason,
        now,
      ]);
      if (rows.length === 0) return 0;
      const suspended = rows.map(({ id, account_id: accountId, mode }) => ({
        qrCodeId: id,
        accountId,
        mode,
        reason,
        suspendedAt: now,
      }));
      await announce?.suspended(tx, suspended);
      await tx.afterCommit(() => redirects.drop(rows.map(row => row.key)));
      return rows.length;
    });
  }

  function releaseSome(host: string): Promise<number> {
    return db.transaction(async tx => {
      // Until the commit nobody blocks it again: who does would find these suspended, and then they are not.
      await tx.query(holdBlockList);
      const now = clock.now();
      const rows = await tx.query<ReleasedRow>(statements.releaseByHost, [host, now, batchSize]);
      await announce?.released(tx, releasedCodes(rows, now));
      if (rows.length > 0) await tx.afterCommit(() => redirects.drop(rows.map(row => row.key)));
      return rows.length;
    });
  }

  return {
    /** Of every account in both modes. A run that was cut off is finished by the next; ends early where the host is unblocked. */
    async suspendByHost(
      host: string,
      reason: string,
      onProgress: (suspended: number) => void = () => {},
    ): Promise<number> {
      let suspended = 0;
      for (let after = nilId; ; ) {
        const found = await db.query<{ id: Uuid }>(statements.findLeadingTo, [host, after, foundAtOnce]);
        for (let from = 0; from < found.length; from += batchSize) {
          const ids = found.slice(from, from + batchSize).map(({ id }) => id);
          const some = await suspendSome(host, reason, ids);
          if (some === null) return suspended;
          suspended += some;
          onProgress(suspended);
        }
        if (found.length < foundAtOnce) return suspended;
        after = found.at(-1)!.id;
      }
    },

    /** Once the host is unblocked; nothing while it is blocked. */
    async releaseByHost(host: string, onProgress: (released: number) => void = () => {}): Promise<number> {
      let released = 0;
      for (;;) {
        const some = await releaseSome(host);
        if (some === 0) return released;
        released += some;
        onProgress(released);
      }
    },
  };
}

type SuspendedRow = { id: Uuid; account_id: Uuid; mode: Mode; key: string };

/** As whoever writes a destination does: nobody blocks a host meanwhile. */
const holdBlockList = sql('hold-block-list-to-release', 'lock table blocked_hosts in row share mode');
