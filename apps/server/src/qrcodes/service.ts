import { refuseReleased } from '../accounts/account.ts';
import type { Caller, Mode } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids, Uuid } from '../kernel/ids.ts';
import { keySpaceOf, linkKeyOf } from '../kernel/link-key.ts';
import type { Page, Paged } from '../kernel/page.ts';
import { createListedFinder, destinationListed, type ListedFinder } from '../lists/listed.ts';
import type { Database } from '../platform/postgres.ts';
import { findBlocked } from './block-list.ts';
import { destinationBlocked, hostAndParents, leadsTo } from './blocked-host.ts';
import { type Browsing, browseCodes, withSuspensions } from './browse.ts';
import { countsByDay, insertWhileHeld, insertWithinDay } from './daily-codes.ts';
import { deleteCode } from './deletion.ts';
import { checkDestination, type Own } from './destination.ts';
import { createRecorder, type Edit, listEdits } from './edits.ts';
import { change, type NewQrCode, type QrCode, type QrCodeChange, type Status } from './qr-code.ts';
import { checkAll, nothingMade, refuseUnscannable } from './refusals.ts';
import { refuseRoom, roomOf } from './room.ts';
import { foldShortCode, generateShortCode, refuseReserved, refuseShort } from './short-code.ts';
import * as store from './store.ts';

/** Makes every redirect process forget what it knows of these links; resolves when all have. */
export type LinkDropper = { drop(keys: readonly string[]): Promise<void> };

type Parts = {
  readonly ids: Ids;
  readonly clock: Clock;
  readonly own: Own;
  readonly links: LinkDropper;
  /** Where no code may lead by the lists of others; left out, those that were imported. */
  readonly listed?: ListedFinder;
  /** The least length of a short code that a caller chooses; left out, the contract's. */
  readonly minChosenCode?: number;
  /** Live codes that people of an account made by sign-up may make in 24 hours; null: no such limit. */
  readonly newAccountCodesPerDay?: number | null;
};

/** What became of one of many: a code, or why there is none. */
export type Outcome = { readonly code: QrCode } | { readonly error: AppError };

export type QrCodes = ReturnType<typeof createQrCodes>;

/** Two generated codes meet once in billions; this many times in a row means that something else is wrong. */
const maxTries = 5;

