import type { Domain } from '@signpost/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMode } from '../../api/mode.ts';
import { call } from '../../api/operations.ts';

/** The same in live and test mode. */
export const domainsQuery = queryOptions({
  queryKey: ['domains'],
  queryFn: async ({ signal }) => (await call('listDomains', {}, signal)).data,
});

/** Those that lists can be narrowed to: released ones have codes as well. Test codes are on no domain. */
export function useDomains(): readonly Domain[] {
  const { data = [] } = useQuery(domainsQuery);
  return useMode() === 'test' ? [] : data;
}
