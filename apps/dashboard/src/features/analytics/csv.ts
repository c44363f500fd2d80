type Cell = string | number | null;

/** A table as a file for a spreadsheet. Words that a spreadsheet would calculate begin with a quote. */
export const csvOf = (rows: readonly (readonly Cell[])[]): string =>
  [...rows.map(row => row.map(cellOf).join(',')), ''].join('\r\n');

function cellOf(value: Cell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