export function createQrCodes(parts: Parts) {
  const { ids, clock, own, links, listed = createListedFinder(), minChosenCode = 3 } = parts;
  const { newAccountCodesPerDay: perDay = null } = parts;

  function refuseChosen(shortCode: string): void {
    refuseShort(shortCode, minChosenCode);
    refuseReserved(shortCode);
  }

  function check(wanted: NewQrCode): void {
    checkAll([
      () => checkDestination(wanted.destinationUrl, own),
      () => wanted.shortCode !== undefined && refuseChosen(wanted.shortCode),
      () => refuseUnscannable(wanted.style),
    ]);
  }

  /**
   * Puts a refusal in the place of every item whose destination is on a list. Nothing is locked for it: what comes on a list
   * after this look is found by the check of all codes.
   */
  async function refuseListed<Item extends { readonly destinationUrl: string }>(
    on: Database,
    items: readonly (Item | AppError)[],
  ): Promise<(Item | AppError)[]> {
    const urls = items.flatMap(item => (item instanceof AppError ? [] : [item.destinationUrl]));
    const found = await listed.find(on, urls);
    return items.map(item => {
      const list = item instanceof AppError ? undefined : found.get(item.destinationUrl);
      return list === undefined ? item : destinationListed(list);
    });
  }

  /** Writes in one step every code whose short code is free and whose host is not blocked; the others are refused. */
  async function createChecked(
    on: Database,
    caller: Caller,
    wanted: readonly NewQrCode[],
    atomic: boolean,
  ): Promise<Outcome[]> {
    const now = clock.now();
    const keySpace = keySpaceOf(caller);
    const taken = (item: NewQrCode) => shortCodeTaken(item, caller.mode);
    const refused = new Map<NewQrCode, AppError>(repeated(wanted).map(item => [item, taken(item)]));
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
      const room = roomOf(caller);
      const insertNow = (db: Database) => store.insertCodes(db, caller, codes, room, now);
      const insert = (db: Database) =>
        caller.heldSince === null ? insertNow(db) : insertWhileHeld(db, caller, insertNow);
      let inserted =
        perDay !== null && countsByDay(caller)
          ? await insertWithinDay(on, caller, { count: codes.length, limit: perDay, now }, insert)
          : await insert(on);
      if (inserted === 'short_code_taken' && caller.mode === 'test')
        inserted = await store.insertOverTombstones(on, caller, keys, insert);
      if (inserted === 'full') {
        const refusal = refuseRoom(caller, await store.countUsed(on, caller), codes.length);
        if (refusal) throw refusal;
        // A place was freed in the meantime.
        continue;
      }
      if (typeof inserted === 'object' && 'blockedHosts' in inserted) {
        for (const item of items) {
          const host = inserted.blockedHosts.find(host => leadsTo(item.destinationUrl, host));
          if (host !== undefined) refused.set(item, destinationBlocked(host));
        }
        continue;
      }
      if (inserted !== 'short_code_taken') {
        // Somebody may have scanned a code before it was made, and be remembered as having found nothing.
        await on.afterCommit(() => links.drop(keys));
        const made = new Map(items.map((item, i) => [item, fresh(codes[i]!, inserted[i]!, now)]));
        return wanted.map(item => {
          const code = made.get(item);
          return code ? { code } : { error: refused.get(item)! };
        });
      }
      // Somebody has one of these short codes: find out which, and leave those out. Generated ones are made anew.
      const gone = await store.findTaken(on, keys);
      for (const item of items) {
        const { shortCode } = item;
        if (shortCode !== undefined && gone.has(linkKeyOf({ keySpace, shortCode })))
          refused.set(item, taken(item));
      }
    }
    throw new AppError('unavailable', 'No free short code was found. Try again.', { retryAfterSeconds: 1 });
  }

  return {
    async create(on: Database, caller: Caller, wanted: NewQrCode): Promise<QrCode> {
      check(wanted);
      const [item] = await refuseListed(on, [wanted]);
      if (item instanceof AppError) throw item;
      const [outcome] = await createChecked(on, caller, [wanted], false);
      if ('error' in outcome!) throw outcome.error;
      return outcome!.code;
    },

    /** The item as it is, or why it cannot be made; what only the database knows is not asked here. */
    checked: checkedOrError,

    /** Each item is a wanted code that was checked, or the error that it earned. */
    async createMany(
      on: Database,
      caller: Caller,
      wanted: readonly (NewQrCode | AppError)[],
      atomic: boolean,
    ): Promise<Outcome[]> {
      const items = await refuseListed(on, wanted);
      const good = items.filter((item): item is NewQrCode => !(item instanceof AppError));
      if (atomic && good.length < items.length) {
        throw await refuseAll(on, caller, items);
      }
      const outcomes = (await createChecked(on, caller, good, atomic)).values();
      return items.map(item => (item instanceof AppError ? { error: item } : outcomes.next().value!));
    },

    async get(on: Database, caller: Caller, id: Uuid | null): Promise<QrCode> {
      return (id && (await store.findCode(on, caller, id))) || notFound();
    },

    count(on: Database, caller: Caller): Promise<number> {
      return store.countUsed(on, caller).then(used => used.all);
    },

    /** Why so many more codes would be refused at this moment, or null. */
    async lacksRoom(on: Database, caller: Caller, count: number): Promise<AppError | null> {
      return refuseRoom(caller, await store.countUsed(on, caller), count);
    },

    names(on: Database, caller: Caller, ids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, string>> {
      return store.findNames(on, caller, ids);
    },

    justDeleted(on: Database, caller: Caller): Promise<readonly Uuid[]> {
      return store.findJustDeleted(on, caller);
    },

    /** Any code at all, deleted ones included, for what is open to everybody. */
    findAny(on: Database, id: Uuid): Promise<store.PublicCode | null> {
      return store.findAny(on, id);
    },

    list(on: Database, caller: Caller, page: Page, status: Status | null): Promise<Paged<QrCode>> {
      return store.listCodes(on, caller, page, status);
    },

    /** The list for people. */
    async browse(on: Database, caller: Caller, page: Page, wanted: Browsing): Promise<Paged<QrCode>> {
      const found =
        wanted.sort === 'created' && wanted.search === null
          ? await store.listCodes(on, caller, page, wanted.status)
          : await browseCodes(on, caller, page, wanted);
      return withSuspensions(on, found);
    },

    async history(on: Database, caller: Caller, id: Uuid | null, page: Page): Promise<Paged<Edit>> {
      const code = (id && (await store.findCode(on, caller, id))) || notFound();
      return listEdits(on, code.id, page);
    },

    async update(on: Database, caller: Caller, id: Uuid | null, wanted: QrCodeChange): Promise<QrCode> {
      const { destinationUrl } = wanted;
      if (destinationUrl !== undefined) {
        checkDestination(destinationUrl, own);
        const [item] = await refuseListed(on, [{ destinationUrl }]);
        if (item instanceof AppError) throw item;
      }
      const reach = {
        counts: wanted.active !== undefined,
        leads: wanted.destinationUrl !== undefined || wanted.active === true,
      };
      const decide = (code: QrCode) => change(code, wanted, clock.now());
      const recordEdit = createRecorder(ids, caller.via);
      const record: typeof recordEdit = async (tx, before, after) => {
        await refuseReleased(tx, caller);
        await recordEdit(tx, before, after);
      };
      const code = (id && (await store.updateCode(on, caller, id, reach, decide, record))) || notFound();
      await on.afterCommit(() => links.drop([linkKeyOf(code)]));
      return code;
    },

    async delete(on: Database, caller: Caller, id: Uuid | null): Promise<void> {
      const key = (id && (await deleteCode(on, caller, id, clock.now()))) || notFound();
      await on.afterCommit(() => links.drop([key]));
    },
  };

  function checkedOrError(item: NewQrCode): NewQrCode | AppError {
    try {
      check(item);
      return item;
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    }
  }
}

