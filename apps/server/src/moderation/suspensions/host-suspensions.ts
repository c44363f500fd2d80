import { clearBlockedTargets } from '../../domains/clearing.ts';
import type { Mode } from '../../kernel/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import { type Uuid, zeroId } from '../../kernel/ids.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import { invalidateLinks } from '../../redirect/changes/link-changes.ts';
import * as statements from './host-statements.ts';
import { type ReleasedRow, releasedCodes } from './released.ts';
import type { Redirects } from './service.ts';
import { lockBlockedHosts } from './statements.ts';
import type { SuspensionPublisher } from './suspension.ts';

type Parts = {
  readonly db: Database;
  readonly clock: Clock;
  readonly redirects: Redirects;
  readonly publisher?: SuspensionPublisher;
};

/** Codes that one query of the index returns. */
const pageSize = 50_000;
/** Codes that one transaction suspends or releases. */
const codesPerStep = 2000;

/**
 * Marks every code that leads to a blocked host as suspended, so that its owner sees why it is stopped and can appeal.
 * Redirects stop the codes by their host before any is marked.
 */
export function createHostSuspensions({ db, clock, redirects, publisher }: Parts) {
  /** Returns how many codes were suspended; null if the host is no longer blocked. */
  function suspendSome(host: string, reason: string, ids: readonly Uuid[]): Promise<number | null> {
    return db.transaction(async tx => {
      if ((await tx.query(statements.lockBlockedHost, [host])).length === 0) return null;
      const locked = await tx.query<{ id: Uuid }>(statements.lockTargets, [host, ids]);
      const now = clock.now();
      const rows = await tx.query<SuspendedRow>(statements.suspendByHost, [
        host,
        locked.map(({ id }) => id),
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
      await publisher?.suspended(tx, suspended);
      await invalidateLinks(tx, redirects, rows);
      return rows.length;
    });
  }

  function releaseSome(host: string): Promise<number> {
    return db.transaction(async tx => {
      // Prevents a new block until the commit: it would find these codes suspended, and they would then be released.
      await tx.query(lockBlockedHosts);
      const now = clock.now();
      const rows = await tx.query<ReleasedRow>(statements.releaseByHost, [host, now, codesPerStep]);
      await publisher?.released(tx, releasedCodes(rows, now));
      await invalidateLinks(tx, redirects, rows);
      return rows.length;
    });
  }

  return {
    /** Of every account, in both modes. An interrupted run is completed by the next. Ends early if the host is unblocked. */
    async suspendByHost(
      host: string,
      reason: string,
      onProgress: (suspended: number) => void = () => {},
    ): Promise<number> {
      await clearBlockedTargets({ db, redirects }, host, clock.now());
      let suspended = 0;
      for (let after = zeroId; ; ) {
        const found = await db.query<{ id: Uuid }>(statements.findLeadingTo, [host, after, pageSize]);
        for (let from = 0; from < found.length; from += codesPerStep) {
          const ids = found.slice(from, from + codesPerStep).map(({ id }) => id);
          const count = await suspendSome(host, reason, ids);
          if (count === null) return suspended;
          suspended += count;
          onProgress(suspended);
        }
        if (found.length < pageSize) return suspended;
        after = found.at(-1)!.id;
      }
    },

    /** Releases nothing while the host is still blocked. */
    async releaseByHost(host: string, onProgress: (released: number) => void = () => {}): Promise<number> {
      let released = 0;
      for (;;) {
        const count = await releaseSome(host);
        if (count === 0) return released;
        released += count;
        onProgress(released);
      }
    },
  };
}

type SuspendedRow = { id: Uuid; account_id: Uuid; mode: Mode; key: string };
