import { AsyncLocalStorage } from 'node:async_hooks';
import { claimAbandonedClosure, endClosure } from '../accounts/closures.ts';
import type { Accounts } from '../accounts/service.ts';
import { deleteAccountEvents } from '../audit/store.ts';
import { deleteAccountAssets } from '../designs/assets/store.ts';
import { deleteAccountDesigns } from '../designs/store.ts';
import { releaseAllDomains } from '../domains/service.ts';
import { deleteStoredResponses } from '../http/idempotency/idempotency.ts';
import { deleteAccountVisitors } from '../ingest/erasure/request.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { Lifecycle } from '../kernel/running/lifecycle.ts';
import { runService } from '../kernel/running/run-service.ts';
import { saveMakers } from '../moderation/evidence.ts';
import { createBackgroundJobs } from '../platform/background-jobs.ts';
import type { Logger } from '../platform/logger.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import { createDeleteAllCodes } from '../qrcodes/edits/delete-all.ts';
import type { ChangeNotifier } from '../redirect/changes/change-notifier.ts';
import { writeAccountStop } from '../redirect/changes/stops/stop-writer.ts';
import { removeAccountShareLinks } from '../share-links/removal.ts';
import type { CloseAccount } from '../users/account-closing.ts';
import { removeMembers } from '../users/members/remove-members.ts';
import { deleteAccountEndpoints } from '../webhooks/store.ts';
import { deleteTestDays } from '../webhooks/test-limit.ts';

type Parts = {
  readonly db: Database;
  readonly clock: Clock;
  readonly accounts: Pick<Accounts, 'close'>;
  readonly redirects: Pick<ChangeNotifier, 'invalidate' | 'notify'>;
};

/**
 * Closes an account and erases what is stored about it and its people, over all features. All access ends before anything is
 * deleted. Every step is idempotent: a run that was interrupted is completed by the next.
 */
export function createClosingSteps({ db, clock, accounts, redirects }: Parts) {
  const deleteAllCodes = createDeleteAllCodes({ db, clock, links: redirects });

  /** Nobody can act for the account any more, and nothing of it leads anywhere. */
  async function removePeopleAndDomains(accountId: Uuid): Promise<void> {
    await releaseAllDomains(db, redirects, accountId, clock.now());
    await saveMakers(db, accountId);
    await removeMembers(db, accountId, clock.now());
  }

  return {
    /** When this resolves, no key or session works, and no code of the account redirects. */
    async endAccess(
      accountId: Uuid,
      isStillAllowed: (tx: Database) => Promise<boolean> = async () => true,
      finish: (tx: Database) => Promise<void> = async () => {},
    ): Promise<void> {
      await accounts.close(accountId, async tx => {
        if (!(await isStillAllowed(tx))) throw sessionEnded();
        const changes = await writeAccountStop(tx, accountId, clock.now());
        await tx.afterCommit(() => redirects.notify(changes));
        await finish(tx);
      });
      await removePeopleAndDomains(accountId);
    },

    /** Deletes what is left; may take long. Returns how much there was. */
    async erase(accountId: Uuid, onProgress: (deletedCodes: number) => void = () => {}) {
      await removePeopleAndDomains(accountId);
      const endpoints = await deleteAccountEndpoints(db, accountId, clock.now());
      const codes = await deleteAllCodes(accountId, onProgress);
      // From here on each deleted code is stopped by its own state, so the stop of the account is no longer needed.
      await redirects.notify(await db.transaction(tx => writeAccountStop(tx, accountId, clock.now())));
      await deleteStoredResponses(db, accountId);
      await deleteAccountEvents(db, accountId);
      await deleteAccountDesigns(db, accountId);
      await deleteAccountAssets(db, accountId);
      await removeAccountShareLinks(db, accountId);
      await deleteTestDays(db, accountId);
      await deleteAccountVisitors(db, accountId);
      await endClosure(db, accountId);
      return { codes, endpoints };
    },
  };
}

const everyMs = 60_000;

/** For owners who close their account in the dashboard: the answer does not wait for the deletion. */
export function openAccountClosing(
  parts: Parts & { readonly logger: Logger; readonly lifecycle: Lifecycle },
): CloseAccount {
  const { db, logger, lifecycle } = parts;
  const { endAccess, erase } = createClosingSteps(parts);
  const finishAbandoned = {
    name: 'finish closed accounts',
    everyMs,
    async run() {
      const accountId = await claimAbandonedClosure(db);
      if (accountId) await erase(accountId);
      return accountId !== null;
    },
  };
  runService(lifecycle, 'closed accounts', createBackgroundJobs(logger, [finishAbandoned]));
  // Not as part of the request that asked for it.
  const outsideRequest = AsyncLocalStorage.snapshot();
  return async (accountId, isStillAllowed, finish) => {
    await endAccess(accountId, isStillAllowed, finish);
    outsideRequest(erase, accountId).catch(error =>
      logger.error({ err: error }, 'closed account not erased yet'),
    );
  };
}

const sessionEnded = () =>
  new AppError('unauthorized', 'Your session has ended. Sign in again.', { challenge: false });
