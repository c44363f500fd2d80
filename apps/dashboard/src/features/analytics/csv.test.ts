import { expect, test } from 'vitest';
import { csvOf } from './csv.ts';

test('what a spreadsheet would calculate is words, and numbers stay numbers', () => {
  expect(csvOf([['=1+1', '@x', '-2', -2, null]])).toBe("'=1+1,'@x,'-2,-2,\r\n");
});

test('commas, quotes and line ends stay within their cell', () => {
  expect(csvOf([['a,b', 'say "hi"', 'two\nlines']])).toBe('"a,b","say ""hi""","two\nlines"\r\n');
});
