import { useEffect, useRef, useState } from 'react';
import { useForgetCodes } from '../codes/queries.ts';
import { useMe } from '../shell/me.ts';
import { useForgetTags } from '../tags/queries.ts';
import { type BatchResult, type BulkOutcome, type BulkProgress, runBulk } from './run-bulk.ts';

/** The server takes no more in one call. */
const mostPerCall = 500;

export type BulkState =
  | { readonly state: 'idle' }
  | { readonly state: 'running'; readonly progress: BulkProgress; readonly total: number }
  | { readonly state: 'ended'; readonly outcome: BulkOutcome };

/** Runs work on many codes. Leaving the dialog stops it after the batch that is under way. */
export function useBulk() {
  const [bulk, setBulk] = useState<BulkState>({ state: 'idle' });
  const { account } = useMe();
  const forgetCodes = useForgetCodes();
  const forgetTags = useForgetTags();
  const left = useRef(new AbortController());
  useEffect(() => {
    left.current = new AbortController();
    return () => left.current.abort();
  }, []);
  return {
    bulk,
    stop: () => left.current.abort(),
    async run(
      ids: readonly string[],
      send: (ids: readonly string[], signal: AbortSignal) => Promise<BatchResult>,
    ): Promise<BulkOutcome> {
      left.current = new AbortController();
      const { signal } = left.current;
      const batchSize = Math.min(mostPerCall, account.creations_per_minute ?? mostPerCall);
      const onProgress = (progress: BulkProgress) =>
        setBulk({ state: 'running', progress, total: ids.length });
      // A call that is under way is not broken off: nobody would know what became of it.
      const outcome = await runBulk({
        ids,
        batchSize,
        send: batch => send(batch, AbortSignal.timeout(120_000)),
        onProgress,
        signal,
      });
      // Without a problem the dialog closes; until then it shows that all is done.
      if (outcome.failures.length > 0 || outcome.error !== undefined) setBulk({ state: 'ended', outcome });
      void forgetCodes();
      void forgetTags();
      return outcome;
    },
  };
}
