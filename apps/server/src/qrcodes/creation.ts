import { refuseReleased } from '../accounts/account.ts';
import type { Caller, Mode } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids, Uuid } from '../kernel/ids.ts';
import { keySpaceOf, linkKeyOf } from '../kernel/link-key.ts';
import type { ListedFinder } from '../lists/listed.ts';
import type { Database } from '../platform/postgres.ts';
import { checkRouting, noIds, withIds } from '../rules/checks.ts';
import { noRouting, type RoutingChange } from '../rules/code-routing.ts';
import { allHostsOf, blockedRefusal } from './blocked-host.ts';
import { findBlocked, lockBlockList } from './blocked-hosts.ts';
import type { CacheInvalidator } from './cache-invalidator.ts';
import { countUsage, lockCounts } from './code-counts.ts';
import { hasDailyLimit, insertWithinDailyLimit } from './daily-limit.ts';
import { checkDestinations, type OwnAddressCheck, refuseListed } from './destination.ts';
import * as insertion from './insertion.ts';
import { type NewQrCode, type QrCode, refuseEmptyPeriod } from './qr-code.ts';
import { codeLimitsOf, quotaRefusal } from './quota.ts';
import { bulkRefusal, checkAll, refuseUnscannable } from './refusals.ts';
import { writeRouting } from './routing-store.ts';
import { foldShortCode, generateShortCode, refuseReserved, refuseShort } from './short-code.ts';
import { distinctTags } from './tags/tag.ts';
import { writeTags } from './tags/tag-writer.ts';

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
      () => checkDestinations(wanted, ownAddresses),
      () => wanted.shortCode !== undefined && refuseChosen(wanted.shortCode),
      () => refuseUnscannable(wanted.style),
      () => distinctTags(wanted.tags ?? []),
      () => wanted.routing && checkNewRouting(wanted.routing),
    ]);
  }

  /** A new code has no ids that could be sent back. */
  function checkNewRouting(routing: RoutingChange): void {
    checkRouting(routing);
    withIds(routing.rules ?? [], noIds, ids);
    refuseEmptyPeriod({
      ...noRouting,
      startsAt: routing.startsAt ?? null,
      expiresAt: routing.expiresAt ?? null,
    });
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
    const refused = new Map<NewQrCode, AppError>([
      ...duplicates(wanted, shortCodesOf).map(item => [item, taken(item)] as const),
      ...duplicates(wanted, externalIdsOf).map(
        item => [item, insertion.externalIdTaken(item.externalId ?? '')] as const,
      ),
    ]);
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
        note: item.note ?? null,
        externalId: item.externalId ?? null,
        metadata: item.metadata ?? {},
        tags: distinctTags(item.tags ?? []),
        routing: item.routing
          ? { ...noRouting, ...item.routing, rules: withIds(item.routing.rules ?? [], noIds, ids) }
          : noRouting,
      }));
      let tagsOf: ReadonlyMap<Uuid, readonly string[]> = new Map();
      const keys = codes.map(linkKeyOf);
      const limits = codeLimitsOf(caller);
      const insertNow = (db: Database) => insertion.insertCodes(db, caller, codes, limits, now);
      const insertUntagged = (db: Database) =>
        caller.heldSince === null ? insertNow(db) : insertWhileHeld(db, caller, insertNow);
      const insert = (db: Database) =>
        codes.every(({ tags, routing }) => tags.length === 0 && routing === noRouting)
          ? insertUntagged(db)
          : insertion.insertWithMore(db, caller, insertUntagged, async (tx, inserted) => {
              for (const code of codes)
                if (code.routing !== noRouting) await writeRouting(tx, ids, code, noRouting, now);
              const tagged = codes.map((code, i) => ({ ...code, number: inserted[i]!.number, before: [] }));
              tagsOf = await writeTags(tx, caller, ids, tagged);
            });
      let inserted =
        codesPerDay !== null && hasDailyLimit(caller)
          ? await insertWithinDailyLimit(on, caller, { count: codes.length, limit: codesPerDay, now }, insert)
          : await insert(on);
      if (inserted === 'short_code_taken' && caller.mode === 'test')
        inserted = await insertion.insertOverTombstones(on, caller, keys, insert);
      if (inserted === 'full') {
        const refusal = quotaRefusal(caller, await countUsage(on, caller), codes.length);
        if (refusal) throw refusal;
        // A code was deleted in the meantime.
        continue;
      }
      if (typeof inserted === 'object' && 'blockedHosts' in inserted) {
        for (const item of items) {
          const refusal = blockedRefusal(item, inserted.blockedHosts);
          if (refusal) refused.set(item, refusal);
        }
        continue;
      }
      if (inserted === 'external_id_taken') {
        const takenIds = await insertion.findTakenExternalIds(on, caller, items.flatMap(externalIdsOf));
        for (const item of items)
          for (const externalId of externalIdsOf(item))
            if (takenIds.has(externalId)) refused.set(item, insertion.externalIdTaken(externalId));
        continue;
      }
      if (inserted !== 'short_code_taken') {
        // A code may have been scanned before it existed, and be cached as unknown.
        await on.afterCommit(() => links.invalidate(keys));
        const created = new Map(
          items.map((item, i) => {
            const code = codes[i]!;
            return [item, newCode({ ...code, tags: tagsOf.get(code.id) ?? [] }, inserted[i]!)];
          }),
        );
        return wanted.map(item => {
          const code = created.get(item);
          return code ? { code } : { error: refused.get(item)! };
        });
      }
      // One of these short codes is taken: find out which, and refuse its item. Generated ones are generated again.
      const takenKeys = await insertion.findTaken(on, keys);
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
  insert: (tx: Database) => Promise<insertion.InsertOutcome>,
): Promise<insertion.InsertOutcome> =>
  db.transaction(async tx => {
    // Every insert locks in this order.
    await lockBlockList(tx);
    await lockCounts(tx, caller);
    await refuseReleased(tx, caller);
    return await insert(tx);
  });

