import type { Asker, Questions } from '../../apps/server/src/limits/questions.ts';

/** Questions that need no place, for tests of what is asked. */
export const unshared = (clickhouse: Asker): Questions => ({
  by: (_accountId, _wish, work) => work(clickhouse),
});
