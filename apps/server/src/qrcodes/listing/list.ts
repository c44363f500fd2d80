import { AppError } from '../../kernel/errors.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { type Page, toOffset } from '../../kernel/page.ts';
import { type Database, sql, unprepared } from '../../platform/postgres/postgres.ts';
import { columns } from '../code-columns.ts';
import { countList } from '../code-counts.ts';
import type { QrCode } from '../qr-code.ts';
import { type CodeRow, toQrCode } from '../store.ts';
import { type CodeFilter, findWholeList, type ListOwner, type Sort } from './filter.ts';
import { type Found, isSearch, searchCodes } from './search.ts';
import { type Resolved, resolveFilter, type Selection, type Slice, selectMatches } from './selection.ts';
import { pageByNumber } from './whole-list.ts';

/** A page of codes. With `capped`, more codes match than are counted. */
export type CodePage = {
  readonly items: readonly QrCode[];
  readonly page: Page;
  readonly total: number;
  readonly capped: boolean;
  /** Whether more codes follow: with a cursor, in its direction. */
  readonly hasMore: boolean;
};

/** Codes that follow the one with this number in the list, or those just before it. */
export type Cursor = { readonly number: number; readonly side: 'after' | 'before' };

/** How many matches are counted and can be reached by page, and how many are sorted by name or scans. */
const [maxMatches, maxSorted] = [1_000, 10_000];

export async function listCodes(
  db: Database,
  owner: ListOwner,
  filter: CodeFilter,
  sort: Sort,
  page: Page,
): Promise<CodePage> {
  const whole = findWholeList(filter);
  if (whole && sort.by === 'created') {
    const found = await pageByNumber(db, owner, page, whole, sort.direction);
    return { ...found, capped: false, hasMore: toOffset(page) + page.limit < found.total };
  }
  const resolved = await resolveFilter(db, owner, filter);
  if (!resolved) return { items: [], page, total: 0, capped: false, hasMore: false };
  const most = sort.by === 'created' || isSearch(filter) ? maxMatches : maxSorted;
  const slice: Slice = { direction: sort.by === 'created' ? sort.direction : 'desc', limit: most + 1 };
  const matches = await findMatches(db, resolved, slice);
  const cut = { offset: toOffset(page), limit: Math.max(0, Math.min(page.limit, most - toOffset(page))) };
  const { text, values } = selectPage(matches, sort, most, cut);
  const rows = await db.query<CodeRow & { total: number }>(unprepared(text), values);
  const items = rows.filter(row => row.id !== null).map(toQrCode);
  const counted = rows[0]?.total ?? 0;
  const capped = counted > most;
  if (capped && toOffset(page) >= most) throw pageBeyond(most, sort);
  const total = Math.min(counted, most);
  return { items, page, total, capped, hasMore: capped || toOffset(page) + page.limit < total };
}

function pageBeyond(most: number, { by }: Sort): AppError {
  const reach = `More than ${most.toLocaleString('en-GB')} codes match, and pages reach no further`;
  const advice =
    by === 'created'
      ? 'Send the id of the last code that you have as starting_after, without page.'
      : `Narrow the filter, or sort by created: then starting_after reaches every code.`;
  return new AppError('too_many_codes', `${reach}. ${advice}`, { param: 'page' });
}

/** The codes beside a cursor, in the order of the list. */
export async function listBeside(
  db: Database,
  owner: ListOwner,
  filter: CodeFilter,
  { direction }: Sort,
  { number, side }: Cursor,
  limit: number,
): Promise<CodePage> {
  const page = { page: 1, limit };
  const resolved = await resolveFilter(db, owner, filter);
  if (!resolved) return { items: [], page, total: 0, capped: false, hasMore: false };
  const isDown = (direction === 'desc') === (side === 'after');
  const bound = isDown ? { below: number } : { above: number };
  const slice: Slice = { direction: isDown ? 'desc' : 'asc', ...bound, limit: limit + 1 };
  const read = await readSlice(db, resolved, slice);
  const items = read.slice(0, limit);
  const whole = findWholeList(filter);
  const counted = whole ? await countList(db, owner, whole) : await countMatches(db, resolved);
  return {
    items: side === 'after' ? items : items.toReversed(),
    page,
    total: whole ? counted : Math.min(counted, maxMatches),
    capped: !whole && counted > maxMatches,
    hasMore: read.length > limit,
  };
}

