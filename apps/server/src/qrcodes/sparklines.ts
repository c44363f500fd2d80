import type { Caller } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { QueryShare } from '../limits/query-share.ts';

/** Scans of some codes in the last days, in one query; null while ClickHouse does not answer. */
export type Sparklines = {
  forCodes(caller: Caller, ids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, readonly number[]> | null>;
};

const days = 14;
const dayMs = 24 * 60 * 60 * 1000;
/** A list does not wait longer than this for its sparklines. */
const timeoutMs = 1500;

export function createSparklines(queries: QueryShare, clock: Clock): Sparklines {
  return {
    async forCodes({ accountId }, ids) {
      const first = Math.floor(clock.now().getTime() / dayMs) - (days - 1);
      const lines = new Map(ids.map(id => [id, new Array<number>(days).fill(0)]));
      if (ids.length === 0) return lines;
      try {
        const params = { account: accountId, ids, from: first * 24 * 60 * 60 };
        const rows = await queries.by(accountId, { signal: AbortSignal.timeout(timeoutMs) }, clickhouse =>
          clickhouse.query<{ id: Uuid; day: number; scans: number }>(scansPerDay, params, { timeoutMs }),
        );
        for (const { id, day, scans } of rows) {
          const line = lines.get(id);
          if (line && day - first < days) line[day - first] = scans;
        }
        return lines;
      } catch {
        // The list is useful without them, and the response shows that they are missing.
        return null;
      }
    },
  };
}

const scansPerDay = `
  select qr_code_id as id, intDiv(toUnixTimestamp(at), 86400) as day, count() as scans
    from scans
   where account_id = {account: UUID} and qr_code_id in {ids: Array(UUID)} and at >= toDateTime({from: UInt32}, 'UTC')
   group by id, day`;
