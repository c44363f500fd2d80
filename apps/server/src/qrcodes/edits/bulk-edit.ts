import { maxBulkCodes, maxTagsOfCode } from '@signpost/contract';
import { refuseReleased } from '../../accounts/account.ts';
import { toLinkKey } from '../../kernel/addresses/link-key.ts';
import type { Caller } from '../../kernel/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Ids, Uuid } from '../../kernel/ids.ts';
import { mapInTurns } from '../../kernel/running/cpu-queue.ts';
import type { ListedFinder } from '../../moderation/lists/listed.ts';
import { rolledBack } from '../../platform/postgres/dry-run.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import type { CacheInvalidator } from '../../redirect/changes/cache-invalidator.ts';
import { lockCounts } from '../code-counts.ts';
import type { CodeFilter } from '../listing/filter.ts';
import { findMatching } from '../listing/list.ts';
import { change, type QrCode, type QrCodeChange } from '../qr-code.ts';
import { unknownCode } from '../refusals.ts';
import { findCodes, findExisting, lockExisting } from '../store.ts';
import { distinctTags, foldTag } from '../tags/tag.ts';
import { blockedRefusal, listAllHosts } from '../targets/blocked-host.ts';
import { findBlocked, lockBlockList } from '../targets/blocked-hosts.ts';
import { checkDestination, type OwnAddressCheck, refuseListed } from '../targets/destination.ts';
import { writeChanges } from './bulk-writes.ts';
import { deleteWanted } from './deletion.ts';
import { type DestinationReplace, replaceIn } from './destination-replace.ts';
import { createEditsRecorder } from './edits.ts';

/** Which codes: by their ids, null for what is none, or by a filter. */
export type BulkTarget =
  | { readonly ids: readonly (Uuid | null)[]; readonly expectedCount?: number | undefined }
  | { readonly filter: CodeFilter; readonly expectedCount: number };

export type BulkChange = Pick<
  QrCodeChange,
  'active' | 'archived' | 'destinationUrl' | 'note' | 'metadata'
> & {
  /** Instead of one destination for all. */
  readonly destinationReplace?: DestinationReplace | undefined;
  readonly tagsAdd: readonly string[];
  readonly tagsRemove: readonly string[];
};

/** What became of one code: its state after the change, or why it stays as it is. */
export type EditOutcome = { readonly code: QrCode } | { readonly id: Uuid | null; readonly error: AppError };
export type DeleteOutcome = { readonly id: Uuid } | { readonly error: AppError };

/** Codes that are read, changed and written at a time. */
const codesPerStep = 10;

type Parts = {
  readonly ids: Ids;
  readonly clock: Clock;
  readonly ownAddresses: OwnAddressCheck;
  readonly links: CacheInvalidator;
  readonly listed: ListedFinder;
};

