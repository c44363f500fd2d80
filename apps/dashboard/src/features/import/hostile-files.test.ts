import { describe, expect, test } from 'vitest';
import { recognise } from './columns.ts';
import { decodeText } from './decode.ts';
import { createFaultFinder } from './faults.ts';
import { type ImportRow, toRows } from './import-row.ts';
import { maxBytes, maxRows, readSheet } from './read-sheet.ts';

/** Everything that happens to a file before a person sees its table. */
function load(bytes: Uint8Array): readonly ImportRow[] | string {
  const sheet = readSheet(decodeText(bytes));
  if (typeof sheet === 'string') return sheet;
  const found = recognise(sheet.rows);
  const rows = toRows(sheet.rows, found, found.columns);
  createFaultFinder(3)(rows);
  return rows;
}

const large = maxBytes - 100;
const fill = (text: string) => text.repeat(Math.floor(large / text.length));
const noise = (seed: number, length: number, most = 256) => {
  let state = seed;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 16) % most;
  });
};
const alphabet = [...'",;\t\n\r\\\'=a. h/:'];
const shuffled = (seed: number) =>
  Array.from(noise(seed, 200_000, alphabet.length), at => alphabet[at]).join('');

const files: readonly (readonly [name: string, file: string | Uint8Array])[] = [
  ['nothing', ''],
  ['one mark', '\uFEFF'],
  ['two marks', '\uFEFF\uFEFFname,url\na,https://a.example'],
  ['half a mark of UTF-16', Uint8Array.of(0xff)],
  ['UTF-16 cut in the middle of a character', Uint8Array.of(0xff, 0xfe, 0x61, 0x00, 0x62)],
  ['a mark of UTF-16 before text in UTF-8', Buffer.from([0xff, 0xfe, ...Buffer.from('name,url\n')])],
  ['UTF-8 cut in the middle of a character', Buffer.from('name,url\nCafé').subarray(0, -1)],
  ['bytes that are no UTF-8', Uint8Array.of(0xc0, 0xaf, 0x2c, 0xfe, 0x0a)],
  ['lone surrogates', 'name,url\n\uD800a,https://a.example/\uDC00'],
  ['only headings', 'name,url,short_code\n'],
  ['only line ends', '\r\n\n\r\r\n'],
  ['only separators', ',,,,;;;;\t\t\t\n,,,,'],
  ['only quotes', '""""""""""'],
  ['one quote', '"'],
  ['an unclosed quote in the first cell', '"name,url\na,https://a.example\n'],
  ['an unclosed quote in the last cell', 'name,url\na,"https://a.example'],
  ['a quote inside a cell', 'name,url\na"b"c,https://a.example'],
  ['text behind a closed quote', 'name,url\n"a"b,"https://a.example" \n'],
  ['five megabytes of quotes', fill('"')],
  ['five megabytes of quotes in pairs with text', fill('"a"b')],
  ['five megabytes of unclosed quotes, one a line', fill('"a,b\n')],
  ['five megabytes of separators', fill(',')],
  ['five megabytes of line ends', fill('\r\n')],
  ['five megabytes in one cell', `name,url\n${fill('a')},https://a.example`],
  [
    'five megabytes of dots',
    `name,url,short_code\na,${fill('.').slice(0, large / 2)},${fill('.').slice(0, large / 2)}`,
  ],
  [
    'five megabytes of slashes',
    `name,url,short_code\na,https://${fill('/').slice(0, large / 2)},${fill('/').slice(0, large / 2)}`,
  ],
  ['five megabytes of hosts', `name,url\na,${fill('a-.')}`],
  ['one cell of spaces', `name,url\n${fill(' ')}x,https://a.example`],
  ['zeros between the letters', 'n\0a\0m\0e\0,\0u\0r\0l\0\n\0a\0,\0b\0'],
  ['five megabytes of zeros', new Uint8Array(large)],
  ['control characters', 'name,url\n\u0001\u0002\u0007a\u001B[31m,https://a.example\u0008'],
  ['mixed line ends', 'name,url\r\na,https://a.example\nb,https://b.example\rc,https://c.example'],
  ['formulas', 'name,url\n=HYPERLINK("http://evil.example"),https://a.example\n@SUM(1),+1\n-2,=1+1'],
  ['headings twice', 'name,name,url,url\na,b,https://a.example,https://b.example'],
  ['headings named as things of JavaScript', '__proto__,constructor,toString\na,b,https://a.example'],
  ['no heading has a name', ',,\n,,https://a.example'],
  ['rows of many lengths', `name,url\na\na,https://a.example,c,d,e\n${','.repeat(5000)}x`],
  ['more rows than allowed', `name,url\n${'a,https://a.example\n'.repeat(maxRows + 5)}`],
  ['the same ending ten thousand times', `name,url,ending\n${'a,https://a.example,menu\n'.repeat(maxRows)}`],
  ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...noise(7, 50_000)])],
  ['random bytes', noise(1, 500_000)],
  ['random quotes, separators and line ends', shuffled(2)],
  ['more of them', shuffled(3)],
  ['JSON', JSON.stringify({ links: [{ long_url: 'https://a.example', link: 'https://bit.ly/x' }] })],
  ['a page of the web', '<!doctype html><title>a, b</title>\n<a href="https://a.example">x</a>'],
];

describe('no file breaks the import or keeps it busy', () => {
  /** Measured against this: splitting a file of the largest size once, on this machine, in the same run. */
  const bare = timed(
    () =>
      void 'a,b\n'
        .repeat(maxBytes / 4)
        .split('\n')
        .map(line => line.split(',')),
  );

  test.each(files)('%s', (_, file) => {
    const bytes = typeof file === 'string' ? Buffer.from(file) : file;
    let loaded: readonly ImportRow[] | string = '';
    const taken = timed(() => {
      loaded = load(bytes);
    });
    expect(['string', 'object']).toContain(typeof loaded);
    if (typeof loaded !== 'string')
      expect((loaded as readonly ImportRow[]).length).toBeLessThanOrEqual(maxRows + 1);
    expect(taken).toBeLessThan(60 * bare + 2000);
  });

  test('there are at least forty of them', () => {
    expect(files.length).toBeGreaterThanOrEqual(40);
  });
});

function timed(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}
