import { csvCell, readCsvCell } from '@signpost/contract/csv-cell.ts';
import { parseStrictCsv } from '@signpost/testing/strict-csv.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scanFile } from './scan-file.ts';

const head = { qr_id: 'qr_1', period: { start: '2026-11-01T00:00:00Z', end: '2026-11-30T23:59:59Z' } };

const record = fc.record({
  id: fc.constant('scan_1'),
  timestamp: fc.constant('2026-11-15T00:00:00.000Z'),
  country: fc.constantFrom('DE', 'XX'),
  region: fc.string({ unit: 'grapheme' }),
  city: fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '=1+1',
      '+1',
      '-1',
      '@SUM(A1)',
      '\t=1',
      ' =1',
      '\r=1',
      '＝1',
      '"=1',
      'a\r\n=1',
      "'=1",
      ',=1',
      ';=1',
    ),
  ),
  device: fc.constant('ios'),
  browser: fc.constant('safari'),
  is_unique: fc.boolean(),
  language: fc.constantFrom('', 'de'),
  target_id: fc.constantFrom('', 'tgt_1'),
  rule_id: fc.constantFrom('', 'rul_1'),
  placement: fc.constantFrom('', 'till', '-'),
});

/** What Excel, LibreOffice and others treat as the start of a formula, once the CSV is read. */
const isFormula = (cell: string) => /^[\s\p{Cc}]*[=+\-@＝＋－＠]/u.test(cell) || /^[\t\r\n]/.test(cell);

describe('a CSV file', () => {
  test('is read back as it was written, strictly by RFC 4180, and no cell begins a formula', () => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: 8 }), records => {
        const file = scanFile('csv', head);
        const [columns, ...rows] = parseStrictCsv(
          file.head() + file.chunk(records, 0) + file.tail(records.length),
        );
        expect(columns).toEqual(
          Object.keys(records[0] ?? Object.fromEntries(columns!.map(name => [name, '']))),
        );
        expect(rows.flat().filter(isFormula)).toEqual([]);
        expect(rows.map(row => row.map(readCsvCell))).toEqual(
          records.map(one => Object.values(one).map(String)),
        );
      }),
      { numRuns: 2_000 },
    );
  });

  test('begins with a byte order mark if requested, and is otherwise the same', () => {
    const [plain, marked] = [scanFile('csv', head), scanFile('csv', head, true)];
    expect(Buffer.from(marked.head()).subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    expect(marked.head().slice(1)).toBe(plain.head());
    expect(marked.type).toBe(plain.type);
    const scans = fc.sample(record, 3);
    expect(marked.chunk(scans, 0)).toBe(plain.chunk(scans, 0));
    expect(marked.tail(1)).toBe(plain.tail(1));
  });

  test('leaves cells that are no formula unchanged', () => {
    for (const text of ['Munich', 'Île-de-France', "L'Aquila", '3=3', '']) expect(csvCell(text)).toBe(text);
  });
});

describe('a JSON file', () => {
  test('is one object with all scans in order, and ends with their count', () => {
    fc.assert(
      fc.property(fc.array(fc.array(record, { maxLength: 4 }), { maxLength: 4 }), pieces => {
        const file = scanFile('json', head);
        let [text, count] = [file.head(), 0];
        for (const piece of pieces) {
          text += file.chunk(piece, count);
          count += piece.length;
        }
        text += file.tail(count);
        expect(JSON.parse(text)).toEqual({ ...head, data: pieces.flat(), total: count });
      }),
    );
  });
});
