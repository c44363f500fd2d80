import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { Mode } from '../../api/mode.ts';
import { call } from '../../api/operations.ts';
import type { CodesSearch } from './codes-search.ts';

const codesPerPage = 25;

/** The mode leads every key: what was loaded in one world is never shown in the other, not even while waiting. */
export const codesQuery = (mode: Mode, search: CodesSearch) =>
  queryOptions({
    queryKey: [mode, 'codes', search],
    queryFn: ({ signal }) =>
      call('browseQrCodes', { query: { page: 1, ...mutable(search), limit: codesPerPage } }, signal),
    placeholderData: (before, query) => (query?.queryKey[0] === mode ? before : undefined),
  });

/** The contract's types have arrays that may be changed. */
const mutable = ({ tag, ...search }: CodesSearch) => ({ ...search, ...(tag ? { tag: [...tag] } : {}) });

export const codeQuery = (mode: Mode, id: string) =>
  queryOptions({
    queryKey: [mode, 'code', id],
    queryFn: ({ signal }) => call('getQrCode', { params: { id } }, signal),
  });

export const historyQuery = (mode: Mode, id: string) =>
  queryOptions({
    queryKey: [mode, 'history', id],
    queryFn: ({ signal }) => call('getHistory', { params: { id }, query: { limit: 100 } }, signal),
  });

/** Names a deletion while it lasts, until its page is left: nobody reads a code that is going. */
export const deletionKey = (id: string) => ['delete-code', id];

/** After a change every list and figure may differ. */
export function useForgetCodes(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    // A list that was empty would say "Make your first code" until it is read again.
    client.removeQueries({
      type: 'inactive',
      predicate: ({ queryKey, state }) => queryKey[1] === 'codes' && isEmptyList(state.data),
    });
    await client.invalidateQueries({
      predicate: ({ queryKey }) =>
        ['codes', 'code', 'history', 'aggregate', 'tags'].includes(String(queryKey[1])),
    });
    await client.invalidateQueries({ queryKey: ['me'] });
  };
}

const isEmptyList = (data: unknown): boolean =>
  (data as { readonly pagination?: { readonly total: number } } | undefined)?.pagination?.total === 0;
