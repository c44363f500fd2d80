import { type Database, sql, unprepared } from '../../../apps/server/src/platform/postgres/postgres.ts';
import { createScanPartitions } from '../../../apps/server/src/scans/stores/postgres/partitions.ts';
import type { Code } from './scan-ledger.ts';

const monthStarts = [Date.UTC(2026, 7, 2), Date.UTC(2026, 8, 2), Date.UTC(2026, 9, 2)];

/** Stores scans of each code in PostgreSQL without ingest, in three months and in two logs of two shards, and counts them. */
export async function addMonthsOfScans(
  db: Database,
  codes: readonly Code[],
  scansPerCode: number,
): Promise<void> {
  await createScanPartitions(db).prepare(monthStarts);
  const values = [codes.map(({ id }) => id), codes.map(({ accountId }) => accountId), scansPerCode];
  await db.query(addScans, values);
  await db.query(countScans, values.slice(0, 1));
  // As autovacuum does soon after so many rows.
  await db.query(unprepared('analyze scans'));
}

const addScans = sql(
  'test-add-months-of-scans',
  `insert into scans (account_id, mode, qr_code_id, at, id, country, region, city, device, browser, language, visitor,
                      visitor_number, time_window, is_unique, rule_id, target_id, placement, shard, log_number, position, place)
   select account, 'live', code, start + n % 2400000 * interval '1 second', gen_random_uuid(),
          'DE', '', 'Köln', 'ios', 'safari', 'de', md5(code::text || n % 1000)::uuid, 10000000 + 1000 * at + n % 1000,
          to_char(start at time zone 'UTC', 'YYYY-MM'), n < 3000, zero, zero, '',
          40 + n / 3 % 2, n * 2 / $3, 1 + n / 10, n % 10 + 10 * at
     from unnest($1::uuid[], $2::uuid[]) with ordinality as codes (code, account, at),
          generate_series(0, $3::int - 1) n,
          lateral (select timestamptz '2026-08-02 00:00Z' + (n % 3) * interval '31 days' as start,
                          '00000000-0000-0000-0000-000000000000'::uuid as zero) always`,
);

const countScans = sql(
  'test-count-months-of-scans',
  `insert into scan_counts select qr_code_id, count(*), count(*) filter (where is_unique) from scans
    where qr_code_id = any($1::uuid[]) group by 1`,
);
