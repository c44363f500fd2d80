import { queryOptions } from '@tanstack/react-query';
import type { Mode } from '../../api/mode.ts';
import { call } from '../../api/operations.ts';

export const codeSuspensionQuery = (mode: Mode, id: string) =>
  queryOptions({
    queryKey: [mode, 'code', id, 'suspension'],
    queryFn: ({ signal }) => call('getCodeSuspension', { params: { id } }, signal),
  });
