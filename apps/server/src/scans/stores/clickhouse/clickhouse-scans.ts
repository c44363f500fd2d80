import type { ClickHouse } from '../../../platform/clickhouse/clickhouse.ts';
import type { ScanQueries } from '../scan-queries.ts';
import { createFigures } from './figures.ts';
import { createRowQueries } from './rows.ts';

/** Queries about scans in ClickHouse. */
export const createClickHouseScans = (clickhouse: Pick<ClickHouse, 'query' | 'stream'>): ScanQueries => ({
  ...createFigures(clickhouse),
  ...createRowQueries(clickhouse),
});