/** Items that ask for a short code which an earlier item of the same call asks for too. */
function repeated(wanted: readonly NewQrCode[]): NewQrCode[] {
  const seen = new Set<string>();
  return wanted.filter(({ shortCode }) => {
    if (shortCode === undefined) return false;
    const folded = foldShortCode(shortCode);
    if (seen.has(folded)) return true;
    seen.add(folded);
    return false;
  });
}

function fresh(code: store.CodeToInsert, number: number, now: Date): QrCode {
  return { ...code, number, totalScans: 0, uniqueScans: 0, createdAt: now, updatedAt: now, suspension: null };
}

const shortCodeTaken = ({ shortCode }: NewQrCode, mode: Mode) =>
  new AppError(
    'short_code_taken',
    mode === 'test'
      ? `${shortCode} is in use by another of your test codes. Choose another, or delete that one first.`
      : `${shortCode} is in use or was once, and is never given out again. Choose another.`,
    {
      param: 'short_code',
    },
  );

/** With `atomic`: every bad item at once, so those are looked for too that only the database knows of. */
async function refuseAll(
  on: Database,
  caller: Caller,
  items: readonly (NewQrCode | AppError)[],
): Promise<AppError> {
  const good = items.filter((item): item is NewQrCode => !(item instanceof AppError));
  const again = new Set(repeated(good));
  const keyOf = ({ shortCode }: NewQrCode) =>
    shortCode === undefined ? [] : [linkKeyOf({ keySpace: keySpaceOf(caller), shortCode })];
  const gone = await store.findTaken(on, good.flatMap(keyOf));
  const hosts = new Set(good.flatMap(item => hostAndParents(item.destinationUrl)));
  const blocked = await findBlocked(on, [...hosts]);
  return nothingMade(
    items.map(item => {
      if (item instanceof AppError) return item;
      if (again.has(item) || keyOf(item).some(key => gone.has(key))) return shortCodeTaken(item, caller.mode);
      const host = blocked.find(one => leadsTo(item.destinationUrl, one));
      return host === undefined ? undefined : destinationBlocked(host);
    }),
  );
}

function notFound(): never {
  throw new AppError('not_found', 'No QR code has this id.');
}
