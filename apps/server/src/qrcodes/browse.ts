import type { Uuid } from '../kernel/ids.ts';
import { offsetOf, type Page, type Paged } from '../kernel/page.ts';
import { type Database, sql } from '../platform/postgres.ts';
import type { Owner, QrCode, Status } from './qr-code.ts';
import { type CodeRow, toQrCode } from './store.ts';

/** How the dashboard lists codes. */
export type Browsing = {
  readonly status: Status | null;
  readonly search: string | null;
  readonly sort: 'created' | 'name' | 'scans';
};

/** Limits of what people are shown, however many codes an account has. */
const [maxMatches, maxSorted] = [1_000, 10_000];
/** Every search scans this many of the newest codes first: a common word has enough matches there. */
const scannedFirst = 20_000;

/** The newest codes that match, up to the limit, in the requested order. */
export async function browseCodes(
  db: Database,
  owner: Owner,
  page: Page,
  { status, search, sort }: Browsing,
): Promise<Paged<QrCode>> {
  const rows = await (search === null ? sorted() : matching(search));
  const total = rows[0]?.total ?? (page.page === 1 ? 0 : await countMatches());
  return { items: rows.map(toQrCode), page, total };

  function sorted(): Promise<Row[]> {
    const values = [owner.accountId, owner.mode, status, maxSorted, offsetOf(page), page.limit];
    return db.query<Row>(statements.newest[sort], values);
  }

  /** A text that is rare among the newest codes is rare everywhere: then the index is fast. A common one makes it slow. */
  async function matching(text: string): Promise<Row[]> {
    const bounds = [maxMatches, offsetOf(page), page.limit, `%${escapeLike(text.toLowerCase())}%`];
    const values = [owner.accountId, owner.mode, status, ...bounds];
    const near = await db.query<Row>(statements.foundNear[sort], [...values, scannedFirst]);
    const [{ total: matches = 0, scanned = 0 } = {}] = near.length > 0 ? near : [await countNear(text)];
    const isAll = scanned < scannedFirst || matches >= maxMatches || !isIndexed(text);
    return isAll ? near : await db.query<Row>(statements.foundByIndex[sort], values);
  }

  async function countNear(text: string): Promise<{ total: number; scanned: number }> {
    const pattern = `%${escapeLike(text.toLowerCase())}%`;
    const [row] = await db.query<{ total: number; scanned: number }>(countsNear, [
      owner.accountId,
      owner.mode,
      status,
      maxMatches,
      pattern,
      scannedFirst,
    ]);
    return row ?? { total: 0, scanned: 0 };
  }

  /** A page past the last has no row to carry the total. */
  async function countMatches(): Promise<number> {
    return (await browseCodes(db, owner, { page: 1, limit: 1 }, { status, search, sort })).total;
  }
}

/** Read only for the codes of the page. Of several suspensions of a code the oldest is shown, as for a single code. */
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

/** The index holds every three letters or digits in a row; it cannot help with less. */
const isIndexed = (text: string) => /[\p{L}\p{N}]{3}/u.test(text);

type Row = CodeRow & { readonly total: number; readonly scanned: number };

const orders = {
  created: 'number desc',
  name: 'lower(name), number desc',
  scans: 'total_scans desc, number desc',
} as const;

const ofOwner = `account_id = $1 and mode = $2 and status <> 'deleted' and ($3::text is null or status::text = $3)`;
const matches = `lower(name || ' ' || short_code || ' ' || left(destination_url, 200)) like $7`;

/** `found` are at most $4 codes; they are sorted, and the page is cut from them. */
const browse = (ctes: string, scanned: string, order: string) => `with ${ctes}, counted as (
     select f.*, coalesce(s.total_scans, 0) as total_scans, coalesce(s.unique_scans, 0) as unique_scans
       from found f left join scan_counts s on s.qr_code_id = f.id
   )
   select c.*, (select count(*) from found) as total, ${scanned} as scanned
     from counted c order by ${order} offset $5 limit $6`;

const newest = `found as materialized (
     select * from qr_codes where ${ofOwner} order by number desc limit $4
   )`;

const near = `near as materialized (
     select * from qr_codes where ${ofOwner} order by number desc limit $8
   ), found as materialized (
     select * from near where ${matches} order by number desc limit $4
   )`;

// By number + 0: otherwise the planner would walk the codes by number instead of using the search index.
const byIndex = `found as materialized (
     select * from qr_codes where ${ofOwner} and ${matches} order by number + 0 desc limit $4
   )`;

const scannedCount = '(select count(*) from near)';

const statements = {
  newest: forEachOrder('browse', newest, '0'),
  foundNear: forEachOrder('search-near', near, scannedCount),
  foundByIndex: forEachOrder('search', byIndex, '0'),
};

const countsNear = sql(
  'count-search-near',
  `with ${near.replace('$7', '$5').replace('$8', '$6')} select (select count(*) from found) as total, ${scannedCount} as scanned`,
);

function forEachOrder(name: string, ctes: string, scanned: string) {
  const statement = (order: keyof typeof orders) =>
    sql(`${name}-codes-by-${order}`, browse(ctes, scanned, orders[order]));
  return { created: statement('created'), name: statement('name'), scans: statement('scans') };
}
