import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query';
import type { Mode } from '../../api/mode.ts';
import { call } from '../../api/operations.ts';
import type { CodesSearch } from './codes-search.ts';

export const codesPerPage = 25;

/** The mode leads every key: what was loaded in one world is never shown in the other. */
export const codesQuery = (mode: Mode, search: CodesSearch) =>
  queryOptions({
    queryKey: [mode, 'codes', search],
    queryFn: ({ signal }) =>
      call('browseQrCodes', { query: { page: 1, ...search, limit: codesPerPage } }, signal),
    placeholderData: keepPreviousData,
  });

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

/** After a change every list and figure may differ. */
export function useForgetCodes(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await client.invalidateQueries({
      predicate: ({ queryKey }) => ['codes', 'code', 'history', 'aggregate'].includes(String(queryKey[1])),
    });
    await client.invalidateQueries({ queryKey: ['me'] });
  };
}
