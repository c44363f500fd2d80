import { refuseReleased } from '../accounts/account.ts';
import type { Caller } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids, Uuid } from '../kernel/ids.ts';
import { linkKeyOf } from '../kernel/link-key.ts';
import type { Page, Paged } from '../kernel/page.ts';
import { createListedFinder, type ListedFinder } from '../lists/listed.ts';
import type { Database } from '../platform/postgres.ts';
import { type Browsing, browseCodes, withSuspensions } from './browse.ts';
import type { CacheInvalidator } from './cache-invalidator.ts';
import { countUsage } from './code-counts.ts';
import { createCodeCreation } from './creation.ts';
import { deleteCode } from './deletion.ts';
import { checkDestination, type OwnAddressCheck, refuseListed } from './destination.ts';
import { createEditRecorder, type Edit, listEdits } from './edits.ts';
import { change, type QrCode, type QrCodeChange, type Status } from './qr-code.ts';
import { quotaRefusal } from './quota.ts';
import * as store from './store.ts';

type Parts = {
  readonly ids: Ids;
  readonly clock: Clock;
  readonly ownAddresses: OwnAddressCheck;
  readonly links: CacheInvalidator;
  /** Finds destinations on blocklists; left out, on the imported ones. */
  readonly listed?: ListedFinder;
  /** The minimum length of a short code that a caller chooses; left out, the contract's. */
  readonly minCustomCodeLength?: number;
  /** Live codes that users of an account that signed up may create in 24 hours; null: no such limit. */
  readonly newAccountCodesPerDay?: number | null;
};

export type QrCodes = ReturnType<typeof createQrCodes>;

export function createQrCodes(parts: Parts) {
  const { ids, clock, ownAddresses, links, listed = createListedFinder() } = parts;
  const { minCustomCodeLength = 3, newAccountCodesPerDay: codesPerDay = null } = parts;
  const creation = { ids, clock, ownAddresses, links, listed, minCustomCodeLength, codesPerDay };

  return {
    ...createCodeCreation(creation),

    async get(on: Database, caller: Caller, id: Uuid | null): Promise<QrCode> {
      return (id && (await store.findCode(on, caller, id))) || notFound();
    },

    count(on: Database, caller: Caller): Promise<number> {
      return countUsage(on, caller).then(used => used.all);
    },

    /** Why this many more codes would be refused at this moment, or null. */
    async quotaRefusal(on: Database, caller: Caller, count: number): Promise<AppError | null> {
      return quotaRefusal(caller, await countUsage(on, caller), count);
    },

    names(on: Database, caller: Caller, ids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, string>> {
      return store.findNames(on, caller, ids);
    },

    justDeleted(on: Database, caller: Caller): Promise<readonly Uuid[]> {
      return store.findJustDeleted(on, caller);
    },

    /** A code of any account, deleted or not, for public pages. */
    findAny(on: Database, id: Uuid): Promise<store.PublicCode | null> {
      return store.findAny(on, id);
    },

    list(on: Database, caller: Caller, page: Page, status: Status | null): Promise<Paged<QrCode>> {
      return store.listCodes(on, caller, page, status);
    },

    /** The list of the dashboard. */
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
        checkDestination(destinationUrl, ownAddresses);
        const [item] = await refuseListed(on, listed, [{ destinationUrl }]);
        if (item instanceof AppError) throw item;
      }
      const scope = {
        changesCounts: wanted.active !== undefined,
        changesTarget: wanted.destinationUrl !== undefined || wanted.active === true,
      };
      const decide = (code: QrCode) => change(code, wanted, clock.now());
      const recordEdit = createEditRecorder(ids, caller.via);
      const record: typeof recordEdit = async (tx, before, after) => {
        await refuseReleased(tx, caller);
        await recordEdit(tx, before, after);
      };
      const code = (id && (await store.updateCode(on, caller, id, scope, decide, record))) || notFound();
      await on.afterCommit(() => links.invalidate([linkKeyOf(code)]));
      return code;
    },

    async delete(on: Database, caller: Caller, id: Uuid | null): Promise<void> {
      const key = (id && (await deleteCode(on, caller, id, clock.now()))) || notFound();
      await on.afterCommit(() => links.invalidate([key]));
    },
  };
}

function notFound(): never {
  throw new AppError('not_found', 'No QR code has this id.');
}
