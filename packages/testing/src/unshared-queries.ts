import type { Querier, QueryShare } from '../../../apps/server/src/limits/query-share.ts';

/** Runs every query at once, for tests of the queries themselves. */
export const unshared = (clickhouse: Querier): QueryShare => ({
  by: (_accountId, _wish, work) => work(clickhouse),
});
