import type { OperationInput } from '@signpost/contract';
import { currentAccount } from './account.ts';
import { currentMode } from './mode.ts';
import { type CallableId, pathOf } from './paths.ts';
import { type Query, searchOf } from './request.ts';

/** The address of an operation that answers with a file, in the current account and mode: a link can send no header. */
export function fileUrl<Id extends CallableId>(id: Id, input: OperationInput<Id>): string {
  const { params, query } = input as { readonly params?: object; readonly query?: Query };
  return pathOf(id, params) + searchOf({ ...query, mode: currentMode(), account: currentAccount() });
}
