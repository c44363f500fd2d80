import { infiniteQueryOptions } from '@tanstack/react-query';
import type { Mode } from '../../api/mode.ts';
import { call } from '../../api/operations.ts';

/** Newest first, page by page. Null: every action. */
export const activityQuery = (mode: Mode, action: string | null) =>
  infiniteQueryOptions({
    queryKey: ['activity', mode, action],
    queryFn: ({ pageParam, signal }) =>
      call(
        'listAudit',
        {
          query: {
            limit: 50,
            ...(action === null ? {} : { action }),
            ...(pageParam === null ? {} : { before: pageParam }),
          },
        },
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
