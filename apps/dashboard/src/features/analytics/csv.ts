import { csvCell } from '@signpost/contract/csv-cell.ts';

type Cell = string | number | null;

/** A table as a file for a spreadsheet. */
export const csvOf = (rows: readonly (readonly Cell[])[]): string =>
  [...rows.map(row => row.map(cellOf).join(',')), ''].join('\r\n');

function cellOf(value: Cell): string {
  if (value === null) return '';
  return typeof value === 'number' ? String(value) : csvCell(value);
}
