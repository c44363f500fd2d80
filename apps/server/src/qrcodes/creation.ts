import { refuseReleased } from '../accounts/account.ts';
import type { Caller, Mode } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';
import { keySpaceOf, linkKeyOf } from '../kernel/link-key.ts';
import type { ListedFinder } from '../lists/listed.ts';
import type { Database } from '../platform/postgres.ts';
import { destinationBlocked, hostAndParents, leadsTo } from './blocked-host.ts';
import { findBlocked, lockBlockList } from './blocked-hosts.ts';
import type { CacheInvalidator } from './cache-invalidator.ts';
import { countUsage, lockCounts } from './code-counts.ts';
import { hasDailyLimit, insertWithinDailyLimit } from './daily-limit.ts';
import { checkDestination, type OwnAddressCheck, refuseListed } from './destination.ts';
import type { NewQrCode, QrCode } from './qr-code.ts';
import { codeLimitsOf, quotaRefusal } from './quota.ts';
import { bulkRefusal, checkAll, refuseUnscannable } from './refusals.ts';
import { foldShortCode, generateShortCode, refuseReserved, refuseShort } from './short-code.ts';
import * as store from './store.ts';

export type CreationParts = {
  readonly ids: Ids;
  readonly clock: Clock;
  readonly ownAddresses: OwnAddressCheck;
  readonly links: CacheInvalidator;
  readonly listed: ListedFinder;
  readonly minCustomCodeLength: number;
  readonly codesPerDay: number | null;
};

/** The result for one of many wanted codes: the code, or why it was not created. */
export type CreateOutcome = { readonly code: QrCode } | { readonly error: AppError };

/** Two generated short codes collide once in billions; this many collisions in a row have another cause. */
const maxTries = 5;

/** Creates codes. */
export function createCodeCreation(parts: CreationParts) {
  const { ids, clock, ownAddresses, links, listed, minCustomCodeLength, codesPerDay } = parts;

  function check(wanted: NewQrCode): void {
    checkAll([
      () => checkDestination(wanted.destinationUrl, ownAddresses),
      () => wanted.shortCode !== undefined && refuseChosen(wanted.shortCode),
      () => refuseUnscannable(wanted.style),
    ]);
  }

  function refuseChosen(shortCode: string): void {
    refuseShort(shortCode, minCustomCodeLength);
    refuseReserved(shortCode);
  }

  /** Writes in one statement every code whose short code is free and whose host is not blocked; the others are refused. */
  async function createChecked(
    on: Database,
    caller: Caller,
    wanted: readonly NewQrCode[],
    atomic: boolean,
  ): Promise<CreateOutcome[]> {
    const now = clock.now();
    const keySpace = keySpaceOf(caller);
    const taken = (item: NewQrCode) => shortCodeTaken(item, caller.mode);
    const refused = new Map<NewQrCode, AppError>(duplicates(wanted).map(item => [item, taken(item)]));
    for (let tries = 0; tries < maxTries; tries++) {
      const items = wanted.filter(item => !refused.has(item));
      if (atomic && items.length < wanted.length)
        throw await refuseAll(
          on,
          caller,
          wanted.map(item => refused.get(item) ?? item),
        );
      if (items.length === 0) return wanted.map(item => ({ error: refused.get(item)! }));
      const codes = items.map(item => ({
        ...item,
        id: ids.next(),
        keySpace,
        shortCode: item.shortCode ?? generateShortCode(),
      }));
      const keys = codes.map(linkKeyOf);
      const limits = codeLimitsOf(caller);
      const insertNow = (db: Database) => store.insertCodes(db, caller, codes, limits, now);
      const insert = (db: Database) =>
        caller.heldSince === null ? insertNow(db) : insertWhileHeld(db, caller, insertNow);
      let inserted =
        codesPerDay !== null && hasDailyLimit(caller)
          ? await insertWithinDailyLimit(on, caller, { count: codes.length, limit: codesPerDay, now }, insert)
          : await insert(on);
      if (inserted === 'short_code_taken' && caller.mode === 'test')
        inserted = await store.insertOverTombstones(on, caller, keys, insert);
      if (inserted === 'full') {
        const refusal = quotaRefusal(caller, await countUsage(on, caller), codes.length);
        if (refusal) throw refusal;
        // A code was deleted in the meantime.
        continue;
      }
      if (typeof inserted === 'object' && 'blockedHosts' in inserted) {
        for (const item of items) {
          const host = inserted.blockedHosts.find(blocked => leadsTo(item.destinationUrl, blocked));
          if (host !== undefined) refused.set(item, destinationBlocked(host));
        }
        continue;
      }
      if (inserted !== 'short_code_taken') {
        // A code may have been scanned before it existed, and be cached as unknown.
        await on.afterCommit(() => links.invalidate(keys));
        const created = new Map(items.map((item, i) => [item, newCode(codes[i]!, inserted[i]!, now)]));
        return wanted.map(item => {
          const code = created.get(item);
          return code ? { code } : { error: refused.get(item)! };
        });
      }
      // One of these short codes is taken: find out which, and refuse its item. Generated ones are generated again.
      const takenKeys = await store.findTaken(on, keys);
      for (const item of items) {
        const { shortCode } = item;
        if (shortCode !== undefined && takenKeys.has(linkKeyOf({ keySpace, shortCode })))
          refused.set(item, taken(item));
      }
    }
    throw new AppError('unavailable', 'No free link ending was found. Try again.', { retryAfterSeconds: 1 });
  }

  return {
    async create(on: Database, caller: Caller, wanted: NewQrCode): Promise<QrCode> {
      check(wanted);
      const [item] = await refuseListed(on, listed, [wanted]);
      if (item instanceof AppError) throw item;
      const [outcome] = await createChecked(on, caller, [wanted], false);
      if ('error' in outcome!) throw outcome.error;
      return outcome!.code;
    },

    /** The item itself, or why it cannot be created. Does not query the database. */
    validate(item: NewQrCode): NewQrCode | AppError {
      try {
        check(item);
        return item;
      } catch (error) {
        if (error instanceof AppError) return error;
        throw error;
      }
    },

    /** Each item is a wanted code that was validated, or the error of its validation. */
    async createMany(
      on: Database,
      caller: Caller,
      wanted: readonly (NewQrCode | AppError)[],
      atomic: boolean,
    ): Promise<CreateOutcome[]> {
      const items = await refuseListed(on, listed, wanted);
      const valid = items.filter((item): item is NewQrCode => !(item instanceof AppError));
      if (atomic && valid.length < items.length) {
        throw await refuseAll(on, caller, items);
      }
      const outcomes = (await createChecked(on, caller, valid, atomic)).values();
      return items.map(item => (item instanceof AppError ? { error: item } : outcomes.next().value!));
    },
  };
}

