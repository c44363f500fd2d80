import { expect, test } from 'vitest';
import { getReader } from './entry.ts';
import { readLines } from './lines.ts';

const readIn = (format: string) => getReader(format)!;

test('hosts come by themselves and as hosts files have them', () => {
  const read = readIn('hosts');
  const hosts = (...names: string[]) => names.map(host => ({ host }));
  for (const [line, expected] of [
    ['evil.example', hosts('evil.example')],
    ['  EVIL.example.\r', hosts('evil.example')],
    ['0.0.0.0 evil.example', hosts('evil.example')],
    ['127.0.0.1\tevil.example www.evil.example # since May', hosts('evil.example', 'www.evil.example')],
    ['bücher.example', hosts('xn--bcher-kva.example')],
    ['192.0.2.7', hosts('192.0.2.7')],
    ['[2001:db8::7]', hosts('[2001:db8::7]')],
  ] as const)
    expect(read(line), line).toEqual(expected);
});

test('comments, blank lines and what hosts files say of the machine itself are passed over', () => {
  for (const line of [
    '',
    '   ',
    '# evil.example',
    '127.0.0.1 localhost',
    '::1 ip6-localhost',
    '0.0.0.0 0.0.0.0',
  ])
    expect(readIn('hosts')(line), line).toEqual([]);
});

test.each([
  'https://evil.example',
  'evil.example/path',
  'evil',
  '12345',
  '1.2',
  'a b',
  '203.0.113.7 evil.example',
  'evil.example:8080',
  'user@evil.example',
  `${'a.'.repeat(130)}example`,
])('what is no host is not taken for one: %s', line => {
  expect(readIn('hosts')(line)).toBe(null);
});

test('URLs are http or https', () => {
  const read = readIn('urls');
  expect(read('https://evil.example/a?b#c')).toEqual([{ url: 'https://evil.example/a?b#c' }]);
  expect(read('HTTP://evil.example')).toEqual([{ url: 'HTTP://evil.example' }]);
  for (const line of [
    'evil.example/a',
    'ftp://evil.example',
    'https://',
    'javascript:alert(1)',
    'https://evil..example/',
  ])
    expect(read(line), line).toBe(null);
});

test('a column of CSV is found by its number, with and without quotes, and holds URLs or hosts', () => {
  for (const [format, line, expected] of [
    [
      'csv:3',
      '"1","2026-05-01 10:00:00","https://evil.example/a,b","online"',
      [{ url: 'https://evil.example/a,b' }],
    ],
    ['csv:2', '17,https://evil.example/"quoted,x', null],
    ['csv:2', '17,"https://evil.example/?q=""x""",y', [{ url: 'https://evil.example/?q="x"' }]],
    ['csv:1', 'evil.example', [{ host: 'evil.example' }]],
    ['csv:2', '"a", "evil.example"', [{ host: 'evil.example' }]],
    ['csv:1', '12345,https://evil.example/', null],
    ['csv:4', 'a,b,c', null],
    ['csv:2', 'id,url', null],
    ['csv:2', '1,"no end', null],
    ['csv:2', '# id,url', []],
  ] as const)
    expect(readIn(format)(line), line).toEqual(expected);
});

test.each(['', 'csv', 'csv:0', 'csv:100', 'url', 'HOSTS'])('there is no format %s', format => {
  expect(getReader(format)).toBe(null);
});

test('lines come whole however the file is cut, and one that is too long is none', async () => {
  const text = `a\nbb\r\n${'x'.repeat(100_000)}\n\nlast`;
  for (const size of [1, 3, 1000, 200_000]) {
    const chunks = async function* () {
      for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
    };
    const lines: (string | null)[] = [];
    for await (const line of readLines(chunks())) lines.push(line);
    expect(lines).toEqual(['a', 'bb\r', null, '', 'last']);
  }
});
