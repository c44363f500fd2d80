import { expect, test } from 'vitest';
import { parseCsv } from './csv.ts';

test('cells are read by the names of the first line, in quotes or bare, with any end of line', () => {
  const text = '\uFEFFa,b c,d\r\n1,"two, ""2""\nand more",3\n4,5\r\n\r\n"",6,\n';
  expect(parseCsv(text)).toEqual([
    { a: '1', 'b c': 'two, "2"\nand more', d: '3' },
    { a: '4', 'b c': '5', d: '' },
    { a: '', 'b c': '6', d: '' },
  ]);
});

test('a file of nothing but names, or of nothing, has no records', () => {
  expect(parseCsv('a,b\n')).toEqual([]);
  expect(parseCsv('')).toEqual([]);
});

test('a quote without its other half is told with its place', () => {
  expect(() => parseCsv('a,b\n1,"2')).toThrow('broken at character 7');
});
