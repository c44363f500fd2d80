/*
 * Cells of CSV files that no spreadsheet runs as a formula. The files are separated by commas, but Excel separates by what the
 * settings of the machine say, semicolons in most of Europe, and then takes a quote for a letter unless a cell begins with it. So
 * a formula may begin wherever a semicolon, a tab or a line break in the text makes such a reader begin a cell.
 */

/** Also in their full-width forms. */
const formula = '[=+\\-@\\uFF1D\\uFF0B\\uFF0D\\uFF20]';
/** Where a reader with other separators than commas begins a cell. */
const breaks = ';\\t\\r\\n';
/** Apostrophes of the text itself get one more, so that reading removes exactly the one that was added. */
const atStart = `(?='*(?:[\\s\\p{Cc}]*${formula}|[\\t\\r\\n]))`;
/** Quotes, because such a reader removes them at the beginning of a cell. */
const afterBreak = `(?='*(?:(?![${breaks}])[\\s\\p{Cc}"])*${formula})`;

const startOfFormula = new RegExp(`^${atStart}`, 'u');
const breakBeforeFormula = new RegExp(`[${breaks}]${afterBreak}`, 'gu');
const addedAtStart = new RegExp(`^'${atStart}`, 'u');
const addedAfterBreak = new RegExp(`([${breaks}])'${afterBreak}`, 'gu');

/** A cell of RFC 4180. An apostrophe before what would be a formula makes it text. */
export function csvCell(text: string): string {
  const needsQuotes = /[",;\t\r\n]/.test(text);
  // Fast path: most cells begin with a letter or a digit.
  const first = text.charCodeAt(0);
  const isAlphanumeric = (first > 0x40 && first < 0x7f) || (first >= 0x30 && first <= 0x39);
  if (isAlphanumeric && !needsQuotes) return text;
  const safe = text.replace(startOfFormula, "'").replace(breakBeforeFormula, "$&'");
  return needsQuotes ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The text of a cell that `csvCell` has written, once its quotes are removed. */
export const readCsvCell = (cell: string): string =>
  cell.replace(addedAfterBreak, '$1').replace(addedAtStart, '');
