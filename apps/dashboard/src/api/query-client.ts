import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { retryDelayMs, worthRetrying } from './retry.ts';

/** What was refused may be so because the role or the accounts of this person have changed: who they are is asked again. */
function onError(error: unknown): void {
  if (error instanceof ApiError && (error.status === 403 || error.param === 'X-Signpost-Account'))
    void queryClient.invalidateQueries({ queryKey: ['me'] });
}

/**
 * Requests are made at once or not at all: by default the library keeps them while the browser is offline and sends them
 * when it is back, long after the person has left the page. What is looked at is read again then; nothing is written.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      networkMode: 'always',
      refetchOnReconnect: true,
      staleTime: 10_000,
      retry: worthRetrying,
      retryDelay: retryDelayMs,
    },
    mutations: { networkMode: 'always', retry: false },
  },
});
