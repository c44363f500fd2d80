/** Text that a spreadsheet would run as a formula, also after white space and in full-width letters. */
const formula = /^[\s\p{Cc}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/u;

/** A CSV file that spreadsheets open as it is: UTF-8 with its mark, and no cell that could run. */
export const writeCsv = (rows: readonly (readonly string[])[]): string =>
  `\uFEFF${rows.map(cells => `${cells.map(cellOf).join(',')}\r\n`).join('')}`;

function cellOf(value: string): string {
  const safe = formula.test(value) ? `'${value}` : value;
  return /[",;\r\n\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
