import type { Caller } from '../../kernel/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import { formatId, type Ids, type Uuid } from '../../kernel/ids.ts';
import type { Page, Paged } from '../../kernel/page.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import type { CacheInvalidator } from '../../redirect/changes/cache-invalidator.ts';
import { invalidateLinks } from '../../redirect/changes/link-changes.ts';
import type { StopChange, StopNotifier } from '../../redirect/changes/stops/stop.ts';
import { writeAccountStop } from '../../redirect/changes/stops/stop-writer.ts';
import { type ReleasedRow, releasedCodes } from './released.ts';
import * as statements from './statements.ts';
import * as store from './store.ts';
import type { OwnSuspension, Suspension, SuspensionPublisher, SuspensionState } from './suspension.ts';

/** Applies a change on every redirect; resolves when all have it. */
export type Redirects = StopNotifier & CacheInvalidator;

type Parts = {
  readonly ids: Ids;
  readonly clock: Clock;
  readonly redirects: Redirects;
  /** Invalidates an account's cached keys in API processes, as after a revocation. */
  readonly invalidateKeys: (accountId: Uuid) => Promise<void>;
  /** Without it no webhooks are sent. */
  readonly publisher?: SuspensionPublisher;
};

/** A code by its id, or by the path of its short link. */
export type NamedCode = { readonly id: Uuid } | { readonly name: string };

export type Suspensions = ReturnType<typeof createSuspensions>;

/** Suspensions by an operator, and appeals of owners. When a call resolves, every redirect applies the change. */
export function createSuspensions({ ids, clock, redirects, invalidateKeys, publisher }: Parts) {
  async function notifyAccountChange(
    tx: Database,
    accountId: Uuid,
    changes: readonly StopChange[],
  ): Promise<void> {
    // First, because it does not depend on redirects: if one cannot be notified, the API still knows.
    await tx.afterCommit(() => invalidateKeys(accountId));
    await tx.afterCommit(() => redirects.notify(changes));
  }

  async function releaseAccount(tx: Database, accountId: Uuid): Promise<void> {
    const now = clock.now();
    const [released] = await tx.query<{ reason: string }>(statements.releaseAccount, [accountId, now]);
    if (!released) throw invalidTransition(`${formatId('acct', accountId)} is not suspended.`);
    await publisher?.accountReleased(tx, { accountId, reason: released.reason, at: now });
    await notifyAccountChange(tx, accountId, await writeAccountStop(tx, accountId, now));
  }

  return {
    /** A code that is already suspended keeps its first reason, and redirects are notified again. */
    suspendCode(db: Database, named: NamedCode, reason: string): Promise<Suspension> {
      return db.transaction(async tx => {
        const code = await lockCode(tx, named);
        if (code.status === 'deleted')
          throw invalidTransition('The code was deleted. Its link no longer works.');
        const id = ids.next();
        const now = clock.now();
        const changed = await tx.query<{ key: string }>(statements.suspendCode, [id, code.id, reason, now]);
        if (changed.length === 0) {
          await invalidateLinks(
            tx,
            redirects,
            await tx.query<{ key: string }>(statements.keyOfCode, [code.id]),
          );
          return (await store.findOpenByOperator(tx, code.id))!;
        }
        const { account_id: accountId, mode } = code;
        await publisher?.suspended(tx, [{ qrCodeId: code.id, accountId, mode, reason, suspendedAt: now }]);
        await invalidateLinks(tx, redirects, changed);
        return (await store.findSuspension(tx, id))!;
      });
    },

    /** One row and one message, however many codes the account has. If it is already suspended, the same as for a code. */
    suspendAccount(db: Database, accountId: Uuid, reason: string, source = ''): Promise<Suspension> {
      return db.transaction(async tx => {
        const [account] = await tx.query<{ closed_at: Date | null }>(statements.lockAccount, [accountId]);
        if (!account) throw new AppError('not_found', 'No account has this id.');
        if (account.closed_at) throw invalidTransition('The account is closed. Its links no longer work.');
        const [operator] = await tx.query<{ email: string }>(statements.selectOperators, [accountId]);
        if (operator)
          throw invalidTransition(
            `${operator.email} of this account is an operator of the service. Remove the operator first: signpost admin set-operator ${operator.email} off`,
          );
        const id = ids.next();
        const now = clock.now();
        const inserted = await tx.query(statements.suspendAccount, [id, accountId, reason, now, source]);
        if (inserted.length > 0) await publisher?.accountSuspended(tx, { accountId, reason, at: now });
        await notifyAccountChange(tx, accountId, await writeAccountStop(tx, accountId, now));
        return (await store.findOpenOfAccount(tx, accountId))!;
      });
    },

    /** Releases one suspension. Others of the same code stay in force. */
    release(db: Database, id: Uuid): Promise<Suspension> {
      return db.transaction(async tx => {
        const found = await store.findSuspension(tx, id);
        if (!found) throw new AppError('not_found', 'No suspension has this id.');
        if (found.code === null) await releaseAccount(tx, found.account.id);
        else {
          await tx.query(statements.lockBlockedHosts);
          await refuseIfBlocked(tx, await lockCode(tx, found.code));
          const now = clock.now();
          const rows = await tx.query<ReleasedRow>(statements.releaseOne, [id, now]);
          if (rows.length === 0)
            throw invalidTransition('This suspension was already released, or the code was deleted.');
          await publisher?.released(tx, releasedCodes(rows, now));
          await invalidateLinks(tx, redirects, rows);
        }
        return (await store.findSuspension(tx, id))!;
      });
    },

    /** Releases every suspension of a code. */
    releaseCode(db: Database, named: NamedCode): Promise<void> {
      return db.transaction(async tx => {
        await tx.query(statements.lockBlockedHosts);
        const code = await lockCode(tx, named);
        await refuseIfBlocked(tx, code);
        const now = clock.now();
        const rows = await tx.query<ReleasedRow>(statements.releaseCode, [code.id, now]);
        if (rows.length === 0)
          throw invalidTransition(
            'The code is not suspended. Its account may be: signpost admin who shows it.',
          );
        await publisher?.released(tx, releasedCodes(rows, now));
        await invalidateLinks(tx, redirects, rows);
      });
    },

    releaseAccount: (db: Database, accountId: Uuid): Promise<void> =>
      db.transaction(tx => releaseAccount(tx, accountId)),

    list: (db: Database, page: Page, state: SuspensionState): Promise<Paged<Suspension>> =>
      store.listSuspensions(db, page, state),

    /** Why a code of the caller is suspended, or null. */
    async ofCode(
      db: Database,
      caller: Pick<Caller, 'accountId' | 'mode'>,
      id: Uuid | null,
    ): Promise<OwnSuspension | null> {
      return store.findOwnOfCode(db, await requireOwn(db, caller, id));
    },

    ofAccount: (db: Database, accountId: Uuid): Promise<OwnSuspension | null> =>
      store.findOwnOfAccount(db, accountId),

    /** Replaces an earlier appeal. */
    async appealCode(
      db: Database,
      caller: Pick<Caller, 'accountId' | 'mode'>,
      id: Uuid | null,
      text: string,
    ): Promise<OwnSuspension> {
      const qrCodeId = await requireOwn(db, caller, id);
      await db.query(statements.appealCode, [qrCodeId, text, clock.now()]);
      const own = await store.findOwnOfCode(db, qrCodeId);
      if (!own)
        throw new AppError('not_found', 'This code is not suspended. There is nothing to appeal against.');
      return own;
    },

    async appealAccount(db: Database, accountId: Uuid, text: string): Promise<OwnSuspension> {
      await db.query(statements.appealAccount, [accountId, text, clock.now()]);
      const own = await store.findOwnOfAccount(db, accountId);
      if (!own)
        throw new AppError('not_found', 'This account is not suspended. There is nothing to appeal against.');
      return own;
    },
  };
}

