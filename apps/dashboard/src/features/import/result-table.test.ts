import { expect, test } from 'vitest';
import { recognise } from './columns.ts';
import { readSheet } from './read-sheet.ts';
import { resultTable, writeResult } from './result-table.ts';
import { writeCsv } from './write-csv.ts';

const sheet = {
  rows: [
    ['Name', 'Destination', 'Table'],
    ['Menu', 'a.example', '=1+1'],
    ['Broken', ''],
    ['Left out', 'https://c.example', '3'],
  ],
  brokenQuotes: false,
};
const found = recognise(sheet.rows);
const code = {
  number: 1,
  id: 'qr_1',
  name: 'Menu',
  destination: 'https://a.example',
  ending: 'menu',
  domain: '',
  shortUrl: 'https://go.example/menu',
  imageUrl: 'https://go.example/i/qr_1',
};
const broken = { number: 2, name: 'Broken', destination: '', ending: '' };

test('the result has every row of the input, with its code or the reason', () => {
  const table = resultTable(
    { sheet, found, columns: found.columns },
    [code],
    [{ row: broken, faults: { destination: 'Enter a destination' } }],
  );
  const rows = writeResult(table, number => (number === 1 ? 'Menu.png' : ''));
  expect(rows).toEqual([
    ['Name', 'Destination', 'Table', 'id', 'short_url', 'image_url', 'image_file', 'error'],
    ['Menu', 'https://a.example', '=1+1', 'qr_1', code.shortUrl, code.imageUrl, 'Menu.png', ''],
    ['Broken', '', '', '', '', '', '', 'Enter a destination'],
    ['Left out', 'https://c.example', '3', '', '', '', '', ''],
  ]);
  const written = readSheet(writeCsv(rows));
  expect(typeof written === 'object' && written.rows[1]![2]).toBe("'=1+1");
});
