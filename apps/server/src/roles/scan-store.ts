import type { Config } from '../config/config.ts';
import { connectionsFor } from '../limits/shares/share-sizes.ts';
import { type ClickHouse, createClickHouse } from '../platform/clickhouse/clickhouse.ts';
import { ownPools } from '../platform/postgres/pool-sizes.ts';
import { createPostgres, type Database } from '../platform/postgres/postgres.ts';
import { createReadPool } from '../platform/postgres/reading/read-pool.ts';
import { claimStore } from '../scans/stores/claim.ts';
import { createClickHouseMonths } from '../scans/stores/clickhouse/clickhouse-months.ts';
import { createClickHouseRows } from '../scans/stores/clickhouse/clickhouse-rows.ts';
import { createClickHouseScans } from '../scans/stores/clickhouse/clickhouse-scans.ts';
import type { MonthStore } from '../scans/stores/month-storage.ts';
import { createPostgresMonths } from '../scans/stores/postgres/postgres-months.ts';
import { createPostgresRows } from '../scans/stores/postgres/postgres-rows.ts';
import { createPostgresScans } from '../scans/stores/postgres/postgres-scans.ts';
import type { RowStore } from '../scans/stores/row-storage.ts';
import type { ScanQueries } from '../scans/stores/scan-queries.ts';
import type { Shared } from './shared.ts';

/** Where the scans of an installation are stored: in ClickHouse if CLICKHOUSE_URL names one, else in PostgreSQL. */
export type ScanStore = {
  /** Null where PostgreSQL stores the scans. */
  readonly clickhouse: ClickHouse | null;
  /** Queries, on connections of their own. */
  openQueries(): ScanQueries;
  /** What ingest writes, where it has its connections. */
  openRows(db: Database): RowStore;
  /** Whole months, for their removal. */
  openMonths(db: Database): MonthStore;
};

/** It connects when it is first needed. */
export async function openScanStore(
  shared: Pick<Shared, 'config' | 'lifecycle' | 'onConnectionLost' | 'pools'>,
): Promise<ScanStore> {
  const { config, lifecycle } = shared;
  if (config.clickhouseUrl === '') return inPostgres(shared);
  const clickhouse = await createClickHouse(config.clickhouseUrl, connectionsFor(config));
  lifecycle.defer('clickhouse', () => clickhouse.close());
  return {
    clickhouse,
    openQueries: () => createClickHouseScans(clickhouse),
    openRows: () => createClickHouseRows(clickhouse),
    openMonths: () => createClickHouseMonths(clickhouse),
  };
}

const inPostgres = ({
  config,
  lifecycle,
  onConnectionLost,
  pools,
}: Parameters<typeof openScanStore>[0]): ScanStore => ({
  clickhouse: null,
  openQueries() {
    const limits = { databasePoolSize: ownPools.analytics };
    const observer = pools.observerFor('analytics');
    const pool = createReadPool({ ...config, ...limits }, onConnectionLost, { observer });
    lifecycle.defer('postgres of analytics', () => pool.close());
    return createPostgresScans(pool);
  },
  openRows: db => createPostgresRows(db),
  openMonths(db) {
    const pool = createReadPool({ ...config, databasePoolSize: ownPools.sums }, onConnectionLost);
    lifecycle.defer('postgres of sums', () => pool.close());
    return createPostgresMonths(db, pool);
  },
});

/**
 * Refuses to start with another store than the one that has the scans: figures would silently begin at zero. The first
 * process that stores or reads scans decides.
 */
export async function requireScanStore(config: Config): Promise<void> {
  const given = config.clickhouseUrl === '' ? 'postgres' : 'clickhouse';
  const db = createPostgres({ ...config, databasePoolSize: 1 }, () => undefined);
  const store = await claimStore(db, given).finally(() => db.close());
  if (store !== given) throw new Error(wrongStore[given]);
}

const wrongStore = {
  postgres:
    'The scans of this installation are in ClickHouse, and CLICKHOUSE_URL is not set. Set it to the address of that ClickHouse.',
  clickhouse:
    'The scans of this installation are in PostgreSQL. Remove CLICKHOUSE_URL, or copy them there with `signpost move-scans`.',
} as const;
