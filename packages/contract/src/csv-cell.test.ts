import { parseStrictCsv } from '@signpost/testing/strict-csv.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvCell, readCsvCell } from './csv-cell.ts';

/** What spreadsheets treat as the start of a formula, once the file is read. */
const isFormula = (cell: string) => /^[\s\p{Cc}]*[=+\-@＝＋－＠]/u.test(cell);

/**
 * Cells as a spreadsheet reads them with these separators. A quote counts only at the beginning of a cell; what follows a closing
 * quote is added to it.
 */
function readLeniently(text: string, separators: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  let isStart = true;
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (isQuoted) {
      if (char !== '"') cell += char;
      else if (text[at + 1] === '"') {
        cell += '"';
        at++;
      } else isQuoted = false;
    } else if (char === '"' && isStart) isQuoted = true;
    else if (separators.includes(char) || char === '\n' || char === '\r') {
      cells.push(cell);
      cell = '';
      isStart = true;
      continue;
    } else cell += char;
    isStart = false;
  }
  return [...cells, cell].filter(one => one !== '');
}

const hostile = fc.array(
  fc.oneof(
    fc.constantFrom(
      '=1+1',
      '+1',
      '-1',
      '@SUM(A1)',
      '＝1',
      ';',
      ';;',
      '\t',
      '\r',
      '\n',
      '\r\n',
      '"',
      '""',
      "'",
      ' ',
    ),
    fc.constantFrom('|', ',', 'a', 'Menu', '\u00a0', '\u0001'),
    fc.string({ unit: 'grapheme', maxLength: 3 }),
  ),
  { maxLength: 9 },
);
const rows = fc.array(fc.tuple(hostile, hostile, hostile), { maxLength: 4 });
const lineOf = (cells: readonly string[]) => `${cells.map(csvCell).join(',')}\r\n`;

describe('a cell of a CSV file', () => {
  test.each([
    ['commas', ','],
    ['semicolons, as Excel has in most of Europe', ';'],
    ['tabs', '\t'],
    ['commas, semicolons and tabs, as LibreOffice offers', ',;\t'],
  ])('is no formula to a reader that separates by %s', (_, separators) => {
    fc.assert(
      fc.property(rows, cells => {
        const text = cells.map(row => lineOf(row.map(parts => parts.join('')))).join('');
        expect(readLeniently(text, separators).filter(isFormula)).toEqual([]);
      }),
      { numRuns: 5_000 },
    );
  });

  test.each([
    [';=1+1', `";'=1+1"`],
    ['Lunch; +1 free', `"Lunch;' +1 free"`],
    [';"=1+1;', `";'""=1+1;"`],
    ['a\r\n=1', `"a\r\n'=1"`],
    ['a\t@b', `"a\t'@b"`],
    ['=1', `'=1`],
    ['a;b', '"a;b"'],
    ["L'Aquila", "L'Aquila"],
    ['https://example.com/?a=1', 'https://example.com/?a=1'],
    ['3=3', '3=3'],
    ['', ''],
  ])('%j is written as %j', (text, written) => expect(csvCell(text)).toBe(written));

  test('is read back as it was, strictly by RFC 4180, whatever apostrophes it has of its own', () => {
    fc.assert(
      fc.property(rows, cells => {
        const texts = cells.map(row => row.map(parts => parts.join('')));
        const read = parseStrictCsv(texts.map(lineOf).join(''));
        expect(read.map(row => row.map(readCsvCell))).toEqual(texts);
      }),
      { numRuns: 5_000 },
    );
  });

  test('of a megabyte is written in linear time', () => {
    for (const part of [';', "'", ' ', ';"', '\t\n', ";'"]) {
      const text = part.repeat(1_000_000 / part.length);
      const startedMs = performance.now();
      readCsvCell(csvCell(text));
      expect(performance.now() - startedMs).toBeLessThan(2_000);
    }
  });
});
