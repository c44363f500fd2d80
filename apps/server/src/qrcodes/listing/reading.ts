import type { Caller } from '../../kernel/caller.ts';
import type { AppError } from '../../kernel/errors.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { Page, Paged } from '../../kernel/page.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import { countUsage } from '../code-counts.ts';
import { resolveId, resolveIds } from '../creation/addressing.ts';
import { type CodeUsage, quotaRefusal } from '../creation/quota.ts';
import { type Edit, listEdits } from '../edits/edits.ts';
import { findPlacementKeys } from '../placements/placement.ts';
import type { Owner, QrCode } from '../qr-code.ts';
import { refuseUnknown } from '../refusals.ts';
import * as store from '../store.ts';
import { tags } from '../tags/tags.ts';
import { findRemovedTargets, type RemovedTarget } from '../targets/targets.ts';
import { withDetails } from './details.ts';
import type { CodeFilter, Sort } from './filter.ts';
import { type CodePage, type Cursor, findNumber, listBeside, listCodes, walkCodes } from './list.ts';
import { countRules } from './rule-counts.ts';
import { withSuspensions } from './suspensions.ts';
import { tagged, withTags } from './tags.ts';

/** Codes that a file of many codes reads at a time: 50 kB each are possible. */
const codesPerStep = 50;

/** Everything that is read of codes, by their owner and for public pages. */
export const reading = {
  /** The code that a path names; null where it can be none of the caller's. */
  resolve(on: Database, caller: Owner, id: string): Promise<Uuid | null> {
    return resolveId(on, caller, id);
  },

  /** Each code of a list by its id or `ext:` and its external id; null where it can be none of the caller's. */
  resolveMany(on: Database, caller: Owner, ids: readonly string[]): Promise<readonly (Uuid | null)[]> {
    return resolveIds(on, caller, ids);
  },

  async get(on: Database, caller: Owner, id: Uuid | null): Promise<QrCode> {
    return (id && (await store.findCode(on, caller, id))) || refuseUnknown();
  },

  /** What is printed of codes, in the order of the ids. */
  async getMany(on: Database, caller: Owner, wanted: readonly (Uuid | null)[]): Promise<store.PrintedCode[]> {
    const known = wanted.filter(id => id !== null);
    const found = new Map<Uuid, store.PrintedCode>();
    for (let from = 0; from < known.length; from += codesPerStep)
      for (const code of (
        await store.findPrinted(on, caller, known.slice(from, from + codesPerStep))
      ).values())
        found.set(code.id, code);
    return wanted.map(id => (id && found.get(id)) || refuseUnknown());
  },

  /** The code that a path names. */
  async find(on: Database, caller: Owner, name: string): Promise<QrCode> {
    const id = await resolveId(on, caller, name);
    return (id && (await store.findCode(on, caller, id))) || refuseUnknown();
  },

  usage(on: Database, caller: Owner): Promise<CodeUsage> {
    return countUsage(on, caller);
  },

  count(on: Database, caller: Owner): Promise<number> {
    return countUsage(on, caller).then(used => used.all);
  },

  /** Why this many more codes would be refused at this moment, or null. */
  async quotaRefusal(on: Database, caller: Caller, count: number): Promise<AppError | null> {
    return quotaRefusal(caller, await countUsage(on, caller), count);
  },

  names(on: Database, caller: Owner, ids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, string>> {
    return store.findNames(on, caller, ids);
  },

  justDeleted(on: Database, caller: Owner): Promise<readonly Uuid[]> {
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

  placementKeys(on: Database, id: Uuid): Promise<readonly string[]> {
    return findPlacementKeys(on, id);
  },

  /** The same page with the suspensions of its codes. */
  withSuspensions(on: Database, page: CodePage): Promise<CodePage> {
    return withSuspensions(on, page);
  },

  /** The same page with the rules and placements of its codes. */
  withDetails(on: Database, page: CodePage): Promise<CodePage> {
    return withDetails(on, page);
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
  async browse(on: Database, caller: Caller, filter: CodeFilter, sort: Sort, page: Page): Promise<CodePage> {
    const found = await listCodes(on, caller, filter, sort, page);
    return withTags(on, await withSuspensions(on, found));
  },

  ruleCounts(on: Database, ids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, number>> {
    return countRules(on, ids);
  },

  /** The id and spelling of a tag; null where the caller has none such. */
  findTag(
    on: Database,
    caller: Owner,
    name: string,
  ): Promise<{ readonly id: Uuid; readonly name: string } | null> {
    return tags.find(on, caller, name);
  },

  /** The codes of a tag, up to one more than the limit. A tag that does not exist has none. */
  async codesOfTag(on: Database, caller: Owner, name: string, limit: number): Promise<readonly Uuid[]> {
    const tag = await tags.find(on, caller, name);
    return tag ? tags.findCodes(on, tag.id, limit) : [];
  },

  async history(on: Database, caller: Owner, id: Uuid | null, page: Page): Promise<Paged<Edit>> {
    const code = (id && (await store.findCode(on, caller, id))) || refuseUnknown();
    return listEdits(on, code.id, page);
  },
};
