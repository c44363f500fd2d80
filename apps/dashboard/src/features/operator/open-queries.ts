import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';

/** How many reports are open. Asked again each minute, but only while the page is in sight. */
export const openReportsQuery = queryOptions({
  queryKey: ['operator', 'open-reports'],
  queryFn: ({ signal }) => call('listReports', { query: { state: 'open', limit: 1 } }, signal),
  select: ({ pagination }) => pagination.total,
  refetchInterval: 60_000,
});

/** How many appeals wait for an answer, in the same way. */
export const openAppealsQuery = queryOptions({
  queryKey: ['operator', 'open-appeals'],
  queryFn: ({ signal }) => call('listSuspensions', { query: { state: 'appealed', limit: 1 } }, signal),
  select: ({ pagination }) => pagination.total,
  refetchInterval: 60_000,
});
