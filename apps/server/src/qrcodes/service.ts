import { refuseReleased } from '../accounts/account.ts';
import type { Caller } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids, Uuid } from '../kernel/ids.ts';
import { linkKeyOf } from '../kernel/link-key.ts';
import type { Page, Paged } from '../kernel/page.ts';
import { createListedFinder, type ListedFinder } from '../lists/listed.ts';
import type { Database } from '../platform/postgres.ts';
import { checkRouting, idsOfRules, withIds } from '../rules/checks.ts';
import type { CodeRouting, RoutingChange, WantedRule } from '../rules/code-routing.ts';
import { resolveId } from './addressing.ts';
import { refuseBlocked } from './blocked-hosts.ts';
import { createBulkEdit } from './bulk-edit.ts';
import type { CacheInvalidator } from './cache-invalidator.ts';
import { countUsage } from './code-counts.ts';
import { createCodeCreation } from './creation.ts';
import { deleteCode } from './deletion.ts';
import { checkDestinations, type OwnAddressCheck, refuseListed } from './destination.ts';
import { createEditRecorder, type Edit, listEdits } from './edits.ts';
import type { CodeFilter, Sort } from './listing/filter.ts';
import { type CodePage, type Cursor, findNumber, listBeside, listCodes, walkCodes } from './listing/list.ts';
import { withSuspensions } from './listing/suspensions.ts';
import { tagged, withTags } from './listing/tags.ts';
import { findPlacementKeys } from './placements/placement.ts';
import { change, type QrCode, type WantedChange } from './qr-code.ts';
import { type CodeUsage, quotaRefusal } from './quota.ts';
import * as store from './store.ts';
import { distinctTags } from './tags/tag.ts';
import { tags } from './tags/tags.ts';
import { findRemovedTargets, type RemovedTarget } from './targets.ts';
import { createUpsert } from './upsert.ts';

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

/** Codes that a file of many codes reads at a time: 50 kB each are possible. */
const codesPerStep = 50;

export type QrCodes = ReturnType<typeof createQrCodes>;

