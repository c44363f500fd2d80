import type { Me } from '@signpost/contract';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { takeEarlyMe } from '../../api/early-me.ts';
import { call } from '../../api/operations.ts';

/** Who is signed in, with plan and usage. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal }) => (await takeEarlyMe()) ?? (await call('getMe', {}, signal)),
  staleTime: 60_000,
});

/** Only below the shell, which is not shown before this is known. */
export const useMe = (): Me => useSuspenseQuery(meQuery).data;
