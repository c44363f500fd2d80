import type { OperationAnswer, OperationInput } from '@signpost/contract';
import { operationTable } from './operation-table.ts';
import { type CallableId, pathOf } from './paths.ts';
import { type Query, type RequestOptions, request } from './request.ts';

type Parts = { readonly params?: object; readonly query?: object; readonly body?: unknown };

/** Calls an operation in the name of whoever is signed in. Method, path and types are those of the contract. */
export async function call<Id extends CallableId>(
  id: Id,
  input: OperationInput<Id>,
  signal?: AbortSignal,
  options: Pick<RequestOptions, 'headers' | 'account' | 'timeoutMs' | 'isSignIn'> = {},
): Promise<OperationAnswer<Id>> {
  const [method, , kind] = operationTable[id];
  const { params, query, body } = input as Parts;
  const response = await request(method, pathOf(id, params), {
    query: query as Query | undefined,
    body,
    signal,
    ...options,
  });
  return (kind === 'json' ? await response.json() : await response.blob()) as OperationAnswer<Id>;
}
