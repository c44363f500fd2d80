import type { QueryContext } from '../../../apps/server/src/analytics/store.ts';
import type { QueryShare } from '../../../apps/server/src/limits/shares/query-share.ts';
import type { ClickHouse } from '../../../apps/server/src/platform/clickhouse/clickhouse.ts';
import { createClickHouseScans } from '../../../apps/server/src/scans/stores/clickhouse/clickhouse-scans.ts';

/** Runs every query at once, for tests of the queries themselves. */
export const unshared: QueryShare = { by: (_accountId, _request, work) => work(query => query({})) };

/** Queries about scans in this ClickHouse, without a share. */
export const contextOn = (clickhouse: ClickHouse, timeoutMs?: number): QueryContext => ({
  scans: createClickHouseScans(clickhouse),
  run: query => query(timeoutMs === undefined ? {} : { timeoutMs }),
});
