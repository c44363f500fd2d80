import type { UpdateAccount } from '@signpost/contract';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';
import { queryClient } from '../../api/query-client.ts';
import { notifyDone, notifyProblem } from '../../ui/problem.tsx';
import { meQuery } from '../shell/me.ts';
import { ownAccountsQuery } from './queries.ts';

/** Changes the name or a rule of the account; the header then shows it. */
export function useUpdateAccount(done: string, failed: string) {
  return useMutation({
    mutationFn: (body: UpdateAccount) => call('updateAccount', { body }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
      await queryClient.invalidateQueries({ queryKey: ownAccountsQuery.queryKey });
      notifyDone(done);
    },
    onError: error => notifyProblem(error, failed),
  });
}
