import { maxTags } from '@signpost/contract';
import { AppError } from '../../kernel/errors.ts';
import type { Ids, Uuid } from '../../kernel/ids.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import type { Owner } from '../qr-code.ts';
import { defaultColor, foldTag, sortTags } from './tag.ts';
import * as statements from './tag-statements.ts';

export type TaggedCode = { readonly id: Uuid; readonly number: number; readonly tags: readonly string[] };

/**
 * Gives codes exactly these tags, in the transaction that changes the codes and under the lock of the account's counts. Tags
 * that do not exist are created. Returns the names of each code's tags as the account spells them.
 */
export async function writeTags(
  tx: Database,
  owner: Owner,
  ids: Ids,
  codes: readonly (TaggedCode & { readonly before: readonly string[] })[],
): Promise<ReadonlyMap<Uuid, readonly string[]>> {
  const all = await requireTags(
    tx,
    owner,
    ids,
    codes.flatMap(({ tags }) => tags),
  );
  const old = await findByName(
    tx,
    owner,
    codes.flatMap(({ before }) => before),
  );
  const rows = codes.flatMap(({ id, number, tags, before }) => {
    const had = new Set(before.map(foldTag));
    return tags
      .filter(tag => !had.has(foldTag(tag)))
      .map(tag => ({ id, number, tag: all.get(foldTag(tag))!.id }));
  });
  const gone = codes.flatMap(({ id, tags, before }) => {
    const has = new Set(tags.map(foldTag));
    return before.filter(tag => !has.has(foldTag(tag))).map(tag => ({ id, tag: old.get(foldTag(tag))!.id }));
  });
  if (gone.length > 0)
    await tx.query(statements.removeFromCodes, [gone.map(({ id }) => id), gone.map(({ tag }) => tag)]);
  if (rows.length > 0)
    await tx.query(statements.addToCodes, [
      rows.map(({ id }) => id),
      rows.map(({ tag }) => tag),
      rows.map(({ number }) => number),
    ]);
  return new Map(codes.map(({ id, tags }) => [id, sortTags(tags.map(tag => all.get(foldTag(tag))!.name))]));
}

/** Takes all tags from codes, in the transaction that deletes them. */
export async function removeTags(tx: Database, qrCodeIds: readonly Uuid[]): Promise<void> {
  await tx.query(statements.removeAllFromCodes, [qrCodeIds]);
}

/** Deletes the tags of a closed account that has no codes any more. */
export async function deleteAccountTags(tx: Database, { accountId, mode }: Owner): Promise<void> {
  await tx.query(statements.deleteAccountTags, [accountId, mode]);
}

type TagRow = { readonly id: Uuid; readonly folded: string; readonly name: string };

async function findByName(
  tx: Database,
  { accountId, mode }: Owner,
  names: readonly string[],
): Promise<Map<string, TagRow>> {
  const folded = [...new Set(names.map(foldTag))];
  if (folded.length === 0) return new Map();
  const rows = await tx.query<TagRow>(statements.findTags, [accountId, mode, folded]);
  return new Map(rows.map(row => [row.folded, row]));
}

/** The tags with these names; those that are missing are created. */
async function requireTags(
  tx: Database,
  owner: Owner,
  ids: Ids,
  names: readonly string[],
): Promise<ReadonlyMap<string, TagRow>> {
  const found = await findByName(tx, owner, names);
  const missing = new Map<string, TagRow>();
  for (const name of names) {
    const folded = foldTag(name);
    if (!found.has(folded) && !missing.has(folded)) missing.set(folded, { id: ids.next(), folded, name });
  }
  if (missing.size === 0) return found;
  const { accountId, mode } = owner;
  const [counted] = await tx.query<{ count: number }>(statements.countTags, [accountId, mode]);
  const used = counted?.count ?? 0;
  if (used + missing.size > maxTags) throw tooManyTags(used);
  const added = [...missing.values()];
  await tx.query(statements.insertTags, [
    accountId,
    mode,
    added.map(({ id }) => id),
    added.map(({ folded }) => folded),
    added.map(({ name }) => name),
    defaultColor,
  ]);
  return new Map([...found, ...missing]);
}

const tooManyTags = (used: number) =>
  new AppError(
    'quota_exceeded',
    `An account has room for ${maxTags.toLocaleString('en-GB')} tags and ${used.toLocaleString('en-GB')} exist. Delete tags that you no longer need, then try again.`,
    { param: 'tags', limit: maxTags, used },
  );
