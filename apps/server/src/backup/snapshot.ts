import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { keepMonths } from '../scans/retention/retention.ts';
import type { ShardPosition, Totals } from './backup.ts';

/** A snapshot of PostgreSQL, held open so that a dump and other queries see the same state. */
export type Snapshot = {
  readonly name: string;
  readonly takenAt: string;
  readonly logs: readonly ShardPosition[];
  readonly totals: Totals;
  /** Resolves when ClickHouse has everything that was counted in the snapshot. */
  stored(): Promise<void>;
  close(): Promise<void>;
};

const storeTimeoutMs = 60_000;

type Group = { readonly name: string };

const openGroups = `select shard || '.' || log || '.' || to_position as name from ingest_groups`;

export async function takeSnapshot(databaseUrl: string): Promise<Snapshot> {
  const holder = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  const watcher = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  await Promise.all([holder.connect(), watcher.connect()]);
  const query = async <Row extends object>(client: pg.Client, text: string) =>
    (await client.query<Row>(text)).rows;
  await holder.query('begin isolation level repeatable read, read only');
  await query(holder, keepMonths);
  const [moment] = await query<{ name: string; at: Date }>(
    holder,
    'select pg_export_snapshot() as name, now() as at',
  );
  const logs = await query<ShardPosition>(
    holder,
    'select shard, log, position from ingest_positions order by shard',
  );
  const open = await query<Group>(holder, openGroups);
  const [totals] = await query<Totals>(
    holder,
    `select (select count(*) from qr_codes) as codes,
            coalesce(sum(total_scans), 0)::bigint as scans, coalesce(sum(unique_scans), 0)::bigint as uniques
       from scan_counts`,
  );
  const isOpen = async () => {
    const now = new Set((await query<Group>(watcher, openGroups)).map(({ name }) => name));
    return open.some(({ name }) => now.has(name));
  };
  return {
    name: moment!.name,
    takenAt: moment!.at.toISOString(),
    logs,
    totals: totals!,
    async stored() {
      const deadline = performance.now() + storeTimeoutMs;
      while (await isOpen()) {
        if (performance.now() > deadline)
          throw new Error(
            'Some scans are counted but not in ClickHouse yet, and no process stores them. Run `signpost ingest` ' +
              '(or `all`) until `signpost doctor` reports that it is not behind, then take the backup again.',
          );
        await pause(100);
      }
    },
    async close() {
      await Promise.all([holder.end(), watcher.end()]);
    },
  };
}
