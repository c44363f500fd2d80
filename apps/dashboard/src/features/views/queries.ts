import { queryOptions } from '@tanstack/react-query';
import type { Mode } from '../../api/mode.ts';
import { call } from '../../api/operations.ts';

/** The views of the person who is signed in. */
export const viewsQuery = (mode: Mode) =>
  queryOptions({
    queryKey: [mode, 'views'],
    queryFn: async ({ signal }) => (await call('listViews', {}, signal)).data,
    staleTime: 300_000,
  });
