import { toRows } from '../../../apps/server/src/ingest/counting/rows.ts';
import { classes, toGroup } from '../../../apps/server/src/ingest/ingest.ts';
import type { ClickHouse } from '../../../apps/server/src/platform/clickhouse/clickhouse.ts';
import type { Database } from '../../../apps/server/src/platform/postgres/postgres.ts';
import type { Scan } from '../../../apps/server/src/scans/scan.ts';
import { createClickHouseRows } from '../../../apps/server/src/scans/stores/clickhouse/clickhouse-rows.ts';
import { createPostgresRows } from '../../../apps/server/src/scans/stores/postgres/postgres-rows.ts';
import type { RowStore } from '../../../apps/server/src/scans/stores/row-storage.ts';
import { startMigratedClickHouse } from './clickhouse.ts';
import { batchOf } from './scan-ledger.ts';

/** Where a test stores scans: in PostgreSQL, or with TEST_SCAN_STORE=clickhouse in a stand-in for ClickHouse of its own. */
export type TestStore = {
  /** The settings of servers that use it. */
  readonly env: { readonly CLICKHOUSE_URL?: string };
  /** What has the rows: to be read by `storedIn`. */
  holder(db: Database): ClickHouse | Database;
  rows(db: Database): RowStore;
  /** Stores one scan without ingest, as if it were all of this entry of the log. */
  insert(
    db: Database,
    scan: Scan,
    entry: { readonly shard: number; readonly position: number },
  ): Promise<void>;
  close(): Promise<void>;
};

export async function openTestStore(): Promise<TestStore> {
  if (process.env.TEST_SCAN_STORE !== 'clickhouse')
    return {
      env: {},
      holder: db => db,
      rows: createPostgresRows,
      insert: insertInto(createPostgresRows),
      async close() {},
    };
  const { engine, clickhouse } = await startMigratedClickHouse();
  const rows = () => createClickHouseRows(clickhouse);
  return {
    env: { CLICKHOUSE_URL: engine.url },
    holder: () => clickhouse,
    rows,
    insert: insertInto(rows),
    async close() {
      await clickhouse.close();
      await engine.remove();
    },
  };
}

const insertInto =
  (open: (db: Database) => RowStore): TestStore['insert'] =>
  async (db, scan, { shard, position }) => {
    const store = open(db);
    const batch = batchOf(scan);
    const entry = { position, batch, bytes: new Uint8Array(), mark: null, fault: null, missing: 0 };
    const group = toGroup({ shard, log: 0 }, position - 1, [entry]);
    const rows = toRows(group, { classifications: Buffer.of(classes.unique), numbers: [position] });
    if (store.stores === 'after_counts') return await store.insert(rows, batch.id, {});
    await store.prepare([scan.atMs]);
    await db.transaction(tx => store.insert(tx, rows));
  };
