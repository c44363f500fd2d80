import type { Clock } from '../kernel/clock.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { QueryShare } from '../limits/shares/query-share.ts';
import type { ScanQueries } from '../scans/stores/scan-queries.ts';
import { dayMs } from '../scans/stores/time-range.ts';

/** Scans of live codes of some accounts in the last days, in one query; null while the store does not answer. */
export type ScanTotals = (
  /** Whose share of queries it takes. */
  payer: Uuid,
  accounts: readonly Uuid[],
) => Promise<ReadonlyMap<Uuid, number> | null>;

/** A list does not wait longer than this for the figures. */
const timeoutMs = 1500;

export function createScanTotals(
  scans: Pick<ScanQueries, 'countByAccount'>,
  queries: QueryShare,
  clock: Clock,
  days: number,
): ScanTotals {
  return async (payer, ids) => {
    if (ids.length === 0) return new Map();
    const from = Math.floor(clock.now().getTime() / dayMs) - (days - 1);
    try {
      const rows = await queries.by(payer, { signal: AbortSignal.timeout(timeoutMs) }, run =>
        run(limits => scans.countByAccount(ids, from * dayMs, { ...limits, timeoutMs })),
      );
      return new Map(rows.map(({ accountId, scans: count }) => [accountId, count]));
    } catch {
      // The list is useful without them, and the response shows that they are missing.
      return null;
    }
  };
}
