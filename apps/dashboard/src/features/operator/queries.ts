import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/operations.ts';
import type { AccountsSearch, PageSearch, PeopleSearch, ReportsSearch, SuspensionsSearch } from './search.ts';

/** Operators look after both modes at once, so no mode is part of these keys. */
const all = 'operator';
const perPage = 20;

export const reportsQuery = (search: ReportsSearch) =>
  queryOptions({
    queryKey: [all, 'reports', search],
    queryFn: ({ signal }) =>
      call('listReports', { query: { page: 1, state: 'open', ...search, limit: perPage } }, signal),
  });

export const foundCodesQuery = (link: string) =>
  queryOptions({
    queryKey: [all, 'codes', link],
    queryFn: ({ signal }) => call('findCodes', { query: { link } }, signal),
  });

export const peopleQuery = (search: PeopleSearch) =>
  queryOptions({
    queryKey: [all, 'people', search],
    queryFn: ({ signal }) => call('listPeople', { query: { page: 1, ...search, limit: perPage } }, signal),
  });

export const accountsQuery = (search: AccountsSearch) =>
  queryOptions({
    queryKey: [all, 'accounts', search],
    queryFn: ({ signal }) => call('listAccounts', { query: { page: 1, ...search, limit: perPage } }, signal),
  });

export const plansQuery = queryOptions({
  queryKey: [all, 'plans'],
  queryFn: ({ signal }) => call('listPlans', {}, signal),
});

/** Runs the check. Its answer stays until somebody asks again. */
export const setupQuery = queryOptions({
  queryKey: ['setup-check'],
  queryFn: ({ signal }) => call('runSetupCheck', {}, signal),
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: false,
  retry: false,
});

export const accountQuery = (id: string) =>
  queryOptions({
    queryKey: [all, 'account', id],
    queryFn: ({ signal }) => call('getOperatorAccount', { params: { id } }, signal),
  });

export const accountCodesQuery = (id: string, { page = 1 }: PageSearch) =>
  queryOptions({
    queryKey: [all, 'account', id, 'codes', page],
    queryFn: ({ signal }) =>
      call('listOperatorCodes', { params: { id }, query: { page, limit: perPage } }, signal),
  });

export const suspensionsQuery = (search: SuspensionsSearch) =>
  queryOptions({
    queryKey: [all, 'suspensions', search],
    queryFn: ({ signal }) =>
      call('listSuspensions', { query: { page: 1, state: 'open', ...search, limit: perPage } }, signal),
  });

export const blockedHostsQuery = ({ page = 1 }: PageSearch) =>
  queryOptions({
    queryKey: [all, 'blocked-hosts', page],
    queryFn: ({ signal }) => call('listBlockedHosts', { query: { page, limit: perPage } }, signal),
    // Until the codes of all of them are marked.
    refetchInterval: ({ state }) => (state.data?.data.some(({ marking }) => marking) ? 3_000 : false),
  });

export const hostReachQuery = (host: string) =>
  queryOptions({
    queryKey: [all, 'reach', host],
    queryFn: ({ signal }) => call('getHostReach', { params: { id: host } }, signal),
    retry: false,
  });

export const listsQuery = queryOptions({
  queryKey: [all, 'lists'],
  queryFn: ({ signal }) => call('listBlockLists', {}, signal),
});

/** Whatever an operator does shows on several pages. */
export function useForgetAbuse(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: [all] });
}
