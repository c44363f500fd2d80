import Papa from 'papaparse';

/** What was dropped or pasted: rows of cells, still without meaning. */
export type Sheet = {
  readonly rows: readonly (readonly string[])[];
  /** A quote is not closed or not escaped, so each line was read by itself. */
  readonly brokenQuotes: boolean;
};

export type SheetRefusal = 'empty' | 'too_many_rows';

export const maxRows = 20_000;
export const maxBytes = 5 * 1024 * 1024;

/** One more than the rows that are taken, for the names of the columns. */
const maxLines = maxRows + 1;

/** The rows of a text whose cells are separated by commas, semicolons or tabs. Rows without a word in them are left out. */
export function readSheet(text: string): Sheet | SheetRefusal {
  const plain = tidy(text);
  const delimiter = delimiterOf(plain);
  const { cells, sound } = parse(plain, delimiter);
  const lines = sound ? [] : plain.split('\n');
  if (lines.length > maxLines) return 'too_many_rows';
  const rows = (sound ? cells : lines.flatMap(line => cellsOfLine(line, delimiter)))
    .map(row => row.map(cell => cell.trim()))
    .filter(row => row.some(cell => cell !== ''));
  if (rows.length === 0) return 'empty';
  return rows.length > maxLines ? 'too_many_rows' : { rows, brokenQuotes: !sound };
}

/** One kind of line end, and no characters that nobody can see and no name may hold. */
const tidy = (text: string): string =>
  text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .replace(/\n{2,}/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
    .replace(/[\u0000-\u0008\u000B-\u001F\u007F]/g, '')
    .toWellFormed();

const delimiters = ['\t', ';', ','] as const;

/** Whichever stands most often in the first line, outside of quotes. A tab never stands in a name, so it goes first. */
function delimiterOf(text: string): string {
  const [line = ''] = text.trimStart().split('\n', 1);
  const unquoted = line.replace(/"[^"]*"/g, '');
  const counts = delimiters.map(delimiter => unquoted.split(delimiter).length - 1);
  const [tabs = 0] = counts;
  const most = tabs > 0 ? 0 : counts.indexOf(Math.max(...counts));
  return delimiters[most] && counts[most]! > 0 ? delimiters[most] : ',';
}

function parse(text: string, delimiter: string): { readonly cells: string[][]; readonly sound: boolean } {
  const { data, errors } = Papa.parse<string[]>(text, { delimiter, newline: '\n' });
  return { cells: data, sound: errors.every(({ type }) => type !== 'Quotes') };
}

/** A quote that is not closed would swallow all rows below, so it counts for its line alone. */
function cellsOfLine(line: string, delimiter: string): string[][] {
  const { cells, sound } = parse(line, delimiter);
  return sound ? cells : [line.split(delimiter).map(cell => cell.replace(/^\s*"([^"]*)$/, '$1'))];
}
