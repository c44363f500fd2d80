import { useNavigate } from '@tanstack/react-router';
import { queryClient } from '../../api/query-client.ts';
import { isApiError } from '../../api/request.ts';
import { noteSignedIn } from '../../api/signed-in.ts';
import { forgetAccount, meQuery, readMe } from './me.ts';

/**
 * For somebody who no longer belongs to the account of this tab: leads to another of theirs, or to the sign-in where the person
 * has gone with the account.
 */
export function useLoseAccount(): () => Promise<void> {
  const navigate = useNavigate();
  return async () => {
    try {
      await queryClient.cancelQueries();
      const me = await readMe({ isSignIn: true });
      forgetAccount();
      queryClient.setQueryData(meQuery.queryKey, me);
      await navigate({ to: '/codes', ignoreBlocker: true });
    } catch (error) {
      if (!isApiError(error) || error.status !== 401) throw error;
      noteSignedIn(false);
      await navigate({ to: '/sign-in', ignoreBlocker: true });
      queryClient.clear();
    }
  };
}
