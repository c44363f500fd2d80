import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { LogMark, Totals } from './backup.ts';

/** One moment of PostgreSQL, held open so that a dump and everything else can look at it. */
export type Snapshot = {
  readonly name: string;
  readonly takenAt: string;
  readonly logs: readonly LogMark[];
  readonly totals: Totals;
  /** Resolves when ClickHouse has all that was counted in this moment. */
  stored(patienceMs: number): Promise<void>;
  close(): Promise<void>;
};

type Group = { readonly name: string };

const openGroups = `select shard || '.' || log || '.' || to_position as name from ingest_groups`;

export async function takeSnapshot(databaseUrl: string): Promise<Snapshot> {
  const holder = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  const looker = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  await Promise.all([holder.connect(), looker.connect()]);
  const ask = async <Row extends object>(client: pg.Client, text: string) =>
    (await client.query<Row>(text)).rows;
  await holder.query('begin isolation level repeatable read, read only');
  const [moment] = await ask<{ name: string; at: Date }>(
    holder,
    'select pg_export_snapshot() as name, now() as at',
  );
  const logs = await ask<LogMark>(holder, 'select shard, log, position from ingest_positions order by shard');
  const open = await ask<Group>(holder, openGroups);
  const [totals] = await ask<Totals>(
    holder,
    `select (select count(*) from qr_codes) as codes,
            coalesce(sum(total_scans), 0)::bigint as scans, coalesce(sum(unique_scans), 0)::bigint as uniques
       from scan_counts`,
  );
  const isOpen = async () => {
    const now = new Set((await ask<Group>(looker, openGroups)).map(({ name }) => name));
    return open.some(({ name }) => now.has(name));
  };
  return {
    name: moment!.name,
    takenAt: moment!.at.toISOString(),
    logs,
    totals: totals!,
    async stored(patienceMs) {
      const deadline = performance.now() + patienceMs;
      while (await isOpen()) {
        if (performance.now() > deadline)
          throw new Error(
            'Some scans are counted but not yet in ClickHouse, and nobody puts them there. Let `signpost ingest` ' +
              '(or `all`) run until `signpost doctor` says that it is not behind, then take the backup again.',
          );
        await pause(100);
      }
    },
    async close() {
      await Promise.all([holder.end(), looker.end()]);
    },
  };
}
