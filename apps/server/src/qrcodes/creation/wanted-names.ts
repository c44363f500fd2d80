import type { Place } from '../../domains/placing.ts';
import { toLinkKey } from '../../kernel/addresses/link-key.ts';
import type { Caller, Mode } from '../../kernel/caller.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import type { NewQrCode } from '../qr-code.ts';
import { bulkRefusal } from '../refusals.ts';
import { findIdsByExternalIds } from '../store.ts';
import { blockedRefusal, listAllHosts } from '../targets/blocked-host.ts';
import { findBlocked } from '../targets/blocked-hosts.ts';
import { externalIdTaken, findTaken } from './insertion.ts';

/** A wanted code with the space in which its short code is unique. */
export type PlacedCode = NewQrCode & Place;

/** The names that an item asks for, each of which one code only can have. */
const listKeys = ({ keySpace, shortCode }: PlacedCode) =>
  shortCode === undefined ? [] : [toLinkKey({ keySpace, shortCode })];
export const listExternalIds = ({ externalId }: NewQrCode) => (externalId ? [externalId] : []);

/** The items with a name that an earlier item of the same call has too, each with its refusal. */
export const refuseDuplicates = (wanted: readonly PlacedCode[], mode: Mode): Map<PlacedCode, AppError> =>
  new Map([
    ...findDuplicates(wanted, listExternalIds).map(
      item => [item, externalIdTaken(item.externalId ?? '')] as const,
    ),
    ...findDuplicates(wanted, listKeys).map(item => [item, shortCodeTaken(item, mode)] as const),
  ]);

function findDuplicates(
  wanted: readonly PlacedCode[],
  listNames: (item: PlacedCode) => readonly string[],
): PlacedCode[] {
  const seen = new Set<string>();
  return wanted.filter(item => {
    const isTaken = listNames(item).some(name => seen.has(name));
    for (const name of listNames(item)) seen.add(name);
    return isTaken;
  });
}

const shortCodeTaken = ({ shortCode }: NewQrCode, mode: Mode) =>
  new AppError(
    'short_code_taken',
    mode === 'test'
      ? `${shortCode} is in use by another of your test codes. Choose another ending, or delete that code first.`
      : `${shortCode} is already taken. Choose another ending.`,
    { param: 'short_code' },
  );

const shortCodeReclaimable = ({ shortCode }: NewQrCode) =>
  new AppError(
    'short_code_taken',
    `${shortCode} belonged to a code that you deleted. Send reclaim: true to use it again, or choose another ending.`,
    { param: 'short_code', reclaimable: true },
  );

/** Why an item cannot have its short code; null if it can. */
export function refuseTaken(item: PlacedCode, caller: Caller, taken: ReadonlyMap<string, boolean>) {
  const [key] = listKeys(item);
  if (key === undefined) return null;
  const isReclaimable = taken.get(key);
  if (isReclaimable === undefined) return null;
  if (!isReclaimable) return shortCodeTaken(item, caller.mode);
  return item.reclaim ? null : shortCodeReclaimable(item);
}

/** With `atomic`: the refusal names every invalid item at once, including those that only the database can tell. */
export async function refuseAll(
  on: Database,
  caller: Caller,
  items: readonly (PlacedCode | AppError)[],
): Promise<AppError> {
  const valid = items.filter((item): item is PlacedCode => !(item instanceof AppError));
  const duplicates = refuseDuplicates(valid, caller.mode);
  const takenKeys = await findTaken(on, caller, valid.flatMap(listKeys));
  const takenIds = await findIdsByExternalIds(on, caller, valid.flatMap(listExternalIds));
  const hosts = new Set(valid.flatMap(listAllHosts));
  const blockedHosts = await findBlocked(on, [...hosts]);
  return bulkRefusal(
    items.map(item => {
      if (item instanceof AppError) return item;
      const duplicate = duplicates.get(item);
      if (duplicate) return duplicate;
      const taken = refuseTaken(item, caller, takenKeys);
      if (taken) return taken;
      if (listExternalIds(item).some(id => takenIds.has(id))) return externalIdTaken(item.externalId ?? '');
      return blockedRefusal(item, blockedHosts) ?? undefined;
    }),
  );
}