type CodeRow = {
  readonly id: Uuid;
  readonly account_id: Uuid;
  readonly mode: Caller['mode'];
  readonly status: string;
};

async function lockCode(tx: Database, named: NamedCode): Promise<CodeRow> {
  const [code] =
    'id' in named
      ? await tx.query<CodeRow>(statements.lockCodeById, [named.id])
      : await tx.query<CodeRow>(statements.lockCodeByKey, [named.name.toLowerCase()]);
  if (code) return code;
  throw new AppError(
    'not_found',
    'id' in named
      ? 'No QR code has this id.'
      : `No code has the short link /${named.name}. Check the link in the report.`,
  );
}

/** Redirects would still stop it: only unblocking the host makes the link work. Removed targets do not matter. */
async function refuseIfBlocked(tx: Database, { id }: CodeRow): Promise<void> {
  const [target] = await tx.query<{ host: string; url: string }>(statements.blockedTarget, [id]);
  if (target)
    throw invalidTransition(
      `This code still leads to ${target.host}, which is blocked. It can be released once its owner replaces ${target.url}. Unblocking the host releases every code that leads there.`,
    );
}

async function requireOwn(
  db: Database,
  { accountId, mode }: Pick<Caller, 'accountId' | 'mode'>,
  id: Uuid | null,
): Promise<Uuid> {
  if (id && (await db.query(statements.findOwnCode, [id, accountId, mode])).length > 0) return id;
  throw new AppError('not_found', 'No QR code has this id.');
}

const invalidTransition = (reason: string) => new AppError('invalid_transition', reason);
