import type { Uuid } from '../../kernel/ids.ts';
import type { QueryLimits } from '../../scans/stores/scan-queries.ts';
import type { Share, ShareRequest } from './share.ts';

/** Runs queries of an account, which holds a slot for each query that runs. */
export type QueryShare = {
  /**
   * Runs the work once the account has a slot. The work runs `most` queries at a time if that many slots are free, else
   * one after the other. Queries that still run when the work has ended are aborted. One that the store cannot abort
   * keeps its slot.
   */
  by<Result>(
    accountId: Uuid,
    request: ShareRequest,
    work: (run: RunQuery) => Promise<Result>,
  ): Promise<Result>;
};

/** Runs a query as soon as there is a slot for it. The query passes these limits on. */
export type RunQuery = <Result>(query: (limits: QueryLimits) => Promise<Result>) => Promise<Result>;

export function createQueryShare(share: Share): QueryShare {
  return {
    async by(accountId, request, work) {
      const held = await share.take(accountId, request);
      const ended = new AbortController();
      const waiting: ((hasSlot: boolean) => void)[] = [];
      let running = 0;

      /** The slot of a query that is done goes to the next one, unless another call needs it more. */
      function onSettled(): void {
        const isSpare = held.count > 1 && (waiting.length === 0 || share.isWanted(accountId));
        if (isSpare || ended.signal.aborted) held.releaseOne();
        const next = running <= held.count ? waiting.shift() : undefined;
        if (next) next(true);
        else running--;
      }

      const run: RunQuery = async query => {
        ended.signal.throwIfAborted();
        if (running < held.count) running++;
        else if (!(await new Promise<boolean>(resolve => waiting.push(resolve)))) throw ended.signal.reason;
        const signal = AbortSignal.any(request.signal ? [ended.signal, request.signal] : [ended.signal]);
        return await query({ signal, onSettled });
      };
      try {
        return await work(run);
      } finally {
        ended.abort();
        for (const wake of waiting.splice(0)) wake(false);
        // Queries that still run keep their slots until they are done.
        while (held.count > running) held.releaseOne();
      }
    },
  };
}
