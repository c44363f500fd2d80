import { getKeySpace, toLinkKey } from '../../kernel/addresses/link-key.ts';
import type { Caller, Mode } from '../../kernel/caller.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import type { NewQrCode } from '../qr-code.ts';
import { bulkRefusal } from '../refusals.ts';
import { blockedRefusal, listAllHosts } from '../targets/blocked-host.ts';
import { findBlocked } from '../targets/blocked-hosts.ts';
import { externalIdTaken, findTaken, findTakenExternalIds } from './insertion.ts';
import { foldShortCode } from './short-code.ts';

/** The names that an item asks for, each of which one code only can have. */
const listShortCodes = ({ shortCode }: NewQrCode) =>
  shortCode === undefined ? [] : [foldShortCode(shortCode)];
export const listExternalIds = ({ externalId }: NewQrCode) => (externalId ? [externalId] : []);

/** The items with a name that an earlier item of the same call has too, each with its refusal. */
export const refuseDuplicates = (wanted: readonly NewQrCode[], mode: Mode): Map<NewQrCode, AppError> =>
  new Map([
    ...findDuplicates(wanted, listExternalIds).map(
      item => [item, externalIdTaken(item.externalId ?? '')] as const,
    ),
    ...findDuplicates(wanted, listShortCodes).map(item => [item, shortCodeTaken(item, mode)] as const),
  ]);

function findDuplicates(
  wanted: readonly NewQrCode[],
  listNames: (item: NewQrCode) => readonly string[],
): NewQrCode[] {
  const seen = new Set<string>();
  return wanted.filter(item => {
    const isTaken = listNames(item).some(name => seen.has(name));
    for (const name of listNames(item)) seen.add(name);
    return isTaken;
  });
}

export const shortCodeTaken = ({ shortCode }: NewQrCode, mode: Mode) =>
  new AppError(
    'short_code_taken',
    mode === 'test'
      ? `${shortCode} is in use by another of your test codes. Choose another ending, or delete that code first.`
      : `${shortCode} is already taken. Choose another ending. Endings of deleted codes are never given out again.`,
    { param: 'short_code' },
  );

/** With `atomic`: the refusal names every invalid item at once, including those that only the database can tell. */
export async function refuseAll(
  on: Database,
  caller: Caller,
  items: readonly (NewQrCode | AppError)[],
): Promise<AppError> {
  const valid = items.filter((item): item is NewQrCode => !(item instanceof AppError));
  const duplicates = refuseDuplicates(valid, caller.mode);
  const listKeys = ({ shortCode }: NewQrCode) =>
    shortCode === undefined ? [] : [toLinkKey({ keySpace: getKeySpace(caller), shortCode })];
  const takenKeys = await findTaken(on, valid.flatMap(listKeys));
  const takenIds = await findTakenExternalIds(on, caller, valid.flatMap(listExternalIds));
  const hosts = new Set(valid.flatMap(listAllHosts));
  const blockedHosts = await findBlocked(on, [...hosts]);
  return bulkRefusal(
    items.map(item => {
      if (item instanceof AppError) return item;
      const duplicate = duplicates.get(item);
      if (duplicate) return duplicate;
      if (listKeys(item).some(key => takenKeys.has(key))) return shortCodeTaken(item, caller.mode);
      if (listExternalIds(item).some(id => takenIds.has(id))) return externalIdTaken(item.externalId ?? '');
      return blockedRefusal(item, blockedHosts) ?? undefined;
    }),
  );
}
