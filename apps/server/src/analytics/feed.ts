import { type Cursor, furthest } from '../scans/log/log-cursor.ts';
import type { AccountScan } from '../scans/stores/scan-queries.ts';
import type { Scope } from '../scans/stores/scope.ts';
import type { FeedCursor } from './feed-cursor.ts';
import { spansBetween } from './horizon.ts';
import type { QueryContext } from './store.ts';

/** Scans of an account in the order of the log, and where to go on. */
export type FeedPage = {
  readonly scans: readonly AccountScan[];
  readonly next: FeedCursor;
  readonly hasMore: boolean;
};

/**
 * The next scans up to the horizon. Every shard gets its share of the page: a busy one must not keep the scans of another back. Where
 * there are more shards than scans in a page, they take turns.
 */
export async function readFeed(
  { scans, run }: QueryContext,
  scope: Scope,
  { positions, nextShard }: FeedCursor,
  horizon: Cursor,
  limit: number,
): Promise<FeedPage> {
  const spans = spansBetween(positions, horizon).sort((a, b) => a.shard - b.shard);
  const first = Math.max(
    0,
    spans.findIndex(({ shard }) => shard >= nextShard),
  );
  const turn = [...spans.slice(first), ...spans.slice(0, first)].slice(0, limit);
  if (turn.length === 0) return { scans: [], next: { positions, nextShard: 0 }, hasMore: false };
  const perShard = Math.floor(limit / turn.length);
  const found = await run(limits => scans.readLog(scope, turn, { perShard, limit }, limits));
  const byShard = Map.groupBy(found, ({ shard }) => shard);
  const full = turn.filter(({ shard }) => byShard.get(shard)?.length === perShard);
  // To the last scan and not to the horizon: how far the log is tells of the scans of others.
  const reached = new Map(
    [...byShard].map(([shard, read]) => {
      const { log, position, index } = read.at(-1)!;
      return [shard, { log, position, index }] as const;
    }),
  );
  const isTurn = turn.length < spans.length;
  return {
    scans: found,
    next: { positions: furthest(positions, reached), nextShard: isTurn ? turn.at(-1)!.shard + 1 : 0 },
    hasMore: full.length > 0 || isTurn,
  };
}
