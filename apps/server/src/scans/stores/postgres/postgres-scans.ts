import type { ReadPool } from '../../../platform/postgres/reading/read-pool.ts';
import type { ScanQueries } from '../scan-queries.ts';
import { createFigures } from './figures.ts';
import { createRollUpFigures } from './roll-up-figures.ts';
import { createRowQueries } from './rows.ts';

/** Queries about scans in PostgreSQL. */
export function createPostgresScans(pool: ReadPool): ScanQueries {
  const rows = { ...createFigures(pool), ...createRowQueries(pool) };
  return { ...rows, ...createRollUpFigures(pool, rows) };
}
