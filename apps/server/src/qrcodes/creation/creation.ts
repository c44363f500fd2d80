import { refuseReleased } from '../../accounts/account.ts';
import { findPlaces, lockDomains } from '../../domains/placing.ts';
import type { AuditEvent } from '../../http/audited.ts';
import { toLinkKey } from '../../kernel/addresses/link-key.ts';
import type { Caller } from '../../kernel/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Ids, Uuid } from '../../kernel/ids.ts';
import type { ListedFinder } from '../../moderation/lists/listed.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import type { CacheInvalidator } from '../../redirect/changes/cache-invalidator.ts';
import { noIds, withIds } from '../../rules/checks.ts';
import { noRules } from '../../rules/code-rules.ts';
import { countUsage, lockCounts } from '../code-counts.ts';
import type { NewQrCode, QrCode } from '../qr-code.ts';
import { findIdsByExternalIds } from '../store.ts';
import { distinctTags } from '../tags/tag.ts';
import { writeTags } from '../tags/tag-writer.ts';
import { blockedRefusal } from '../targets/blocked-host.ts';
import { lockBlockList } from '../targets/blocked-hosts.ts';
import { type OwnAddressCheck, refuseListed } from '../targets/destination.ts';
import { writeRules } from '../targets/rules-store.ts';
import { checkNewCode } from './check-new-code.ts';
import { hasDailyLimit, insertWithinDailyLimit } from './daily-limit.ts';
import * as insertion from './insertion.ts';
import { getCodeLimits, quotaRefusal } from './quota.ts';
import { generateShortCode } from './short-code.ts';
import {
  listExternalIds,
  type PlacedCode,
  refuseAll,
  refuseDuplicates,
  refuseTaken,
} from './wanted-names.ts';