/** Fails where the account was released meanwhile: its owner has come, and earlier requests may be someone else's. */
const insertWhileHeld = (
  db: Database,
  caller: Caller,
  insert: (tx: Database) => Promise<store.InsertOutcome>,
): Promise<store.InsertOutcome> =>
  db.transaction(async tx => {
    // Every insert locks in this order.
    await lockBlockList(tx);
    await lockCounts(tx, caller);
    await refuseReleased(tx, caller);
    return await insert(tx);
  });

/** Items whose short code is also that of an earlier item of the same call. */
function duplicates(wanted: readonly NewQrCode[]): NewQrCode[] {
  const seen = new Set<string>();
  return wanted.filter(({ shortCode }) => {
    if (shortCode === undefined) return false;
    const folded = foldShortCode(shortCode);
    if (seen.has(folded)) return true;
    seen.add(folded);
    return false;
  });
}

function newCode(code: store.CodeToInsert, number: number, now: Date): QrCode {
  return { ...code, number, totalScans: 0, uniqueScans: 0, createdAt: now, updatedAt: now, suspension: null };
}

const shortCodeTaken = ({ shortCode }: NewQrCode, mode: Mode) =>
  new AppError(
    'short_code_taken',
    mode === 'test'
      ? `${shortCode} is in use by another of your test codes. Choose another ending, or delete that code first.`
      : `${shortCode} is already taken. Choose another ending. Endings of deleted codes are never given out again.`,
    {
      param: 'short_code',
    },
  );

/** With `atomic`: the refusal names every invalid item at once, including those that only the database can tell. */
async function refuseAll(
  on: Database,
  caller: Caller,
  items: readonly (NewQrCode | AppError)[],
): Promise<AppError> {
  const valid = items.filter((item): item is NewQrCode => !(item instanceof AppError));
  const duplicated = new Set(duplicates(valid));
  const keysOf = ({ shortCode }: NewQrCode) =>
    shortCode === undefined ? [] : [linkKeyOf({ keySpace: keySpaceOf(caller), shortCode })];
  const takenKeys = await store.findTaken(on, valid.flatMap(keysOf));
  const hosts = new Set(valid.flatMap(item => hostAndParents(item.destinationUrl)));
  const blockedHosts = await findBlocked(on, [...hosts]);
  return bulkRefusal(
    items.map(item => {
      if (item instanceof AppError) return item;
      if (duplicated.has(item) || keysOf(item).some(key => takenKeys.has(key)))
        return shortCodeTaken(item, caller.mode);
      const host = blockedHosts.find(blocked => leadsTo(item.destinationUrl, blocked));
      return host === undefined ? undefined : destinationBlocked(host);
    }),
  );
}
