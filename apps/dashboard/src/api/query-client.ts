import { QueryClient } from '@tanstack/react-query';
import { retryDelayMs, worthRetrying } from './retry.ts';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: worthRetrying,
      retryDelay: retryDelayMs,
    },
  },
});
