import { CsvError, parse } from 'csv-parse/sync';
import { AppError } from '../../kernel/errors.ts';

/** The records of a CSV file (RFC 4180) by the names of its first line. A missing cell is empty. */
export function parseCsv(text: string): readonly Readonly<Record<string, string>>[] {
  const [names = [], ...rows] = readRows(text);
  return rows.map(cells => Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])));
}

function readRows(text: string): readonly (readonly string[])[] {
  try {
    const rows: string[][] = parse(text, {
      bom: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
    });
    return rows.filter(cells => cells.length > 1 || cells[0] !== '');
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    const message = `The CSV is broken in line ${cause.lines}: a quote is not closed or not escaped.`;
    throw new AppError('invalid_request', message, { cause });
  }
}
