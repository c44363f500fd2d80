import { ask } from '@signpost/testing/client.ts';
import { createClickHouse } from '../../../apps/server/src/platform/clickhouse/clickhouse.ts';
import { createPostgres, type Database, sql } from '../../../apps/server/src/platform/postgres/postgres.ts';

/** Scans and first scans by code and month. */
export type Figures = Readonly<Record<string, { readonly scans: number; readonly uniques: number }>>;

type Row = {
  readonly code: string;
  readonly month: string;
  readonly scans: number;
  readonly uniques: number;
};

const toFigures = (rows: readonly Row[]): Figures =>
  Object.fromEntries(
    rows.map(({ code, month, scans, uniques }) => [`${code} ${month}`, { scans, uniques }] as const).sort(),
  );

export const figuresOfPostgres = async (db: Database): Promise<Figures> =>
  toFigures(await db.query<Row>(sumRows));

const sumRows = sql(
  'test-grow-figures',
  `select qr_code_id as code, to_char(at at time zone 'UTC', 'YYYY-MM') as month, count(distinct id) as scans,
          count(*) filter (where is_unique) as uniques
     from scans group by 1, 2`,
);

/** With every scan twice that is stored twice, so that it differs from PostgreSQL. */
export async function figuresOfClickHouse(url: string): Promise<Figures> {
  const clickhouse = await createClickHouse(url);
  try {
    return toFigures(
      await clickhouse.query<Row>(
        `select qr_code_id as code, formatDateTime(at, '%Y-%m') as month, count() as scans, countIf(is_unique) as uniques
           from scans group by code, month`,
      ),
    );
  } finally {
    await clickhouse.close();
  }
}

/** The totals that codes show, which are counted apart from the rows. */
export async function totalsOfCodes(db: Database): Promise<Readonly<Record<string, number>>> {
  const rows = await db.query<{ code: string; scans: number }>(findTotals);
  return Object.fromEntries(rows.map(({ code, scans }) => [code, scans]));
}

const findTotals = sql(
  'test-grow-totals',
  'select qr_code_id as code, total_scans as scans from scan_counts order by 1',
);

export function sumByCode(figures: Figures): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const [name, { scans }] of Object.entries(figures)) {
    const code = name.split(' ')[0]!;
    sums[code] = (sums[code] ?? 0) + scans;
  }
  return sums;
}

export const openDatabase = (databaseUrl: string) =>
  createPostgres(
    { databaseUrl, databasePooler: 'none', databasePoolSize: 2, databaseTimeoutMs: 120_000 },
    () => undefined,
  );

/** What the API answers for the whole time of a code. */
export async function summaryOf(apiUrl: string, key: string, id: string): Promise<number> {
  const { body } = await ask({
    url: `${apiUrl}/v1/qrcodes/${id}/analytics?start_date=2026-08-01&end_date=2026-12-31`,
    key,
  });
  return Number(body.summary?.total_scans);
}
