import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { Mode } from '../../api/mode.ts';
import { call } from '../../api/operations.ts';

/** All tags of the account, with their colours and the number of their codes. */
export const tagsQuery = (mode: Mode) =>
  queryOptions({
    queryKey: [mode, 'tags'],
    queryFn: async ({ signal }) => (await call('listTags', {}, signal)).data,
    staleTime: 60_000,
  });

/** After a tag was changed, every code may have another name or colour of it. */
export function useForgetTags(): () => Promise<void> {
  const client = useQueryClient();
  return () =>
    client.invalidateQueries({
      predicate: ({ queryKey }) => ['tags', 'codes', 'code'].includes(String(queryKey[1])),
    });
}
