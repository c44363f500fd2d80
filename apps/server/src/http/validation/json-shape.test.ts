import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shape } from './json-body.ts';
import { createShapeCheck, findExcess } from './json-shape.ts';

const excess = (text: string, maxDepth = 32, maxValues = 20_000) =>
  findExcess(Buffer.from(text), { maxDepth, maxValues });

const depthOf = (value: unknown): number =>
  value === null || typeof value !== 'object'
    ? 0
    : 1 + Math.max(0, ...Object.values(value).map(inner => depthOf(inner)));

/** Values and containers; an empty container is counted as if there were one in it. */
const valuesOf = (value: unknown): number =>
  value === null || typeof value !== 'object'
    ? 1
    : 1 +
      Math.max(
        1,
        Object.values(value).reduce((sum: number, inner) => sum + valuesOf(inner), 0),
      );

test('brackets and commas count outside of strings only', () => {
  expect(excess('"[[[[,,,,"', 0, 1)).toBeNull();
  expect(excess('"\\"[[[["', 0, 1)).toBeNull();
  expect(excess('"\\\\"[', 0)).toBe('depth');
  expect(excess('{"a]}":"[{"}', 1)).toBeNull();
  expect(excess('[[]]', 1)).toBe('depth');
  expect(excess('[{"a":[]}]', 2)).toBe('depth');
  expect(excess('[0,0,0]', 1, 3)).toBe('values');
  expect(excess('[0,0,0]', 1, 4)).toBeNull();
});

test('text that is no JSON is left to the parser, whatever it looks like', () => {
  for (const text of ['', '"', '"\\', '"\\"', ']]]]', '}}}{', ',', 'nul', '\\"[', '[}']) {
    expect(excess(text), text).toBeNull();
  }
});

test('of any JSON the depth is found exactly, and never fewer values than there are', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(3), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const [depth, values] = [depthOf(value), valuesOf(value)];
      expect(excess(text, depth)).toBeNull();
      if (depth > 0) expect(excess(text, depth - 1)).toBe('depth');
      expect(excess(text, 99, values)).toBeNull();
    }),
    { numRuns: 2000 },
  );
});

test('the largest bulk with every field is half of what is taken', () => {
  const style = Object.fromEntries(Array.from({ length: 7 }, (_, i) => [`style${i}`, '#000000']));
  const item = {
    name: '',
    destination_url: '',
    short_code: '',
    style,
    status: '',
    type: '',
    destination: '',
  };
  const body = JSON.stringify({ items: Array.from({ length: 500 }, () => item), atomic: true });
  expect(excess(body, shape.maxDepth / 2, shape.maxValues / 2)).toBeNull();
});

test.each([
  ['brackets', '[', 'depth'],
  ['zeros', '0,', 'values'],
  ['empty objects', '{},', 'values'],
  ['a mix', '[{"a":', 'depth'],
  ['keys', '"a":0,', 'values'],
] as const)('five megabytes of %s are found out at the beginning', (_name, piece, found) => {
  const text = Buffer.from(`[${piece.repeat((5 * 1024 * 1024) / piece.length)}`);
  const startMs = performance.now();
  expect(findExcess(text, shape)).toBe(found);
  expect(performance.now() - startMs).toBeLessThan(50);
});

test('a text in pieces has the shape of the whole', () => {
  const pieces = fc.array(fc.constantFrom('[', ']', '{', '}', ',', '"', '\\', 'a', '\\"', '"[,"'), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(pieces, fc.array(fc.nat(60), { maxLength: 5 }), (parts, cuts) => {
      const text = Buffer.from(parts.join(''));
      const limits = { maxDepth: 3, maxValues: 12 };
      const check = createShapeCheck(limits);
      const ends = [...cuts.map(cut => Math.min(cut, text.length)).sort((a, b) => a - b), text.length];
      let found: string | null = null;
      let from = 0;
      for (const end of ends) {
        found ??= check(text.subarray(from, end));
        from = end;
      }
      expect(found).toBe(findExcess(text, limits));
    }),
    { numRuns: 2000 },
  );
});
