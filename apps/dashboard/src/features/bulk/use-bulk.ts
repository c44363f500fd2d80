import { useEffect, useRef, useState } from 'react';
import { useForgetCodes } from '../codes/queries.ts';
import { useAccount } from '../shell/me.ts';
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
  const account = useAccount();
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
      send: (ids: readonly string[]) => Promise<BatchResult>,
    ): Promise<BulkOutcome> {
      left.current = new AbortController();
      const { signal } = left.current;
      const batchSize = Math.min(mostPerCall, account.creations_per_minute ?? mostPerCall);
      const onProgress = (progress: BulkProgress) =>
        setBulk({ state: 'running', progress, total: ids.length });
      const outcome = await runBulk({
        ids,
        batchSize,
        send,
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