/** Changes or deletes many codes in one transaction. A dry run is rolled back. */
export function createBulkEdit({ ids, clock, ownAddresses, links, listed }: Parts) {
  async function editNow<Shown>(
    tx: Database,
    caller: Caller,
    target: BulkTarget,
    wanted: BulkChange,
    show: Show<Shown>,
  ): Promise<Shown[]> {
    // In the order of every edit and create.
    await lockBlockList(tx);
    await lockCounts(tx, caller);
    await refuseReleased(tx, caller);
    const wantedIds = await findIds(tx, caller, target);
    const locked = await lockExisting(
      tx,
      caller,
      wantedIds.filter(id => id !== null),
    );
    // A code may have changed, and no longer match, between the look-up and the lock.
    const stillMatching =
      'filter' in target ? new Set(await findMatching(tx, caller, target.filter, maxBulkCodes)) : null;
    const found = stillMatching ? [...locked].filter(id => stillMatching.has(id)).length : locked.size;
    refuseOtherCount(target.expectedCount, found);
    const now = clock.now();
    const shown: Shown[] = [];
    const moved: string[] = [];
    for (let from = 0; from < wantedIds.length; from += codesPerStep) {
      const some = await editSome(tx, caller, wantedIds.slice(from, from + codesPerStep), wanted, now);
      shown.push(...(await mapInTurns(some.outcomes, (outcome, at) => show(outcome, from + at))));
      moved.push(...some.moved);
    }
    if (moved.length > 0) await tx.afterCommit(() => links.invalidate(moved));
    return shown;
  }

  /** Changes codes that are locked. Few at a time: a code may take hundreds of kilobytes. */
  async function editSome(
    tx: Database,
    caller: Caller,
    wantedIds: readonly (Uuid | null)[],
    wanted: BulkChange,
    now: Date,
  ): Promise<{ readonly outcomes: readonly EditOutcome[]; readonly moved: readonly string[] }> {
    const codes = await findCodes(
      tx,
      caller,
      wantedIds.filter(id => id !== null),
    );
    const replaced = await replacedDestinations(tx, [...codes.values()], wanted.destinationReplace);
    const blocked = await findNewlyBlocked(tx, [...codes.values()], wanted, replaced);
    const outcomes = await mapInTurns(wantedIds, (id): Decided => {
      const code = id && codes.get(id);
      if (!code) return { id, error: unknownCode() };
      const destinationUrl = replaced.get(code.id) ?? wanted.destinationUrl;
      if (destinationUrl instanceof AppError) return { id, error: destinationUrl };
      try {
        return { before: code, after: decide(code, { ...wanted, destinationUrl }, blocked, now) };
      } catch (error) {
        if (error instanceof AppError) return { id, error };
        throw error;
      }
    });
    const pairs = outcomes.flatMap(outcome =>
      'after' in outcome && outcome.after !== outcome.before
        ? [[outcome.before, outcome.after] as const]
        : [],
    );
    const written = await writeChanges(tx, caller, ids, pairs);
    await createEditsRecorder(ids, caller.via)(tx, written);
    const after = new Map(written.map(([, code]) => [code.id, code]));
    return {
      outcomes: outcomes.map(outcome =>
        'after' in outcome ? { code: after.get(outcome.after.id) ?? outcome.after } : outcome,
      ),
      moved: written
        .filter(([before, code]) => leadsElsewhere(before, code))
        .map(([, code]) => toLinkKey(code)),
    };
  }

  /** Where codes would lead, for those in whose destination the text occurs; an error where none may lead. */
  async function replacedDestinations(
    tx: Database,
    codes: readonly QrCode[],
    replace: DestinationReplace | undefined,
  ): Promise<ReadonlyMap<Uuid, string | AppError>> {
    if (!replace) return new Map();
    const found = codes.flatMap(({ id, destinationUrl }) => {
      const wanted = refusalOr(() => replaceIn(destinationUrl, replace, ownAddresses));
      return wanted === undefined ? [] : [[id, wanted] as const];
    });
    const items = found.map(([, url]) => (url instanceof AppError ? url : { destinationUrl: url }));
    const allowed = await refuseListed(tx, listed, items);
    return new Map(
      found.map(([id], at) => {
        const item = allowed[at]!;
        return [id, item instanceof AppError ? item : item.destinationUrl];
      }),
    );
  }

  return {
    /** What became of each code, as `show` makes it at once: whole codes are not kept. */
    async edit<Shown>(
      on: Database,
      caller: Caller,
      target: BulkTarget,
      wanted: BulkChange,
      dryRun: boolean,
      show: Show<Shown>,
    ): Promise<readonly Shown[]> {
      const { destinationUrl } = wanted;
      if (destinationUrl !== undefined) {
        checkDestination(destinationUrl, ownAddresses);
        const [item] = await refuseListed(on, listed, [{ destinationUrl }]);
        if (item instanceof AppError) throw item;
      }
      const work = (tx: Database) => editNow(tx, caller, target, wanted, show);
      return dryRun ? await rolledBack(on, work) : await on.transaction(work);
    },

    async delete(
      on: Database,
      caller: Caller,
      { ids: wantedIds, expectedCount }: BulkTarget & { readonly ids: readonly (Uuid | null)[] },
      dryRun: boolean,
    ): Promise<readonly DeleteOutcome[]> {
      const work = async (tx: Database) => {
        await lockCounts(tx, caller);
        const known = wantedIds.filter(id => id !== null);
        const existing = await findExisting(tx, caller, known);
        refuseOtherCount(expectedCount, existing.size);
        const keys = await deleteWanted(tx, caller, [...existing], clock.now());
        if (keys.length > 0) await tx.afterCommit(() => links.invalidate(keys));
        return wantedIds.map(id => (id !== null && existing.delete(id) ? { id } : { error: unknownCode() }));
      };
      return dryRun ? await rolledBack(on, work) : await on.transaction(work);
    },
  };
}

