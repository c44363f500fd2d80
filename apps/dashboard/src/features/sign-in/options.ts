import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';

import { queryClient } from '../../api/query-client.ts';

/** Whether strangers may sign up here, and whether this server sends mail. */
export const optionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: ({ signal }) => call('signInOptions', {}, signal),
  staleTime: 60_000,
});

/** Whether nobody but the person who installed the server has any business here. */
export async function isEmptyInstallation(): Promise<boolean> {
  try {
    const { first_user, sign_up } = await queryClient.ensureQueryData(optionsQuery);
    return first_user && !sign_up;
  } catch {
    // The sign-in page asks again, and says what is wrong.
    return false;
  }
}
