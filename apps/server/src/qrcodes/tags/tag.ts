import type { tagColors } from '@signpost/contract';
import { AppError } from '../../kernel/errors.ts';

/** A label of codes, the account's own in each mode. */
export type Tag = { readonly name: string; readonly color: TagColor; readonly codes: number };

export type TagColor = (typeof tagColors)[number];

export const defaultColor: TagColor = 'gray';

/** What a name is compared by: tags that differ only in case are the same tag. */
export const foldTag = (name: string): string => name.trim().normalize('NFC').toLowerCase();

/** Names without white space around them, and each tag once, in its first spelling. */
export function distinctTags(names: readonly string[]): readonly string[] {
  const byFolded = new Map<string, string>();
  for (const name of names) if (!byFolded.has(foldTag(name))) byFolded.set(foldTag(name), checked(name));
  return [...byFolded.values()];
}

/** A browser would take such a name for a step in the path of its URL, so nobody could rename or delete the tag. */
function checked(name: string): string {
  const trimmed = name.trim();
  if (/^\.{1,2}$/.test(trimmed))
    throw new AppError('invalid_request', 'A tag needs something besides dots.', { param: 'tags' });
  return trimmed;
}

export const sameTags = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length &&
  new Set([...one, ...other].map(foldTag)).size === new Set(one.map(foldTag)).size;

/** The names in the order in which responses show them. */
export const sortTags = (names: readonly string[]): readonly string[] =>
  names.toSorted((a, b) => Buffer.compare(Buffer.from(foldTag(a)), Buffer.from(foldTag(b))));
