import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: ({ signal }) => call('listKeys', {}, signal),
});

/** The new e-mail address that waits to be confirmed. */
export const emailChangeQuery = queryOptions({
  queryKey: ['email-change'],
  queryFn: ({ signal }) => call('getEmailChange', {}, signal),
});

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => call('listSessions', {}, signal),
});
