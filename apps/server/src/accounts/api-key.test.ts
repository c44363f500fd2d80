import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createApiKey, hashApiKey, parseBearer } from './api-key.ts';

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

test('the stored hash is 32 bytes and tells keys apart', () => {
  const [one, two] = [createApiKey('live'), createApiKey('live')];
  expect(hashApiKey(one)).toMatch(/^[0-9a-f]{64}$/);
  expect(hashApiKey(one)).not.toBe(hashApiKey(two));
});
