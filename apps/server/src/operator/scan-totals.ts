import type { Clock } from '../kernel/clock.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { QueryShare } from '../limits/query-share.ts';

/** Scans of live codes of some accounts in the last 30 days, in one query; null while ClickHouse does not answer. */
export type ScanTotals = (
  operatorAccount: Uuid,
  accounts: readonly Uuid[],
) => Promise<ReadonlyMap<Uuid, number> | null>;

const dayMs = 24 * 60 * 60 * 1000;
const days = 30;
/** A list does not wait longer than this for the figures. */
const timeoutMs = 1500;

export function createScanTotals(queries: QueryShare, clock: Clock): ScanTotals {
  return async (operatorAccount, ids) => {
    if (ids.length === 0) return new Map();
    const from = Math.floor(clock.now().getTime() / dayMs) - (days - 1);
    try {
      const rows = await queries.by(operatorAccount, { signal: AbortSignal.timeout(timeoutMs) }, clickhouse =>
        clickhouse.query<{ id: Uuid; scans: number }>(
          scansByAccount,
          { ids, from },
          { timeoutMs, projection: 'account_days' },
        ),
      );
      return new Map(rows.map(({ id, scans }) => [id, scans]));
    } catch {
      // The list is useful without them, and the response shows that they are missing.
      return null;
    }
  };
}

const scansByAccount = `
  select account_id as id, count() as scans
    from scans
   where account_id in {ids: Array(UUID)} and mode = 'live' and toDate(at) >= toDate({from: UInt16})
   group by account_id`;
