import type { Caller } from '../../kernel/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { QueryShare } from '../../limits/shares/query-share.ts';
import type { ScanQueries } from '../../scans/stores/scan-queries.ts';
import { dayMs } from '../../scans/stores/time-range.ts';

/** Scans of some codes in the last days, in one query; null while the store does not answer. */
export type Sparklines = {
  forCodes(caller: Caller, ids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, readonly number[]> | null>;
};

const days = 14;
/** A list does not wait longer than this for its sparklines. */
const timeoutMs = 1500;

export function createSparklines(
  scans: Pick<ScanQueries, 'countByDay'>,
  queries: QueryShare,
  clock: Clock,
): Sparklines {
  return {
    async forCodes({ accountId }, ids) {
      const first = Math.floor(clock.now().getTime() / dayMs) - (days - 1);
      const lines = new Map(ids.map(id => [id, new Array<number>(days).fill(0)]));
      if (ids.length === 0) return lines;
      try {
        const rows = await queries.by(accountId, { signal: AbortSignal.timeout(timeoutMs) }, run =>
          run(limits => scans.countByDay(accountId, ids, first * dayMs, { ...limits, timeoutMs })),
        );
        for (const { qrCodeId, day, scans: count } of rows) {
          const line = lines.get(qrCodeId);
          if (line && day - first < days) line[day - first] = count;
        }
        return lines;
      } catch {
        // The list is useful without them, and the response shows that they are missing.
        return null;
      }
    },
  };
}
