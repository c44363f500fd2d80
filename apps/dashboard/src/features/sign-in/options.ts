import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';

/** Whether strangers may sign up here, and whether this server sends mail. */
export const optionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: ({ signal }) => call('signInOptions', {}, signal),
  staleTime: 60_000,
});
