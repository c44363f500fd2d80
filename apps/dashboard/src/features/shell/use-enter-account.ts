import { useNavigate } from '@tanstack/react-router';
import { currentAccount, switchAccount } from '../../api/account.ts';
import { call } from '../../api/operations.ts';
import { queryClient } from '../../api/query-client.ts';
import { shellText } from '../../strings/shell.ts';
import { notifyProblem } from '../../ui/problem.tsx';
import { mayLeave } from '../../ui/unsaved-work.ts';
import { forgetAccount, meQuery } from './me.ts';

/** Goes to the codes of another account. Where it cannot be opened, everything stays as it is. */
export function useEnterAccount(): (id: string) => Promise<void> {
  const navigate = useNavigate();
  return async id => {
    if (id === currentAccount() || !(await mayLeave())) return;
    try {
      const me = await call('getMe', {}, undefined, { account: id });
      // The page goes first: its code or endpoint does not exist in the other account.
      await navigate({ to: '/codes', ignoreBlocker: true });
      // A request that is tried again would ask in the new account under the name of the old one.
      await queryClient.cancelQueries();
      switchAccount(id);
      forgetAccount();
      queryClient.setQueryData(meQuery.queryKey, me);
    } catch (error) {
      notifyProblem(error, shellText.accounts.notSwitched);
    }
  };
}
