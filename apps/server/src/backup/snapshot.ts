import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Totals } from './backup.ts';

/** One moment of PostgreSQL, held open so that a dump and everything else can look at it. */
export type Snapshot = {
  readonly name: string;
  readonly takenAt: string;
  readonly positions: readonly { readonly shard: number; readonly position: number }[];
  readonly totals: Totals;
  /** Resolves when ClickHouse has all that was counted in this moment. */
  stored(patienceMs: number): Promise<void>;
  close(): Promise<void>;
};

type Group = { readonly shard: number; readonly to_position: number };

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
  const positions = await ask<Snapshot['positions'][number]>(
    holder,
    'select shard, position from ingest_positions order by shard',
  );
  const open = await ask<Group>(holder, 'select shard, to_position from ingest_groups');
  const [totals] = await ask<Totals>(
    holder,
    `select (select count(*) from qr_codes) as codes,
            coalesce(sum(total_scans), 0)::bigint as scans, coalesce(sum(unique_scans), 0)::bigint as uniques
       from scan_counts`,
  );
  const isOpen = async () => {
    const now = await ask<Group>(looker, 'select shard, to_position from ingest_groups');
    return open.some(({ shard, to_position }) =>
      now.some(one => one.shard === shard && one.to_position === to_position),
    );
  };
  return {
    name: moment!.name,
    takenAt: moment!.at.toISOString(),
    positions,
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
