import type { Design } from '@signpost/contract';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { Mode } from '../../api/mode.ts';
import { call } from '../../api/operations.ts';

export const designsQuery = (mode: Mode) =>
  queryOptions({
    queryKey: [mode, 'designs'],
    queryFn: async ({ signal }) => (await call('listDesigns', {}, signal)).data.toSorted(defaultFirst),
  });

export const assetsQuery = (mode: Mode) =>
  queryOptions({
    queryKey: [mode, 'assets'],
    queryFn: async ({ signal }) => (await call('listAssets', {}, signal)).data,
  });

const defaultFirst = (a: Design, b: Design) => Number(b.is_default) - Number(a.is_default);

/** After a change of a design. */
export function useForgetDesigns(mode: Mode): () => Promise<void> {
  const client = useQueryClient();
  return async () => await client.invalidateQueries({ queryKey: designsQuery(mode).queryKey });
}
