import type { OperationId } from '@signpost/contract';
import { operationTable } from './operation-table.ts';

export type CallableId = OperationId & keyof typeof operationTable;

/** The path of an operation with its parameters filled in. */
export function pathOf(id: CallableId, params: object = {}): string {
  const values = params as Readonly<Record<string, string>>;
  return operationTable[id][1].replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? ''),
  );
}
