import { CreateQrCode, shortCodePattern } from '@signpost/contract';
import { expect, test } from 'vitest';
import { generateShortCode, refuseReserved, reservedShortCodes } from './short-code.ts';

test('a generated code is 8 of an alphabet without vowels and look-alikes', () => {
  for (let i = 0; i < 10_000; i++) expect(generateShortCode()).toMatch(/^[23456789bcdfghjkmnpqrstvwxyz]{8}$/);
});

test('generated codes use the whole alphabet evenly', () => {
  const counts = new Map<string, number>();
  for (let i = 0; i < 20_000; i++)
    for (const sign of generateShortCode()) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  const expected = (20_000 * 8) / 28;
  expect(counts.size).toBe(28);
  const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  // 27 degrees of freedom: fewer than one run in a million exceeds 80.
  expect(chiSquare).toBeLessThan(80);
});

test('no code is named t, which begins the short links of test codes', () => {
  const schema = CreateQrCode.properties.short_code as unknown as { minLength: number; pattern: string };
  expect(schema.minLength).toBe(3);
  expect(schema.pattern).toBe(shortCodePattern);
  for (const name of ['t', 'T', 'tt', 't/', 't/x', 't/bcdfghjk/menu'])
    expect(name).not.toMatch(new RegExp(shortCodePattern));
});

test('a reserved word is refused in upper and lower case', () => {
  for (const word of ['docs', 'DOCS', 'healthz', 'Images']) {
    expect(() => refuseReserved(word)).toThrow(expect.objectContaining({ code: 'reserved_short_code' }));
  }
  expect(() => refuseReserved('menu')).not.toThrow();
  for (const word of reservedShortCodes) expect(word).toBe(word.toLowerCase());
});
