import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';

/** The accounts of whoever is signed in, with their recent scans. */
export const ownAccountsQuery = queryOptions({
  queryKey: ['own-accounts'],
  queryFn: ({ signal }) => call('listOwnAccounts', {}, signal),
  staleTime: 60_000,
});
