import type { BulkEditQrCodes } from '@signpost/contract';
import { call } from '../../api/operations.ts';
import type { BatchResult } from './run-bulk.ts';

export type BulkSet = BulkEditQrCodes['set'];

const options = { timeoutMs: 120_000 };

/** Changes all of these codes, or none where one of them is gone. */
export async function editCodes(ids: readonly string[], set: BulkSet): Promise<BatchResult> {
  const body = { ids: [...ids], expected_count: ids.length, set };
  const { updated, data } = await call('bulkEditQrCodes', { body }, undefined, options);
  return { done: updated, failures: failuresIn(data) };
}

export async function deleteCodes(ids: readonly string[]): Promise<BatchResult> {
  const body = { ids: [...ids], expected_count: ids.length };
  const { deleted, data } = await call('bulkDeleteQrCodes', { body }, undefined, options);
  return { done: deleted, failures: failuresIn(data) };
}

type Item =
  | { readonly status: 'failed'; readonly id: string; readonly error: { readonly message: string } }
  | { readonly status: 'updated' | 'deleted' };

export const failuresIn = (data: readonly Item[]) =>
  data.flatMap(item => (item.status === 'failed' ? [{ id: item.id, message: item.error.message }] : []));
