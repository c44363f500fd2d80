import type { Uuid } from '../../kernel/ids.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import type { CodeFilter } from './filter.ts';
import {
  type Resolved,
  runSelection,
  type Slice,
  selectByIndex,
  selectByTags,
  selectNear,
} from './selection.ts';

/** Every search scans this many of the newest codes first: a common word has enough matches there. */
const scannedFirst = 20_000;
/** Of the tags that contain the text, those with the most codes. */
const maxTags = 50;

export type Found = { readonly id: Uuid; readonly number: number };

/** Whether a filter has what codes are searched for. */
export const isSearch = ({ search, metadata = [] }: Pick<CodeFilter, 'search' | 'metadata'>): boolean =>
  search !== undefined || metadata.length > 0;

/**
 * The codes of a slice that contain a text or metadata. What is rare among the newest codes is rare everywhere: then the index
 * is fast. What is common makes it slow.
 */
export async function searchCodes(db: Database, filter: Resolved, slice: Slice): Promise<readonly Found[]> {
  const { search, metadata = [] } = filter;
  const pattern = search === undefined ? null : `%${escapeLike(search.toLowerCase())}%`;
  const { accountId, mode } = filter.owner;
  const tags = pattern ? await db.query<{ id: Uuid }>(matchingTags, [accountId, mode, pattern, maxTags]) : [];
  const tagIds = tags.map(({ id }) => id);
  const tagged = tagIds.length > 0 ? await runSelection(db, selectByTags(filter, tagIds, slice)) : [];
  const near = await runSelection(db, selectNear(filter, pattern, slice, scannedFirst));
  const scanned = near[0]?.scanned ?? scannedFirst;
  const hasIndex = metadata.length > 0 || isIndexed(search ?? '');
  const isAll = scanned < scannedFirst || near.length >= slice.limit || !hasIndex;
  const byText = isAll ? near : await runSelection(db, selectByIndex(filter, pattern, slice));
  const byNumber = new Map([...byText, ...tagged].map(({ id, number }) => [number, { id, number }]));
  const sign = slice.direction === 'asc' ? 1 : -1;
  return [...byNumber.values()].sort((a, b) => sign * (a.number - b.number)).slice(0, slice.limit);
}

const escapeLike = (text: string) => text.replace(/[\\%_]/g, character => `\\${character}`);

/** The index holds every three letters or digits in a row; it cannot help with less. */
const isIndexed = (text: string) => /[\p{L}\p{N}]{3}/u.test(text);

const matchingTags = sql(
  'matching-tags',
  `select id from tags where account_id = $1 and mode = $2 and folded like $3 and codes > 0
    order by codes desc, folded limit $4`,
);
