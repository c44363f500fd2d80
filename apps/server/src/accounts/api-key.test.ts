import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createApiKey, hashApiKey, parseBearer, toHint } from './api-key.ts';

/** The published rule: CRC32 of all before it, as six digits of base 62, the highest first. */
function withChecksum(body: string): string {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const powers = [5, 4, 3, 2, 1, 0].map(power => 62 ** power);
  return body + powers.map(power => digits[Math.floor(crc32(body) / power) % 62]).join('');
}

test('a key is its prefix and 38 letters and digits, and parses back', () => {
  for (const mode of ['live', 'test'] as const) {
    const key = createApiKey(mode);
    expect(key.text).toMatch(new RegExp(`^sk_${mode}_[0-9A-Za-z]{38}$`));
    expect(parseBearer(`Bearer ${key.text}`)).toEqual(key);
    expect(parseBearer(`bearer  ${key.text} `)).toEqual(key);
  }
});

test('a key with one character changed has a wrong checksum', () => {
  fc.assert(
    fc.property(fc.integer({ min: 8, max: 45 }), fc.constantFrom(...'0aZ9x'), (at, character) => {
      const { text } = createApiKey('live');
      const changed = text.slice(0, at) + character + text.slice(at + 1);
      expect(parseBearer(`Bearer ${changed}`) === null).toBe(changed !== text);
    }),
    { numRuns: 1000 },
  );
});

test('whoever knows the rule can tell a key from anything else', () => {
  const { text } = createApiKey('test');
  expect(text).toBe(withChecksum(text.slice(0, -6)));
  const made = withChecksum(`sk_live_${'Az09'.repeat(8)}`);
  expect(parseBearer(`Bearer ${made}`)).toEqual({ text: made, mode: 'live' });
});

test.each([
  ['has something before it', `xsk_live_${'a'.repeat(32)}`],
  ['is one longer', `sk_live_${'a'.repeat(33)}`],
  ['is one shorter', `sk_live_${'a'.repeat(31)}`],
  ['is of no mode', `sk_prod_${'a'.repeat(32)}`],
  ['has a sign in it', `sk_live_${'a'.repeat(31)}-`],
  ['is in capitals', `SK_LIVE_${'a'.repeat(32)}`],
])('a right checksum does not help what %s', (_, body) => {
  expect(parseBearer(`Bearer ${withChecksum(body)}`)).toBeNull();
});

test('a live key does not pass for a test key', () => {
  const { text } = createApiKey('live');
  expect(parseBearer(`Bearer ${text.replace('sk_live_', 'sk_test_')}`)).toBeNull();
});

test('what is no key is refused', () => {
  const { text } = createApiKey('live');
  const bad = [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    text,
    `Basic ${text}`,
    `Basic Bearer ${text}`,
    `Bearer${text}`,
    `Bearer ${text}0`,
    `Bearer ${text} x`,
    `Bearer ${text.slice(0, -1)}`,
  ];
  for (const header of bad) expect(parseBearer(header)).toBeNull();
});

test('keys do not repeat and use the whole alphabet evenly', () => {
  const keys = Array.from({ length: 5000 }, () => createApiKey('live').text);
  expect(new Set(keys).size).toBe(keys.length);
  const counts = new Map<string, number>();
  for (const character of keys.flatMap(key => [...key.slice(8, 40)]))
    counts.set(character, (counts.get(character) ?? 0) + 1);
  expect(counts.size).toBe(62);
  const expected = (5000 * 32) / 62;
  const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  // 61 degrees of freedom: beyond 130 lies less than one run in a million.
  expect(chiSquare).toBeLessThan(130);
});

test('what is stored is the SHA-256 of the key, and what is shown of it are its last four characters', () => {
  const key = createApiKey('live');
  expect(hashApiKey(key)).toBe(createHash('sha256').update(key.text).digest('hex'));
  expect(toHint(key)).toBe(key.text.substring(42));
});