export function createQrCodes(parts: Parts) {
  const { ids, clock, ownAddresses, links, listed = createListedFinder() } = parts;
  const { minCustomCodeLength = 3, newAccountCodesPerDay: codesPerDay = null } = parts;
  const creation = { ids, clock, ownAddresses, links, listed, minCustomCodeLength, codesPerDay };

  const { create, validate, createMany } = createCodeCreation(creation);

  async function update(
    on: Database,
    caller: Caller,
    id: Uuid | null,
    wanted: WantedChange,
    /** The revision that the change is based on; without it, any. */
    revision?: number,
  ): Promise<QrCode> {
    const checked = wanted.tags ? { ...wanted, tags: distinctTags(wanted.tags) } : wanted;
    if (wanted.routing) checkRouting(wanted.routing);
    checkDestinations(wanted, ownAddresses);
    const [item] = await refuseListed(on, listed, [wanted]);
    if (item instanceof AppError) throw item;
    const removed = id && hasIds(wanted.routing) ? await findRemovedTargets(on, id) : [];
    const decide = (code: QrCode) => {
      if (revision !== undefined && revision !== code.revision) throw preconditionFailed(code, revision);
      return change(
        code,
        { ...checked, routing: settleRouting(code, checked.routing, removed) },
        clock.now(),
      );
    };
    const updated =
      id && (await store.updateCode(on, caller, id, scopeOf(checked), decide, editorFor(caller)));
    const code = updated || notFound();
    await on.afterCommit(() => links.invalidate([linkKeyOf(code)]));
    return code;
  }

  /** The rules with their ids, which are those that the code has or had. */
  function settleRouting(
    code: QrCode,
    wanted: RoutingChange | undefined,
    removed: readonly RemovedTarget[],
  ): Partial<CodeRouting> | undefined {
    if (!wanted) return undefined;
    const { rules, ...rest } = wanted;
    if (!rules) return rest;
    const current = idsOfRules(code.routing.rules);
    const known = {
      rules: new Set([...current.rules, ...removed.map(({ ruleId }) => ruleId)]),
      targets: new Set([...current.targets, ...removed.map(({ id }) => id)]),
    };
    return { ...rest, rules: withIds(rules, known, ids) };
  }

  function editorFor(caller: Caller): store.Editor {
    const recordEdit = createEditRecorder(ids, caller.via);
    return {
      ids,
      async record(tx, before, after) {
        await refuseReleased(tx, caller);
        await recordEdit(tx, before, after);
      },
    };
  }

  return {
    create,
    validate,
    createMany,
    update,
    upsert: createUpsert({ create, update }),
    bulk: createBulkEdit({ ids, clock, ownAddresses, links, listed }),

    /** The code that a path names; null where it can be none of the caller's. */
    resolve(on: Database, caller: Caller, id: string): Promise<Uuid | null> {
      return resolveId(on, caller, id);
    },

    async get(on: Database, caller: Caller, id: Uuid | null): Promise<QrCode> {
      return (id && (await store.findCode(on, caller, id))) || notFound();
    },

    /** What is printed of codes, in the order of the ids. */
    async getMany(
      on: Database,
      caller: Caller,
      wanted: readonly (Uuid | null)[],
    ): Promise<store.PrintedCode[]> {
      const known = wanted.filter(id => id !== null);
      const found = new Map<Uuid, store.PrintedCode>();
      for (let from = 0; from < known.length; from += codesPerStep)
        for (const code of (
          await store.findPrinted(on, caller, known.slice(from, from + codesPerStep))
        ).values())
          found.set(code.id, code);
      return wanted.map(id => (id && found.get(id)) || notFound());
    },

    /** The code that a path names. */
    async find(on: Database, caller: Caller, name: string): Promise<QrCode> {
      const id = await resolveId(on, caller, name);
      return (id && (await store.findCode(on, caller, id))) || notFound();
    },

    usage(on: Database, caller: Caller): Promise<CodeUsage> {
      return countUsage(on, caller);
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

    list(on: Database, caller: Caller, filter: CodeFilter, sort: Sort, page: Page): Promise<CodePage> {
      return listCodes(on, caller, filter, sort, page);
    },

    /** The codes before or after one, which may have been deleted since. Null where the caller never had it. */
    async listBeside(
      on: Database,
      caller: Caller,
      filter: CodeFilter,
      sort: Sort,
      { id, side }: { readonly id: Uuid; readonly side: Cursor['side'] },
      limit: number,
    ): Promise<CodePage | null> {
      const number = await findNumber(on, caller, id);
      return number === null ? null : listBeside(on, caller, filter, sort, { number, side }, limit);
    },

    /** Every code that matches with its tags, the newest first, some at a time. */
    async *walk(on: Database, caller: Caller, filter: CodeFilter): AsyncGenerator<readonly QrCode[]> {
      for await (const codes of walkCodes(on, caller, filter, codesPerStep)) yield await tagged(on, codes);
    },

    /** Refuses rules that may not be saved. */
    async checkLeading(on: Database, wanted: { readonly rules: readonly WantedRule[] }): Promise<void> {
      checkRouting(wanted);
      checkDestinations({ routing: wanted }, ownAddresses);
      const [item] = await refuseListed(on, listed, [{ routing: wanted }]);
      if (item instanceof AppError) throw item;
      await refuseBlocked(on, { routing: wanted });
    },

    placementKeys(on: Database, id: Uuid): Promise<readonly string[]> {
      return findPlacementKeys(on, id);
    },

    /** The same page with the suspensions of its codes. */
    withSuspensions(on: Database, page: CodePage): Promise<CodePage> {
      return withSuspensions(on, page);
    },

    /** Targets that rules of a code had earlier. */
    removedTargets(on: Database, id: Uuid): Promise<readonly RemovedTarget[]> {
      return findRemovedTargets(on, id);
    },

    /** The same page with the tags of its codes. */
    withTags(on: Database, page: CodePage): Promise<CodePage> {
      return withTags(on, page);
    },

    /** The list of the dashboard. */
    async browse(
      on: Database,
      caller: Caller,
      filter: CodeFilter,
      sort: Sort,
      page: Page,
    ): Promise<CodePage> {
      const found = await listCodes(on, caller, filter, sort, page);
      return withTags(on, await withSuspensions(on, found));
    },

    /** The codes of a tag, up to one more than the limit. A tag that does not exist has none. */
    async codesOfTag(on: Database, caller: Caller, name: string, limit: number): Promise<readonly Uuid[]> {
      const tag = await tags.find(on, caller, name);
      return tag ? tags.codesOf(on, tag.id, limit) : [];
    },

    async history(on: Database, caller: Caller, id: Uuid | null, page: Page): Promise<Paged<Edit>> {
      const code = (id && (await store.findCode(on, caller, id))) || notFound();
      return listEdits(on, code.id, page);
    },

    async delete(on: Database, caller: Caller, id: Uuid | null): Promise<Uuid> {
      const key = (id && (await deleteCode(on, caller, id, clock.now()))) || notFound();
      await on.afterCommit(() => links.invalidate([key]));
      return id!;
    },
  };
}

/** Whether rules are sent back that the code has, or had before an edit that is undone. */
const hasIds = (routing: RoutingChange | undefined) =>
  routing?.rules?.some(({ id, to }) => id !== null || to.some(target => target.id !== null)) ?? false;

const preconditionFailed = (code: QrCode, revision: number) =>
  new AppError(
    'precondition_failed',
    `The code was edited since: its revision is ${code.revision}, and If-Match names ${revision}. Read it again, then repeat your change.`,
  );

const scopeOf = ({
  active,
  destinationUrl,
  tags: wantedTags,
  externalId,
  routing,
}: WantedChange): store.EditScope => ({
  changesCounts: active !== undefined || wantedTags !== undefined || externalId !== undefined,
  changesTarget:
    destinationUrl !== undefined ||
    active === true ||
    routing?.rules !== undefined ||
    routing?.fallbackUrl !== undefined,
});

function notFound(): never {
  throw new AppError('not_found', 'No QR code has this id.');
}
