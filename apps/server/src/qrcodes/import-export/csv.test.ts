import { expect, test } from 'vitest';
import { parseCsv } from './csv.ts';

test('cells are read by the column names of the first line, quoted or not, with any line ending', () => {
  const text = '\uFEFFa,b c,d\r\n1,"two, ""2""\nand more",3\n4,5\r\n\r\n"",6,\n';
  expect(parseCsv(text)).toEqual([
    { a: '1', 'b c': 'two, "2"\nand more', d: '3' },
    { a: '4', 'b c': '5', d: '' },
    { a: '', 'b c': '6', d: '' },
  ]);
});

test('a file with only column names, or an empty file, has no records', () => {
  expect(parseCsv('a,b\n')).toEqual([]);
  expect(parseCsv('')).toEqual([]);
});

test.each([
  ['not closed', 'a,b\n1,"2'],
  ['inside a cell', 'a,b\n1,2"3\n'],
  ['followed by text', 'a,b\n1,"2"3\n'],
])('a quote that is %s is refused with its line', (_, text) => {
  expect(() => parseCsv(text)).toThrow('The CSV is broken in line 2');
});

test('a line whose only cell is empty has no record, and lines may end in a carriage return alone', () => {
  expect(parseCsv('a\r""\r1\r')).toEqual([{ a: '1' }]);
});
