import type { Caller } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import { hostOf, withParents } from '../kernel/hosts.ts';
import { formatId, type Ids, type Uuid } from '../kernel/ids.ts';
import type { Page, Paged } from '../kernel/page.ts';
import type { Database } from '../platform/postgres.ts';
import type { StopChange, StopTeller } from '../stops/stop.ts';
import { writeAccountStop } from '../stops/writing.ts';
import { type ReleasedRow, releasedCodes } from './released.ts';
import * as statements from './statements.ts';
import * as store from './store.ts';
import type { OwnSuspension, Suspension, SuspensionAnnouncer, SuspensionState } from './suspension.ts';

/** Makes a change hold on every redirect process; resolves when it does. */
export type Redirects = StopTeller & { drop(keys: readonly string[]): Promise<void> };

type Parts = {
  readonly ids: Ids;
  readonly clock: Clock;
  readonly redirects: Redirects;
  /** Makes API processes forget what they remember of an account, as after a revocation. */
  readonly forget: (accountId: Uuid) => Promise<void>;
  /** Left out: owners are told by what they see alone. */
  readonly announce?: SuspensionAnnouncer;
};

/** A code by its id, or by what its short link has behind the host. */
export type NamedCode = { readonly id: Uuid } | { readonly name: string };

export type Suspensions = ReturnType<typeof createSuspensions>;

