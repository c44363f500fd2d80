import { importText } from '../../strings/import.ts';
import type { Created } from './batches.ts';
import type { Faults } from './faults.ts';
import type { CheckedRow, Loaded } from './use-import.ts';

/** The file that was imported, and what became of each of its rows. */
export type ResultTable = {
  readonly headings: readonly string[];
  readonly rows: readonly {
    readonly number: number;
    readonly cells: readonly string[];
    readonly created: Created | null;
    readonly error: string;
  }[];
};

const words = importText.results;

/** Cells that were mended in the table are written as they were sent. Rows that were taken out have no outcome. */
export function resultTable(
  { sheet, found, columns }: Pick<Loaded, 'sheet' | 'found' | 'columns'>,
  created: readonly Created[],
  checked: readonly CheckedRow[],
): ResultTable {
  const width = Math.max(...sheet.rows.map(cells => cells.length));
  const made = new Map(created.map(code => [code.number, code]));
  const faults = new Map(checked.map(one => [one.row.number, one.faults]));
  const headings = Array.from(
    { length: width },
    (_, at) => found.headings?.[at] ?? importText.columns.numbered(at + 1),
  );
  return {
    headings,
    rows: sheet.rows.slice(found.headings ? 1 : 0).map((cells, index) => {
      const number = index + 1;
      const code = made.get(number) ?? null;
      const full = Array.from({ length: width }, (_, at) => cells[at] ?? '');
      if (code)
        for (const field of ['name', 'destination'] as const) {
          const at = columns[field];
          if (at !== null) full[at] = code[field];
        }
      return { number, cells: full, created: code, error: code ? '' : errorOf(faults.get(number)) };
    }),
  };
}

const errorOf = (faults: Faults = {}): string => Object.values(faults).join('. ');

/** As rows of a file. */
export const writeResult = (
  { headings, rows }: ResultTable,
  imageOf: (number: number) => string,
): readonly (readonly string[])[] => [
  [...headings, ...words.csvColumns],
  ...rows.map(({ number, cells, created, error }) => [
    ...cells,
    created?.id ?? '',
    created?.shortUrl ?? '',
    created?.imageUrl ?? '',
    imageOf(number),
    error,
  ]),
];
