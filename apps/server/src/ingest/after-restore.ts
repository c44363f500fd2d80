import type { Uuid } from '../kernel/ids.ts';
import { type Database, sql } from '../platform/postgres/postgres.ts';

/** Opens shards to any process after a restore. The rows of groups are in the backup: it has all that was counted. */
export async function releaseShards(db: Database): Promise<void> {
  await db.query(forgetGroups);
  await db.query(forgetOwners);
}

export type ScanCount = { readonly id: Uuid; readonly total: number; readonly uniques: number };

/** Sets counts of codes. Resolves to how many were set: deleted codes need none. */
export async function setScanCounts(db: Database, counts: readonly ScanCount[]): Promise<number> {
  const set = await db.query(setCounts, [
    counts.map(count => count.id),
    counts.map(count => count.total),
    counts.map(count => count.uniques),
  ]);
  return set.length;
}

const forgetGroups = sql('restore-forget-groups', 'delete from ingest_groups');
const forgetOwners = sql('restore-forget-owners', 'update ingest_positions set owner = null');

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