/** What an operator stops and releases by hand, and what its owner may say to it. When a call resolves, every redirect keeps to it. */
export function createSuspensions({ ids, clock, redirects, forget, announce }: Parts) {
  async function tellAccount(tx: Database, accountId: Uuid, changes: readonly StopChange[]): Promise<void> {
    // First, for it does not depend on every redirect: where one cannot be told, the API knows all the same.
    await tx.afterCommit(() => forget(accountId));
    await tx.afterCommit(() => redirects.tell(changes));
  }

  async function dropLinks(tx: Database, rows: readonly { key: string }[]): Promise<void> {
    await tx.afterCommit(() => redirects.drop(rows.map(row => row.key)));
  }

  async function releaseAccount(tx: Database, accountId: Uuid): Promise<void> {
    const now = clock.now();
    const [released] = await tx.query<{ reason: string }>(statements.releaseAccount, [accountId, now]);
    if (!released) throw refused(`${formatId('acct', accountId)} is not suspended.`);
    await announce?.accountReleased(tx, { accountId, reason: released.reason, at: now });
    await tellAccount(tx, accountId, await writeAccountStop(tx, accountId, now));
  }

  return {
    /** A code that is suspended already stays so for its first reason, and redirects are told once more. */
    suspendCode(on: Database, named: NamedCode, reason: string): Promise<Suspension> {
      return on.transaction(async tx => {
        const code = await lockCode(tx, named);
        if (code.status === 'deleted') throw refused('The code was deleted. It leads nowhere any more.');
        const id = ids.next();
        const now = clock.now();
        const told = await tx.query<{ key: string }>(statements.suspendCode, [id, code.id, reason, now]);
        if (told.length === 0) {
          await dropLinks(tx, await tx.query<{ key: string }>(statements.tellAgain, [code.id]));
          return (await store.findOpenByOperator(tx, code.id))!;
        }
        const { account_id: accountId, mode } = code;
        await announce?.suspended(tx, [{ qrCodeId: code.id, accountId, mode, reason, suspendedAt: now }]);
        await dropLinks(tx, told);
        return (await store.findSuspension(tx, id))!;
      });
    },

    /** One row and one message, however many codes it has. Where it is suspended already, the same as for a code. */
    suspendAccount(on: Database, accountId: Uuid, reason: string): Promise<Suspension> {
      return on.transaction(async tx => {
        const [account] = await tx.query<{ closed_at: Date | null }>(statements.lockAccount, [accountId]);
        if (!account) throw new AppError('not_found', 'No account has this id.');
        if (account.closed_at) throw refused('The account is closed. Its links lead nowhere any more.');
        const [operator] = await tx.query<{ email: string }>(statements.operatorsOf, [accountId]);
        if (operator)
          throw refused(
            `${operator.email} of this account is an operator of the service. Remove the operator first: signpost admin set-operator ${operator.email} off`,
          );
        const id = ids.next();
        const now = clock.now();
        const made = await tx.query(statements.suspendAccount, [id, accountId, reason, now]);
        if (made.length > 0) await announce?.accountSuspended(tx, { accountId, reason, at: now });
        await tellAccount(tx, accountId, await writeAccountStop(tx, accountId, now));
        return (await store.findOpenOfAccount(tx, accountId))!;
      });
    },

    /** A suspension by its id. Others of the same code stay in force. */
    release(on: Database, id: Uuid): Promise<Suspension> {
      return on.transaction(async tx => {
        const found = await store.findSuspension(tx, id);
        if (!found) throw new AppError('not_found', 'No suspension has this id.');
        if (found.code === null) await releaseAccount(tx, found.account.id);
        else {
          await refuseWhereBlocked(tx, await lockCode(tx, found.code));
          const now = clock.now();
          const rows = await tx.query<ReleasedRow>(statements.releaseOne, [id, now]);
          if (rows.length === 0) throw refused('This was released already, or the code was deleted.');
          await announce?.released(tx, releasedCodes(rows, now));
          await dropLinks(tx, rows);
        }
        return (await store.findSuspension(tx, id))!;
      });
    },

    /** Whatever it is suspended for. */
    releaseCode(on: Database, named: NamedCode): Promise<void> {
      return on.transaction(async tx => {
        const code = await lockCode(tx, named);
        await refuseWhereBlocked(tx, code);
        const now = clock.now();
        const rows = await tx.query<ReleasedRow>(statements.releaseCode, [code.id, now]);
        if (rows.length === 0)
          throw refused('The code is not suspended. Its account may be: signpost admin who shows it.');
        await announce?.released(tx, releasedCodes(rows, now));
        await dropLinks(tx, rows);
      });
    },

    releaseAccount: (on: Database, accountId: Uuid): Promise<void> =>
      on.transaction(tx => releaseAccount(tx, accountId)),

    list: (on: Database, page: Page, state: SuspensionState): Promise<Paged<Suspension>> =>
      store.listSuspensions(on, page, state),

    /** Why a code of the caller is stopped, or null. */
    async ofCode(
      on: Database,
      caller: Pick<Caller, 'accountId' | 'mode'>,
      id: Uuid | null,
    ): Promise<OwnSuspension | null> {
      return store.findOwnOfCode(on, await requireOwn(on, caller, id));
    },

    ofAccount: (on: Database, accountId: Uuid): Promise<OwnSuspension | null> =>
      store.findOwnOfAccount(on, accountId),

    /** Replaces an earlier appeal. */
    async appealCode(
      on: Database,
      caller: Pick<Caller, 'accountId' | 'mode'>,
      id: Uuid | null,
      text: string,
    ): Promise<OwnSuspension> {
      const qrCodeId = await requireOwn(on, caller, id);
      await on.query(statements.appealCode, [qrCodeId, text, clock.now()]);
      const own = await store.findOwnOfCode(on, qrCodeId);
      if (!own)
        throw new AppError('not_found', 'This code is not suspended. There is nothing to appeal against.');
      return own;
    },

    async appealAccount(on: Database, accountId: Uuid, text: string): Promise<OwnSuspension> {
      await on.query(statements.appealAccount, [accountId, text, clock.now()]);
      const own = await store.findOwnOfAccount(on, accountId);
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
  readonly destination_url: string;
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
      : `No code has the short link /${named.name}. Look at the report again.`,
  );
}

/** Redirects would go on stopping it: only the end of the block lets people through. */
async function refuseWhereBlocked(tx: Database, { destination_url: url }: CodeRow): Promise<void> {
  if (!URL.canParse(url)) return;
  const [blocked] = await tx.query<{ host: string }>(statements.anyBlocked, [
    withParents(hostOf(new URL(url))),
  ]);
  if (blocked)
    throw refused(
      `This code still leads to ${blocked.host}, which is blocked. It can be released once its owner changes the destination. Unblocking the host releases every code that leads there.`,
    );
}

async function requireOwn(
  on: Database,
  { accountId, mode }: Pick<Caller, 'accountId' | 'mode'>,
  id: Uuid | null,
): Promise<Uuid> {
  if (id && (await on.query(statements.findOwnCode, [id, accountId, mode])).length > 0) return id;
  throw new AppError('not_found', 'No QR code has this id.');
}

const refused = (reason: string) => new AppError('invalid_transition', reason);
