import type { ReadPool } from '../../../platform/postgres/reading/read-pool.ts';
import type { ScanQueries } from '../scan-queries.ts';
import { createFigures } from './figures.ts';
import { createRowQueries } from './rows.ts';

/** Queries about scans in PostgreSQL. */
export const createPostgresScans = (pool: ReadPool): ScanQueries => ({
  ...createFigures(pool),
  ...createRowQueries(pool),
});