type Show<Shown> = (outcome: EditOutcome, index: number) => Shown;

type Decided =
  | { readonly before: QrCode; readonly after: QrCode }
  | { readonly id: Uuid | null; readonly error: AppError };

/** Each code once, in the order in which they were asked for. */
async function findIds(tx: Database, caller: Caller, target: BulkTarget): Promise<readonly (Uuid | null)[]> {
  if ('ids' in target) return target.ids;
  const found = await findMatching(tx, caller, target.filter, maxBulkCodes);
  if (found.length > maxBulkCodes)
    throw new AppError(
      'too_many_codes',
      `More than ${maxBulkCodes} codes match. Narrow the filter, or name the codes by their ids.`,
      { param: 'filter' },
    );
  return found;
}

function refuseOtherCount(expected: number | undefined, found: number): void {
  if (expected === undefined || expected === found) return;
  throw new AppError(
    'count_changed',
    `You expected ${expected} codes, and ${found} match. Nothing was changed. Look at the codes again, then repeat the request with the new number.`,
    { param: 'expected_count' },
  );
}

/** The blocked hosts that codes would lead to after the change. */
async function findNewlyBlocked(
  tx: Database,
  codes: readonly QrCode[],
  { destinationUrl, active }: BulkChange,
  replaced: ReadonlyMap<Uuid, string | AppError>,
): Promise<readonly string[]> {
  const moved = [...replaced.values()].flatMap(url =>
    typeof url === 'string' ? [{ destinationUrl: url }] : [],
  );
  const leading = destinationUrl !== undefined ? [{ destinationUrl }] : active ? [...codes, ...moved] : moved;
  const hosts = new Set(leading.flatMap(listAllHosts));
  const blocked = hosts.size === 0 ? [] : await findBlocked(tx, [...hosts]);
  const refusal = destinationUrl === undefined ? null : blockedRefusal({ destinationUrl }, blocked);
  if (refusal) throw refusal;
  return blocked;
}

function decide(code: QrCode, wanted: BulkChange, blocked: readonly string[], now: Date): QrCode {
  const { tagsAdd, tagsRemove, destinationReplace: _, ...rest } = wanted;
  const changed = change(code, { ...rest, tags: changeTags(code, wanted) }, now);
  const refusal = blockedRefusal(changed, blocked);
  if (refusal) throw refusal;
  return changed;
}

function changeTags({ tags }: QrCode, { tagsAdd, tagsRemove }: BulkChange): readonly string[] | undefined {
  if (tagsAdd.length === 0 && tagsRemove.length === 0) return undefined;
  const removed = new Set(tagsRemove.map(foldTag));
  const kept = distinctTags([...tags.filter(tag => !removed.has(foldTag(tag))), ...tagsAdd]);
  if (kept.length > maxTagsOfCode)
    throw new AppError(
      'invalid_request',
      `A code has at most ${maxTagsOfCode} tags, and this one would have ${kept.length}.`,
      { param: 'set.tags_add' },
    );
  return kept;
}

function refusalOr<Result>(work: () => Result): Result | AppError {
  try {
    return work();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

const leadsElsewhere = (before: QrCode, after: QrCode) =>
  before.destinationUrl !== after.destinationUrl || before.status !== after.status;
