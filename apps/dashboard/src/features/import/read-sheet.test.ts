import { describe, expect, test } from 'vitest';
import { decodeText, isWorkbook } from './decode.ts';
import { maxRows, readSheet } from './read-sheet.ts';

const rowsOf = (text: string) => {
  const sheet = readSheet(text);
  return typeof sheet === 'string' ? sheet : sheet.rows;
};

describe('rows of a file or of the clipboard', () => {
  test.each([
    ['commas', 'a,b\n1,2'],
    ['semicolons', 'a;b\n1;2'],
    ['tabs', 'a\tb\n1\t2'],
    ['line ends of Windows', 'a,b\r\n1,2\r\n'],
    ['line ends of old Macs', 'a,b\r1,2\r'],
    ['a mark at the beginning', '\uFEFFa,b\n1,2'],
    ['blank lines and rows', '\n\na,b\n,\n   \n1,2\n\n'],
    ['spaces around cells', ' a , b \n1 ,  2'],
  ])('%s', (_, text) => {
    expect(rowsOf(text)).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ]);
  });

  test('cells may be quoted, with separators, quotes and line breaks inside', () => {
    expect(rowsOf('"Menu, summer","say ""hi"""\r\n"two\r\nlines",x')).toEqual([
      ['Menu, summer', 'say "hi"'],
      ['two\nlines', 'x'],
    ]);
  });

  test('pasted cells keep their commas, since tabs separate them', () => {
    expect(rowsOf('Menu, summer; late\thttps://a.example/1,2')).toEqual([
      ['Menu, summer; late', 'https://a.example/1,2'],
    ]);
  });

  test('a quote that is never closed spoils its own cell, not the rest of the file', () => {
    const sheet = readSheet('name,url\n"Menu,https://a.example\nBar,https://b.example\n');
    expect(sheet).toEqual({
      brokenQuotes: true,
      rows: [
        ['name', 'url'],
        ['Menu', 'https://a.example'],
        ['Bar', 'https://b.example'],
      ],
    });
  });

  test('a quote inside a cell is part of its text', () => {
    expect(rowsOf('name,url\n"Best" pizza,https://a.example\nThe "old" inn,https://b.example')).toEqual([
      ['name', 'url'],
      ['"Best" pizza', 'https://a.example'],
      ['The "old" inn', 'https://b.example'],
    ]);
  });

  test('nothing in it, or more rows than are taken', () => {
    for (const text of ['', '\n\n', ' , ,\n', '\uFEFF']) expect(readSheet(text)).toBe('empty');
    const lines = (count: number) => `name,url\n${'a,https://a.example\n'.repeat(count)}`;
    expect(rowsOf(lines(maxRows))).toHaveLength(maxRows + 1);
    expect(readSheet(lines(maxRows + 1))).toBe('too_many_rows');
  });
});

describe('the encoding of a file', () => {
  const utf16 = (text: string) => Buffer.from(text, 'utf16le');
  const text = 'Café,Zürich\n';

  test.each<[string, Uint8Array]>([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${text}`)],
    ['UTF-16 with a mark, as Excel writes Unicode text', utf16(`\uFEFF${text}`)],
    ['UTF-16 of the other byte order', utf16(`\uFEFF${text}`).swap16()],
    ['UTF-16 without a mark', utf16(text)],
    ['Windows-1252, as Excel writes CSV', Buffer.from(text, 'latin1')],
  ])('%s', (_, bytes) => {
    expect(decodeText(bytes)).toBe(text);
  });

  test('a workbook is known by its first bytes', () => {
    expect(isWorkbook(Buffer.from('PK\x03\x04rest'))).toBe(true);
    expect(isWorkbook(Buffer.from('d0cf11e0a1b11ae1', 'hex'))).toBe(true);
    expect(isWorkbook(Buffer.from('PK,https://a.example'))).toBe(false);
    expect(isWorkbook(new Uint8Array())).toBe(false);
  });
});
