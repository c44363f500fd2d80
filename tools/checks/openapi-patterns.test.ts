import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openApiDocument } from '@signpost/contract';
import { expect, test } from 'vitest';

const source = resolve(import.meta.dirname, 'openapi/patterns.go');
const hasGo = spawnSync('go', ['version']).status === 0;

const patterns = [...new Set(patternsIn(openApiDocument('https://qr.example')))];

function patternsIn(node: unknown): string[] {
  if (node === null || typeof node !== 'object') return [];
  const { pattern } = node as { pattern?: unknown };
  const inner = Object.values(node).flatMap(patternsIn);
  return typeof pattern === 'string' ? [pattern, ...inner] : inner;
}

/** One that fits each pattern, and some that fit none or few. */
const texts = [
  ...['2026-11-15', '2026-11-15T08:00:00Z', '2026-11-15T08:00:00.5+02:00', '2026-13-15', '1969-01-01'],
  ...['Europe/Berlin', 'UTC', '9/Berlin', '#1A2B3C', '#1A2B3', 'spring-menu', '-menu', 'ab', 'Ümlaut', ''],
  ...[
    'https://example.com/a?b=c#d',
    'HTTP://example.com',
    'https://bücher.example/ü',
    'https://a b',
    'ftp://a',
  ],
  ...[
    'https://[::1]:8080/a',
    'http://example.com:123456',
    'https://a\u0085b',
    'a\u0000b',
    '\u0000',
    ' ',
    '😀',
  ],
  ...['short_code,tags', 'DE', 'de-DE', '11:30', '24:00', 'door-1', '{country}'],
  ...['qr', 'scan', 'whk', 'msg', 'ast', 'dsn', 'tgt', 'rul', 'shr', 'dom', 'acct', 'key'].map(
    prefix => `${prefix}_01k9z3w8fdm5v7c2n4s6t8r0xb`,
  ),
  ...[
    'ada@example.com',
    'qr_01k9z3w8fdm5v7c2n4s6t8r0xi',
    `whsec_${'A'.repeat(43)}=`,
    `whsec_${'A'.repeat(42)}==`,
  ],
];

/** What ECMAScript has and RE2 has not. */
const notInRe2 = /\\u|\\[1-9]|\\k<|\\c|\(\?[=!<]/;

test('every pattern of the document is one that RE2 takes', () => {
  expect(patterns.length).toBeGreaterThan(10);
  expect(patterns.filter(pattern => notInRe2.test(pattern))).toEqual([]);
  expect(['[^\\u0000]', '(a)\\1', '(?=a)', '(?<!a)'].filter(one => !notInRe2.test(one))).toEqual([]);
});

test.skipIf(!hasGo)('Go compiles every pattern, and matches what ECMAScript matches', () => {
  const byGo = goMatches(patterns);
  const byEcmaScript = patterns.map(pattern => texts.map(text => new RegExp(pattern, 'u').test(text)));
  expect(byGo).toEqual(byEcmaScript);
  // Every pattern is shown to match something and to refuse something.
  for (const [index, row] of byEcmaScript.entries()) {
    expect(new Set(row), patterns[index]).toEqual(new Set([true, false]));
  }
});

test.skipIf(!hasGo)('Go refuses the escapes that the contract is written with', () => {
  expect(() => goMatches(['^[^\\u0000]*$'])).toThrow('invalid escape sequence');
});

function goMatches(given: readonly string[]): boolean[][] {
  const home = mkdtempSync(join(tmpdir(), 'signpost-go-'));
  const { status, stdout, stderr } = spawnSync('go', ['run', source], {
    input: JSON.stringify({ patterns: given, texts }),
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: home, GO111MODULE: 'off' },
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}
