import type { Uuid } from '../kernel/ids.ts';
import type { ClickHouse } from '../platform/clickhouse.ts';
import { type Database, sql } from '../platform/postgres.ts';

type Count = { readonly id: Uuid; readonly total: number; readonly uniques: number };

const atOnce = 10_000;
const timeoutMs = 3_600_000;

/**
 * Makes the counts what the rows say, and returns for how many codes they differed. They do where a code was deleted, and
 * its rows erased, between the dump and the copy of the rows; or where the log was lost before counted scans were stored.
 */
export async function reconcile(db: Database, clickhouse: ClickHouse): Promise<number> {
  const rows = await clickhouse.query<Count>(
    'select qr_code_id as id, count() as total, countIf(is_unique) as uniques from scans group by id',
    {},
    { timeoutMs },
  );
  const stored = new Map(rows.map(row => [row.id, row]));
  const counted = await db.query<Count>(allCounts);
  const wrong = counted.filter(count => {
    const row = stored.get(count.id);
    return count.total !== (row?.total ?? 0) || count.uniques !== (row?.uniques ?? 0);
  });
  const known = new Set(counted.map(count => count.id));
  const right = [
    ...wrong.map(({ id }) => stored.get(id) ?? { id, total: 0, uniques: 0 }),
    ...rows.filter(({ id }) => !known.has(id)),
  ];
  let changed = 0;
  for (let from = 0; from < right.length; from += atOnce) {
    const part = right.slice(from, from + atOnce);
    const set = await db.query(setCounts, [
      part.map(one => one.id),
      part.map(one => one.total),
      part.map(one => one.uniques),
    ]);
    changed += set.length;
  }
  return changed;
}

const allCounts = sql(
  'backup-counts',
  'select qr_code_id as id, total_scans as total, unique_scans as uniques from scan_counts',
);

/** A deleted code has rows only until its erasure, which is on its way, and needs no counts. */
const setCounts = sql(
  'backup-set-counts',
  `insert into scan_counts as counted (qr_code_id, total_scans, unique_scans)
   select c.id, s.total, s.uniques
     from unnest($1::uuid[], $2::bigint[], $3::bigint[]) as s (id, total, uniques)
     join qr_codes c on c.id = s.id and c.status <> 'deleted'
   on conflict (qr_code_id) do update
      set total_scans = excluded.total_scans, unique_scans = excluded.unique_scans
   returning qr_code_id`,
);