/** All codes that match, the newest first, some at a time. What is created meanwhile is not among them. */
export async function* walkCodes(
  db: Database,
  owner: ListOwner,
  filter: CodeFilter,
  limit: number,
): AsyncGenerator<readonly QrCode[]> {
  const resolved = await resolveFilter(db, owner, filter);
  let below: number | undefined;
  while (resolved) {
    const items = await readSlice(db, resolved, { direction: 'desc', below, limit });
    if (items.length > 0) yield items;
    if (items.length < limit) return;
    below = items.at(-1)!.number;
  }
}

async function readSlice(db: Database, filter: Resolved, slice: Slice): Promise<readonly QrCode[]> {
  const { direction, limit } = slice;
  const matches = await findMatches(db, filter, slice);
  const { text, values } = selectPage(matches, { by: 'created', direction }, limit, { offset: 0, limit });
  const rows = await db.query<CodeRow>(unprepared(text), values);
  return rows.filter(row => row.id !== null).map(toQrCode);
}

/** The ids of codes that match, the newest first, up to one more than the limit. */
export async function findMatching(
  db: Database,
  owner: ListOwner,
  filter: CodeFilter,
  limit: number,
): Promise<readonly Uuid[]> {
  const resolved = await resolveFilter(db, owner, filter);
  if (!resolved) return [];
  const { text, values } = await findMatches(db, resolved, { direction: 'desc', limit: limit + 1 });
  return (await db.query<Found>(unprepared(text), values)).map(({ id }) => id);
}

/** The number of a code that the owner has or had. */
export async function findNumber(db: Database, owner: ListOwner, id: Uuid): Promise<number | null> {
  const [row] = await db.query<{ number: number }>(numberOf, [id, owner.accountId, owner.mode]);
  return row?.number ?? null;
}

const numberOf = sql(
  'number-of-code',
  'select number from qr_codes where id = $1 and account_id = $2 and mode = $3',
);

async function countMatches(db: Database, filter: Resolved): Promise<number> {
  const { text, values } = await findMatches(db, filter, { direction: 'desc', limit: maxMatches + 1 });
  const [row] = await db.query<{ count: number }>(
    unprepared(`select count(*) as count from (${text}) as found`),
    values,
  );
  return row?.count ?? 0;
}

/** What a search finds is selected by its ids; anything else by its conditions, within the statement that reads the page. */
async function findMatches(db: Database, filter: Resolved, slice: Slice): Promise<Selection> {
  if (!isSearch(filter)) return selectMatches(filter, slice);
  const found = await searchCodes(db, filter, slice);
  return {
    text: 'select * from unnest($1::uuid[], $2::bigint[]) as found (id, number)',
    values: [found.map(({ id }) => id), found.map(({ number }) => number)],
  };
}

/** A page of the matches, and in every row how many there are. Where the page is empty, one row without a code. */
function selectPage(
  { text, values }: Selection,
  { by, direction }: Sort,
  most: number,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Selection {
  const next = values.length + 1;
  // Lateral and with a limit, so that each code is looked up: the planner would rather read those of all accounts.
  const [order, sorted] = {
    created: [`number ${direction}`, 'select id, number from found'],
    name: [
      `name ${direction}, number desc`,
      `select f.id, f.number, c.name from newest f
        cross join lateral (select lower(name) as name from qr_codes where id = f.id limit 1) c`,
    ],
    scans: [
      `scans ${direction}, number desc`,
      `select f.id, f.number, coalesce(s.total_scans, 0) as scans
         from newest f
         left join lateral (select total_scans from scan_counts where qr_code_id = f.id limit 1) s on true`,
    ],
  }[by] as [string, string];
  return {
    text: `with found as materialized (${text}), newest as (
       select id, number from found order by number desc limit $${next}
     ), page as (
       select cut.*, row_number() over (order by ${order}) as place from (
         select * from (${sorted}) sorted order by ${order} offset $${next + 1} limit $${next + 2}) cut
     )
     select counted.total, shown.* from (select count(*) as total from found) counted left join (
       select page.place, ${columns} from page join qr_codes c on c.id = page.id
         left join scan_counts s on s.qr_code_id = c.id) shown on true
      order by shown.place`,
    values: [...values, most, offset, limit],
  };
}
