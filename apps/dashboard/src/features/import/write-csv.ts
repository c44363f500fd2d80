import { csvCell } from '@signpost/contract/csv-cell.ts';

/** A CSV file that spreadsheets open as it is: UTF-8 with its mark, and no cell that could run. */
export const writeCsv = (rows: readonly (readonly string[])[]): string =>
  `\uFEFF${rows.map(cells => `${cells.map(csvCell).join(',')}\r\n`).join('')}`;
