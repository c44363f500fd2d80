import { setTimeout as pause } from 'node:timers/promises';
import type { Uuid } from '../../kernel/ids.ts';
import { poll } from '../../platform/background-jobs.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import { type WindowKind, windowAt } from '../visitor.ts';
import { scanLayout } from './format/scan-bytes.ts';
import { accountIdBytes, hashAccount, type SpreadLookup } from './sharding.ts';

/*
 * Accounts that are spread over several shards of the log. A change holds for scans from a moment on that lies ahead: the
 * start of a visitor window, so that a visitor of a window is in one shard, and late enough for every redirect to have read
 * it. All redirects compare that moment with the time of the scan, so they switch at the same scan, whatever their clocks.
 */

/** From `from` on, the scans of the account are spread over this many shards. */
export type Spread = { readonly accountId: Uuid; readonly from: Date; readonly shards: number };

/** Far more than a redirect needs to read a change. */
const announceMs = 10 * 60_000;
const readEveryMs = 30_000;
/** At the start, for this long at most: without PostgreSQL nothing is known, and an unspread account is only slower. */
const firstReadMs = 1_000;

/** The first moment at which a change that is made now can hold. */
export function nextSpreadStart(nowMs: number, kind: WindowKind): Date {
  return new Date(windowAt(nowMs + announceMs, kind).endMs);
}

/** Replaces later changes. Earlier ones are kept: spooled scans of their time may yet be sent. */
export async function setSpread(db: Database, { accountId, from, shards }: Spread): Promise<void> {
  await db.transaction(async tx => {
    await tx.query(removeLater, [accountId, from]);
    await tx.query(insertSpread, [accountId, from, shards]);
  });
}

/** All changes, by account and time. */
export const listSpreads = (db: Database): Promise<Spread[]> => db.query<Spread>(allSpreads);

/** Reads the spreads again and again; `stop` ends that. Without an answer, what was read last still holds. */
export async function watchSpreads(
  db: Database,
  everyMs = readEveryMs,
): Promise<{ readonly getSpread: SpreadLookup; stop(): Promise<void> }> {
  let getSpread: SpreadLookup = () => 1;
  const first = Promise.withResolvers<void>();
  const stop = poll(everyMs, async () => {
    const spreads = await listSpreads(db).catch(() => null);
    if (spreads) getSpread = createSpreadLookup(spreads);
    first.resolve();
  });
  await Promise.race([first.promise, pause(firstReadMs, undefined, { ref: false })]);
  return { getSpread: (...scan) => getSpread(...scan), stop };
}

type AccountSpread = {
  readonly id: Buffer;
  /** The newest first. */
  readonly changes: readonly { readonly fromMs: number; readonly shards: number }[];
};

export function createSpreadLookup(spreads: readonly Spread[]): SpreadLookup {
  if (spreads.length === 0) return () => 1;
  const byAccount = new Map<number, AccountSpread[]>();
  for (const [accountId, changes] of Map.groupBy(spreads, spread => spread.accountId)) {
    const id = Buffer.from(accountId.replaceAll('-', ''), 'hex');
    const account: AccountSpread = {
      id,
      changes: changes
        .map(({ from, shards }) => ({ fromMs: from.getTime(), shards }))
        .sort((a, b) => b.fromMs - a.fromMs),
    };
    const hash = hashAccount(id, 0);
    byAccount.set(hash, [...(byAccount.get(hash) ?? []), account]);
  }
  return (accountHash, bytes, start) => {
    const candidates = byAccount.get(accountHash);
    if (!candidates) return 1;
    const at = start + scanLayout.accountId;
    const account = candidates.find(
      ({ id }) => bytes.compare(id, 0, accountIdBytes, at, at + accountIdBytes) === 0,
    );
    const atMs = bytes.readUIntBE(start + scanLayout.atMs, 6);
    return account?.changes.find(({ fromMs }) => atMs >= fromMs)?.shards ?? 1;
  };
}

const removeLater = sql(
  'remove-later-spreads',
  'delete from scan_spreads where account_id = $1 and from_at >= $2',
);
const insertSpread = sql(
  'insert-spread',
  'insert into scan_spreads (account_id, from_at, shards) values ($1, $2, $3)',
);
const allSpreads = sql(
  'all-spreads',
  'select account_id as "accountId", from_at as "from", shards from scan_spreads order by account_id, from_at',
);