/** The names that an item asks for, each of which one code only can have. */
const shortCodesOf = ({ shortCode }: NewQrCode) =>
  shortCode === undefined ? [] : [foldShortCode(shortCode)];
const externalIdsOf = ({ externalId }: NewQrCode) => (externalId ? [externalId] : []);

/** Items with a name that an earlier item of the same call has too. */
function duplicates(
  wanted: readonly NewQrCode[],
  namesOf: (item: NewQrCode) => readonly string[],
): NewQrCode[] {
  const seen = new Set<string>();
  return wanted.filter(item => {
    const isTaken = namesOf(item).some(name => seen.has(name));
    for (const name of namesOf(item)) seen.add(name);
    return isTaken;
  });
}

function newCode(
  code: insertion.CodeToInsert & Pick<QrCode, 'tags'>,
  { number, createdAt }: insertion.Inserted,
): QrCode {
  const scans = { totalScans: 0, uniqueScans: 0 };
  const fresh = { suspension: null, usedUpAt: null, revision: 0, placements: [], hadPlacements: false };
  return { ...code, ...scans, ...fresh, number, createdAt, updatedAt: createdAt };
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
  const duplicated = new Set(duplicates(valid, shortCodesOf));
  const duplicatedIds = new Set(duplicates(valid, externalIdsOf));
  const keysOf = ({ shortCode }: NewQrCode) =>
    shortCode === undefined ? [] : [linkKeyOf({ keySpace: keySpaceOf(caller), shortCode })];
  const takenKeys = await insertion.findTaken(on, valid.flatMap(keysOf));
  const takenIds = await insertion.findTakenExternalIds(on, caller, valid.flatMap(externalIdsOf));
  const hosts = new Set(valid.flatMap(allHostsOf));
  const blockedHosts = await findBlocked(on, [...hosts]);
  return bulkRefusal(
    items.map(item => {
      if (item instanceof AppError) return item;
      if (duplicated.has(item) || keysOf(item).some(key => takenKeys.has(key)))
        return shortCodeTaken(item, caller.mode);
      if (duplicatedIds.has(item) || externalIdsOf(item).some(id => takenIds.has(id)))
        return insertion.externalIdTaken(item.externalId ?? '');
      return blockedRefusal(item, blockedHosts) ?? undefined;
    }),
  );
}
