import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: ({ signal }) => call('listKeys', {}, signal),
});

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => call('listSessions', {}, signal),
});
