import type { Me } from '@signpost/contract';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { currentAccount, switchAccount } from '../../api/account.ts';
import { takeEarlyMe } from '../../api/early-me.ts';
import { call } from '../../api/operations.ts';
import { queryClient } from '../../api/query-client.ts';

export type Account = NonNullable<Me['account']>;

/** Who is signed in, with role, plan and usage of the account that this tab looks at. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal }) => await readMe({}, signal, await takeEarlyMe()),
  staleTime: 60_000,
});

/** Where the chosen account is none of theirs, or none is chosen yet, it is the first that they have. */
export async function readMe(
  options: { readonly isSignIn?: boolean },
  signal?: AbortSignal,
  early?: Me,
): Promise<Me> {
  const asked = early ?? (await call('getMe', {}, signal, options));
  const [first] = asked.accounts;
  const me =
    asked.account || !first ? asked : await call('getMe', {}, signal, { ...options, account: first.id });
  if (!me.account || me.account.id === currentAccount()) return me;
  forgetAccount();
  switchAccount(me.account.id);
  return me;
}

/** What was loaded in one account is never shown in another. */
export function forgetAccount(): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' });
}

/** Only below the shell, which is not shown before this is known. */
export const useMe = (): Me => useSuspenseQuery(meQuery).data;

/** Only on pages of an account: somebody who has none sees another page in their place. */
export function useAccount(): Account {
  const { account } = useMe();
  if (!account) throw new Error('This page belongs to an account, and there is none');
  return account;
}
