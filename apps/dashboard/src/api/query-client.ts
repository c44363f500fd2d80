import { QueryClient } from '@tanstack/react-query';
import { retryDelayMs, worthRetrying } from './retry.ts';

/**
 * Requests are made at once or not at all: by default the library keeps them while the browser is offline and sends them
 * when it is back, long after the person has left the page. What is looked at is read again then; nothing is written.
 */
export const queryClient = new QueryClient({
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
