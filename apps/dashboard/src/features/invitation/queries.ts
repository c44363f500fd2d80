import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';

/** A token has 160 bits; what is shorter was cut off on its way, and is not asked about. */
export const isWhole = (token: string): boolean => token.length >= 20;

export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => call('readInvitation', { body: { token } }, signal),
    enabled: isWhole(token),
    staleTime: Infinity,
  });
