import { QueryClient } from '@tanstack/react-query';
import { isApiError } from './request.ts';

/** A refusal is final; only silence and faults of the server are worth asking again. */
const worthRetrying = (error: unknown) => isApiError(error) && (error.status === 0 || error.status >= 500);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => failures < 2 && worthRetrying(error),
    },
  },
});
