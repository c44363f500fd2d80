import type { Uuid } from '../kernel/ids.ts';
import type { ClickHouse } from '../platform/clickhouse.ts';
import type { Share, Wish } from './share.ts';

/** Asks ClickHouse on behalf of an account, which holds a place for each query that is under way. */
export type Questions = {
  /**
   * Runs the work once the account has a place. It asks `most` queries at a time where as many places are free, else one
   * after the other. What still runs when the work has ended is stopped. A query that the engine cannot stop keeps its place.
   */
  by<Result>(accountId: Uuid, wish: Wish, work: (clickhouse: Asker) => Promise<Result>): Promise<Result>;
};

export type Asker = Pick<ClickHouse, 'query'>;

export function createQuestions(clickhouse: Asker, share: Share): Questions {
  return {
    async by(accountId, wish, work) {
      const holding = await share.take(accountId, wish);
      const ended = new AbortController();
      const queue: ((hasPlace: boolean) => void)[] = [];
      let running = 0;

      /** The place of a query that is done goes to the next one, unless another call needs it more. */
      function done(): void {
        const isSpare = holding.count > 1 && (queue.length === 0 || share.isWanted(accountId));
        if (isSpare || ended.signal.aborted) holding.giveBackOne();
        const next = running <= holding.count ? queue.shift() : undefined;
        if (next) next(true);
        else running--;
      }

      const asker: Asker = {
        async query(query, params, limits) {
          ended.signal.throwIfAborted();
          if (running < holding.count) running++;
          else if (!(await new Promise<boolean>(resolve => queue.push(resolve)))) throw ended.signal.reason;
          const signals = [ended.signal, limits?.signal, wish.signal].filter(signal => signal !== undefined);
          const signal = AbortSignal.any(signals);
          return await clickhouse.query(query, params, { ...limits, signal, onSettled: done });
        },
      };
      try {
        return await work(asker);
      } finally {
        ended.abort();
        for (const wake of queue.splice(0)) wake(false);
        // What the engine still works on keeps its places until it is done.
        while (holding.count > running) holding.giveBackOne();
      }
    },
  };
}
