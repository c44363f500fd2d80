import type { Uuid } from '../../kernel/ids.ts';
import { type Page, toOffset } from '../../kernel/page.ts';
import { type Database, sql, unprepared } from '../../platform/postgres/postgres.ts';
import { columns } from '../code-columns.ts';
import { findCounts } from '../code-counts.ts';
import type { QrCode } from '../qr-code.ts';
import { type CodeRow, toQrCode } from '../store.ts';
import { type CodeFilter, isFiltered, type ListOwner, type Sort } from './filter.ts';
import { type Found, searchCodes } from './search.ts';
import { type Resolved, resolveFilter, type Selection, type Slice, selectMatches } from './selection.ts';
import { pageByNumber } from './whole-list.ts';

/** A page of codes. With `capped`, more codes match than are counted. */
export type CodePage = {
  readonly items: readonly QrCode[];
  readonly page: Page;
  readonly total: number;
  readonly capped: boolean;
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
  if (!isFiltered(filter) && sort.by === 'created') {
    const { direction } = sort;
    return { ...(await pageByNumber(db, owner, page, filter.status ?? null, direction)), capped: false };
  }
  const resolved = await resolveFilter(db, owner, filter);
  if (!resolved) return { items: [], page, total: 0, capped: false };
  const most = sort.by === 'created' || filter.search !== undefined ? maxMatches : maxSorted;
  const slice: Slice = { direction: sort.by === 'created' ? sort.direction : 'desc', limit: most + 1 };
  const matches = await findMatches(db, resolved, slice);
  const cut = { offset: toOffset(page), limit: Math.max(0, Math.min(page.limit, most - toOffset(page))) };
  const { text, values } = selectPage(matches, sort, most, cut);
  const rows = await db.query<CodeRow & { total: number }>(unprepared(text), values);
  const items = rows.filter(row => row.id !== null).map(toQrCode);
  const counted = rows[0]?.total ?? 0;
  const total = isFiltered(filter) ? Math.min(counted, most) : await countAll(db, owner, filter);
  return { items, page, total, capped: counted > most };
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
  if (!resolved) return { items: [], page, total: 0, capped: false };
  const isDown = (direction === 'desc') === (side === 'after');
  const bound = isDown ? { below: number } : { above: number };
  const slice: Slice = { direction: isDown ? 'desc' : 'asc', ...bound, limit };
  const items = await readSlice(db, resolved, slice);
  const counted = isFiltered(filter) ? await countMatches(db, resolved) : await countAll(db, owner, filter);
  return {
    items: side === 'after' ? items : items.toReversed(),
    page,
    total: isFiltered(filter) ? Math.min(counted, maxMatches) : counted,
    capped: isFiltered(filter) && counted > maxMatches,
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

async function countAll(db: Database, owner: ListOwner, { status }: CodeFilter): Promise<number> {
  const counts = await findCounts(db, owner);
  return status ? counts[status] : counts.active + counts.paused + counts.draft;
}

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
  if (filter.search === undefined) return selectMatches(filter, slice);
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