type CreationParts = {
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

/** The event of a create, given the id of the new code. Null: none is to be written with it. */
type ToEvent = (id: Uuid) => AuditEvent | null;

/** A wanted code with everything but what the database assigns. */
type PreparedCode = insertion.CodeToInsert & Pick<QrCode, 'tags'> & Pick<NewQrCode, 'reclaim'>;

/** Two generated short codes collide once in billions; this many collisions in a row have another cause. */
const maxTries = 5;

/** Creates codes. */
export function createCodeCreation(parts: CreationParts) {
  const { ids, clock, links, listed, codesPerDay } = parts;

  /** Writes every code whose names are free and whose host is not blocked; the others are refused. */
  async function createChecked(
    on: Database,
    caller: Caller,
    wanted: readonly PlacedCode[],
    { atomic = false, toEvent }: { readonly atomic?: boolean; readonly toEvent?: ToEvent | undefined } = {},
  ): Promise<CreateOutcome[]> {
    const now = clock.now();
    const refused = refuseDuplicates(wanted, caller.mode);
    for (let tries = 0; tries < maxTries; tries++) {
      const items = wanted.filter(item => !refused.has(item));
      if (atomic && items.length < wanted.length) {
        const known = wanted.map(item => refused.get(item) ?? item);
        throw await refuseAll(on, caller, known);
      }
      if (items.length === 0) return wanted.map(item => ({ error: refused.get(item)! }));
      const codes = items.map(item => prepare(item, ids));
      const { outcome, tags } = await insertPrepared(on, caller, codes, {
        now,
        event: toEvent?.(codes[0]!.id) ?? null,
      });
      if (insertion.isInserted(outcome)) {
        // A code may have been scanned before it existed, and be cached as unknown.
        await on.afterCommit(() => links.invalidate(codes.map(toLinkKey)));
        const created = new Map(
          items.map((item, i) => [item, newCode(codes[i]!, tags.get(codes[i]!.id) ?? [], outcome[i]!)]),
        );
        return wanted.map(item => {
          const code = created.get(item);
          return code ? { code } : { error: refused.get(item)! };
        });
      }
      for (const [item, refusal] of await findRefused(on, caller, items, codes, outcome))
        refused.set(item, refusal);
    }
    throw new AppError('unavailable', 'No free link ending was found. Try again.', { retryAfterSeconds: 1 });
  }

  /** Inserts all codes or none. Locks are taken in the same order by every way of inserting. */
  async function insertPrepared(
    on: Database,
    caller: Caller,
    codes: readonly PreparedCode[],
    { now, event }: { readonly now: Date; readonly event: AuditEvent | null },
  ): Promise<{ outcome: insertion.InsertOutcome; tags: ReadonlyMap<Uuid, readonly string[]> }> {
    let tags: ReadonlyMap<Uuid, readonly string[]> = new Map();
    const isBare = codes.every(
      code => code.tags.length === 0 && code.routing === noRules && code.domain === null,
    );
    const limits = getCodeLimits(caller);
    const dailyLimit = hasDailyLimit(caller) ? codesPerDay : null;
    // What locks more than the codes themselves writes its event when it has done so.
    const isOneStatement = isBare && dailyLimit === null;
    const insertBare = (db: Database) =>
      insertion.insertCodes(db, caller, codes, limits, now, isOneStatement ? event : null);
    const insertAllowed = (db: Database) =>
      caller.heldSince === null ? insertBare(db) : insertWhileHeld(db, caller, insertBare);
    const insertWhole = (db: Database) =>
      isBare
        ? insertAllowed(db)
        : insertion.insertWithMore(db, caller, insertAllowed, async (tx, inserted) => {
            await lockDomains(tx, caller.accountId, codes);
            for (const code of codes)
              if (code.routing !== noRules) await writeRules(tx, ids, code, noRules, now);
            const tagged = codes.map((code, i) => ({ ...code, number: inserted[i]!.number, before: [] }));
            tags = await writeTags(tx, caller, ids, tagged);
          });
    const insertLimited = (db: Database) =>
      dailyLimit === null
        ? insertWhole(db)
        : insertWithinDailyLimit(db, caller, { count: codes.length, limit: dailyLimit, now }, insertWhole);
    const insertAudited = (db: Database) =>
      event === null || isOneStatement
        ? insertLimited(db)
        : insertion.insertWithEvent(db, caller, event, insertLimited);
    let outcome = await insertAudited(on);
    const reclaimed = codes.filter(code => caller.mode === 'test' || code.reclaim).map(toLinkKey);
    if (outcome === 'short_code_taken' && reclaimed.length > 0)
      outcome = await insertion.insertOverTombstones(on, caller, reclaimed, insertAudited);
    return { outcome, tags };
  }

  return {
    /** With its event in the audit log, if there is one. */
    async create(on: Database, caller: Caller, wanted: NewQrCode, toEvent?: ToEvent): Promise<QrCode> {
      checkNewCode(wanted, parts);
      const [item] = await place(on, caller, await refuseListed(on, listed, [wanted]));
      if (item instanceof AppError) throw item;
      const [outcome] = await createChecked(on, caller, [item!], { toEvent });
      if ('error' in outcome!) throw outcome.error;
      return outcome!.code;
    },

    /** The item itself, or why it cannot be created. Does not query the database. */
    validate(item: NewQrCode): NewQrCode | AppError {
      try {
        checkNewCode(item, parts);
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
      const items = await place(on, caller, await refuseListed(on, listed, wanted));
      const valid = items.filter((item): item is PlacedCode => !(item instanceof AppError));
      if (atomic && valid.length < items.length) throw await refuseAll(on, caller, items);
      const outcomes = (await createChecked(on, caller, valid, { atomic })).values();
      return items.map(item => (item instanceof AppError ? { error: item } : outcomes.next().value!));
    },
  };
}

const prepare = (item: PlacedCode, ids: Ids): PreparedCode => ({
  ...item,
  id: ids.next(),
  shortCode: item.shortCode ?? generateShortCode(),
  note: item.note ?? null,
  externalId: item.externalId ?? null,
  metadata: item.metadata ?? {},
  tags: distinctTags(item.tags ?? []),
  routing: item.routing
    ? { ...noRules, ...item.routing, rules: withIds(item.routing.rules ?? [], noIds, ids) }
    : noRules,
});

/** Each item with the space in which its short code is unique, or why it cannot be where it wants to be. */
async function place(
  on: Database,
  caller: Caller,
  items: readonly (NewQrCode | AppError)[],
): Promise<(PlacedCode | AppError)[]> {
  const places = await findPlaces(
    on,
    caller,
    items.map(item => (item instanceof AppError ? {} : item)),
  );
  return items.map((item, i) => {
    const found = places[i]!;
    if (item instanceof AppError) return item;
    return found instanceof AppError ? found : { ...item, ...found };
  });
}

/**
 * Which items kept the others from being inserted, and why. None: what was in the way has gone, or it was a generated short
 * code, so the rest is tried again. Throws where the quota is full.
 */
async function findRefused(
  on: Database,
  caller: Caller,
  items: readonly PlacedCode[],
  codes: readonly PreparedCode[],
  outcome: Exclude<insertion.InsertOutcome, readonly insertion.Inserted[]>,
): Promise<readonly (readonly [PlacedCode, AppError])[]> {
  switch (outcome) {
    case 'full': {
      const refusal = quotaRefusal(caller, await countUsage(on, caller), items.length);
      if (refusal) throw refusal;
      return [];
    }
    case 'external_id_taken': {
      const taken = await findIdsByExternalIds(on, caller, items.flatMap(listExternalIds));
      return items.flatMap(item =>
        listExternalIds(item)
          .filter(externalId => taken.has(externalId))
          .map(externalId => [item, insertion.externalIdTaken(externalId)] as const),
      );
    }
    case 'short_code_taken': {
      const taken = await insertion.findTaken(on, caller, codes.map(toLinkKey));
      return items.flatMap(item => {
        const refusal = refuseTaken(item, caller, taken);
        return refusal ? [[item, refusal] as const] : [];
      });
    }
    default:
      return items.flatMap(item => {
        const refusal = blockedRefusal(item, outcome.blockedHosts);
        return refusal ? [[item, refusal] as const] : [];
      });
  }
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

function newCode(
  code: PreparedCode,
  tags: readonly string[],
  { number, createdAt }: insertion.Inserted,
): QrCode {
  const scans = { totalScans: 0, uniqueScans: 0 };
  const fresh = {
    suspension: null,
    archived: false,
    usedUpAt: null,
    revision: 0,
    placements: [],
    hadPlacements: false,
  };
  return { ...code, ...scans, ...fresh, tags, number, createdAt, updatedAt: createdAt };
}
