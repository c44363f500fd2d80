import type { Uuid } from '../kernel/ids.ts';
import { offsetOf, type Page, type Paged } from '../kernel/page.ts';
import { type Database, sql } from '../platform/postgres.ts';
import type { QrCode, Status } from './qr-code.ts';
import { type CodeRow, type Owner, toQrCode } from './store.ts';

/** How a person looks through codes. */
export type Browsing = {
  readonly status: Status | null;
  readonly search: string | null;
  readonly sort: 'created' | 'name' | 'scans';
};

/** However many codes an account has, people are shown so many of them. */
const [mostMatches, mostSorted] = [1_000, 10_000];
/** The newest codes, through which every search goes first: a common word has found enough there. */
const lookedThrough = 20_000;

/** The newest codes that match, up to the bound, in the order asked for. */
export async function browseCodes(
  db: Database,
  owner: Owner,
  page: Page,
  { status, search, sort }: Browsing,
): Promise<Paged<QrCode>> {
  const rows = await (search === null ? sorted() : found(search));
  const total = rows[0]?.total ?? (page.page === 1 ? 0 : await countAgain());
  return { items: rows.map(toQrCode), page, total };

  function sorted(): Promise<Row[]> {
    const values = [owner.accountId, owner.mode, status, mostSorted, offsetOf(page), page.limit];
    return db.query<Row>(statements.newest[sort], values);
  }

  /** A word that is rare among the newest codes is rare: then the index is quick. A common one makes it slow. */
  async function found(words: string): Promise<Row[]> {
    const bounds = [mostMatches, offsetOf(page), page.limit, `%${escapeLike(words.toLowerCase())}%`];
    const values = [owner.accountId, owner.mode, status, ...bounds];
    const near = await db.query<Row>(statements.foundNear[sort], [...values, lookedThrough]);
    const [{ total: matches = 0, looked = 0 } = {}] = near.length > 0 ? near : [await countNear(words)];
    const isAll = looked < lookedThrough || matches >= mostMatches || !isIndexed(words);
    return isAll ? near : await db.query<Row>(statements.foundByIndex[sort], values);
  }

  async function countNear(words: string): Promise<{ total: number; looked: number }> {
    const pattern = `%${escapeLike(words.toLowerCase())}%`;
    const [row] = await db.query<{ total: number; looked: number }>(countsNear, [
      owner.accountId,
      owner.mode,
      status,
      mostMatches,
      pattern,
      lookedThrough,
    ]);
    return row ?? { total: 0, looked: 0 };
  }

  /** A page past the last has no row that could say how many there are. */
  async function countAgain(): Promise<number> {
    return (await browseCodes(db, owner, { page: 1, limit: 1 }, { status, search, sort })).total;
  }
}

/** Looked up for what is shown alone. Of several suspensions of a code the oldest is shown, as where it is read whole. */
export async function withSuspensions(db: Database, found: Paged<QrCode>): Promise<Paged<QrCode>> {
  if (found.items.length === 0) return found;
  const rows = await db.query<{ id: Uuid; reason: string; since: Date }>(suspensionsOf, [
    found.items.map(({ id }) => id),
  ]);
  const suspensions = new Map(rows.map(({ id, reason, since }) => [id, { reason, since }]));
  return {
    ...found,
    items: found.items.map(code => ({ ...code, suspension: suspensions.get(code.id) ?? null })),
  };
}

const suspensionsOf = sql(
  'suspensions-of-shown-codes',
  `select distinct on (qr_code_id) qr_code_id as id, reason, suspended_at as since from suspensions
    where qr_code_id = any($1::uuid[]) and released_at is null order by qr_code_id, suspended_at, id`,
);

const escapeLike = (text: string) => text.replace(/[\\%_]/g, character => `\\${character}`);

/** The index knows every three letters or digits in a row; for less it cannot help. */
const isIndexed = (words: string) => /[\p{L}\p{N}]{3}/u.test(words);

type Row = CodeRow & { readonly total: number; readonly looked: number };

const orders = {
  created: 'number desc',
  name: 'lower(name), number desc',
  scans: 'total_scans desc, number desc',
} as const;

const ofOwner = `account_id = $1 and mode = $2 and status <> 'deleted' and ($3::text is null or status::text = $3)`;
const matches = `lower(name || ' ' || short_code || ' ' || left(destination_url, 200)) like $7`;

/** `found` are at most $4 codes; the page is cut from them after they are put in order. */
const browse = (ctes: string, looked: string, order: string) => `with ${ctes}, counted as (
     select f.*, coalesce(s.total_scans, 0) as total_scans, coalesce(s.unique_scans, 0) as unique_scans
       from found f left join scan_counts s on s.qr_code_id = f.id
   )
   select c.*, (select count(*) from found) as total, ${looked} as looked
     from counted c order by ${order} offset $5 limit $6`;

const newest = `found as materialized (
     select * from qr_codes where ${ofOwner} order by number desc limit $4
   )`;

const near = `near as materialized (
     select * from qr_codes where ${ofOwner} order by number desc limit $8
   ), found as materialized (
     select * from near where ${matches} order by number desc limit $4
   )`;

// By number + 0, so that the codes are not stepped through in order of their number but found by the index.
const byIndex = `found as materialized (
     select * from qr_codes where ${ofOwner} and ${matches} order by number + 0 desc limit $4
   )`;

const howMany = '(select count(*) from near)';

const statements = {
  newest: ofEach('browse', newest, '0'),
  foundNear: ofEach('search-near', near, howMany),
  foundByIndex: ofEach('search', byIndex, '0'),
};

const countsNear = sql(
  'count-search-near',
  `with ${near.replace('$7', '$5').replace('$8', '$6')} select (select count(*) from found) as total, ${howMany} as looked`,
);

function ofEach(name: string, ctes: string, looked: string) {
  const of = (order: keyof typeof orders) =>
    sql(`${name}-codes-by-${order}`, browse(ctes, looked, orders[order]));
  return { created: of('created'), name: of('name'), scans: of('scans') };
}
