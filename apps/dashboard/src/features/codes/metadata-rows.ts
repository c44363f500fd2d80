import { maxMetadataKeys } from '@signpost/contract/values.ts';
import { organiseText } from '../../strings/organise.ts';

const { faults } = organiseText.panel;

/** A detail of a code, as it is typed. The number stays with it while others come and go. */
export type MetadataRow = { readonly number: number; readonly key: string; readonly value: string };

export const maxRows = maxMetadataKeys;

export const rowsOf = (metadata: Readonly<Record<string, string>>): readonly MetadataRow[] =>
  Object.entries(metadata)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value], number) => ({ number, key, value }));

/** What is wrong with each row, by its cell. */
export function rowFaults(rows: readonly MetadataRow[]) {
  return rows.map(({ key, value }, at) => ({
    key: !/^[A-Za-z0-9_.-]{1,40}$/.test(key)
      ? faults.key
      : rows.findIndex(row => row.key === key) < at
        ? faults.sameKey
        : null,
    value: [...value].length > 500 ? faults.value : null,
  }));
}

/** The edit that turns one into the other: keys that are gone become null. Undefined where nothing changes. */
export function metadataChange(
  before: Readonly<Record<string, string>>,
  rows: readonly MetadataRow[],
): Record<string, string | null> | undefined {
  const after = Object.fromEntries(rows.map(({ key, value }) => [key, value]));
  const gone = Object.keys(before).filter(key => !Object.hasOwn(after, key));
  const set = Object.entries(after).filter(([key, value]) => before[key] !== value);
  if (gone.length + set.length === 0) return undefined;
  return { ...Object.fromEntries(gone.map(key => [key, null])), ...Object.fromEntries(set) };
}
