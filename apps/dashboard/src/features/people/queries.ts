import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';

export const membersQuery = queryOptions({
  queryKey: ['people', 'members'],
  queryFn: ({ signal }) => call('listMembers', {}, signal),
});

/** Those that nobody has accepted yet. */
export const invitationsQuery = queryOptions({
  queryKey: ['people', 'invitations'],
  queryFn: ({ signal }) => call('listInvitations', {}, signal),
});
