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

/** However many codes an account has, no question looks at more than these. */
const [mostMatches, mostSorted] = [1_000, 10_000];

/** The newest codes that match, up to the bound, in the order asked for. */
export async function browseCodes(
  db: Database,
  owner: Owner,
  page: Page,
  { status, search, sort }: Browsing,
): Promise<Paged<QrCode>> {
  const bound = search === null ? mostSorted : mostMatches;
  const values = [owner.accountId, owner.mode, status, bound, offsetOf(page), page.limit];
  const rows = await db.query<CodeRow & { total: number }>(
    statements[search === null ? 'all' : 'found'][sort],
    search === null ? values : [...values, `%${escapeLike(search.toLowerCase())}%`],
  );
  const total = rows[0]?.total ?? (page.page === 1 ? 0 : await countAgain());
  return { items: rows.map(toQrCode), page, total };

  /** A page past the last has no row that could say how many there are. */
  async function countAgain(): Promise<number> {
    return (await browseCodes(db, owner, { page: 1, limit: 1 }, { status, search, sort })).total;
  }
}

const escapeLike = (text: string) => text.replace(/[\\%_]/g, character => `\\${character}`);

const orders = {
  created: 'number desc',
  name: 'lower(name), number desc',
  scans: 'total_scans desc, number desc',
} as const;

const browse = (filter: string, order: string) => `with found as materialized (
     select * from qr_codes
      where account_id = $1 and mode = $2 and status <> 'deleted' and ($3::text is null or status::text = $3) ${filter}
      order by number desc limit $4
   ), counted as (
     select f.*, coalesce(s.total_scans, 0) as total_scans, coalesce(s.unique_scans, 0) as unique_scans
       from found f left join scan_counts s on s.qr_code_id = f.id
   )
   select c.*, (select count(*) from found) as total from counted c order by ${order} offset $5 limit $6`;

const search = `and lower(name || ' ' || short_code || ' ' || destination_url) like $7`;

const statements = {
  all: ofEach('browse', ''),
  found: ofEach('search', search),
};

function ofEach(name: string, filter: string) {
  const of = (order: keyof typeof orders) => sql(`${name}-codes-by-${order}`, browse(filter, orders[order]));
  return { created: of('created'), name: of('name'), scans: of('scans') };
}
