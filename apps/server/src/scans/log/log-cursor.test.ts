import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Cursor,
  endOfEntry,
  formatCursor,
  furthest,
  hasReached,
  isAfter,
  parseCursor,
  readUpTo,
} from './log-cursor.ts';

const position = fc.record({
  log: fc.integer({ min: 0, max: 999_999_999 }),
  position: fc.integer({ min: 0, max: 999_999_999_999_999 }),
  index: fc.integer({ min: 0, max: endOfEntry }),
});
const cursor: fc.Arbitrary<Cursor> = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 20 }), position), { minLength: 1, maxLength: 8 })
  .map(entries => new Map(entries));

describe('positions', () => {
  test('are ordered by log, then by entry, then by the scan within it', () => {
    const inOrder = [
      { log: 0, position: 0, index: endOfEntry },
      { log: 0, position: 1, index: 0 },
      { log: 0, position: 1, index: 1 },
      { log: 0, position: 2, index: 0 },
      { log: 1, position: 0, index: endOfEntry },
      { log: 1, position: 1, index: 0 },
    ];
    for (const [i, one] of inOrder.entries()) {
      for (const [j, other] of inOrder.entries()) expect(isAfter(one, other)).toBe(i > j);
    }
  });
});

describe('a cursor', () => {
  test('is written with its shards in order', () => {
    const unordered: Cursor = new Map([
      [10, { log: 0, position: 5, index: 0 }],
      [1, { log: 2, position: 77, index: 0 }],
      [0, { log: 0, position: 123, index: 4 }],
    ]);
    expect(formatCursor(unordered)).toBe('0.0.123.4_1.2.77.0_10.0.5.0');
  });

  test('reads back as it was written', () => {
    fc.assert(
      fc.property(cursor, one => {
        expect(parseCursor(formatCursor(one))).toEqual(one);
      }),
    );
  });

  test.each([
    '',
    'x',
    '1.2',
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.4_',
    '_1.2.3.4',
    '1.2.3.4_5.6',
    '1.2.3.4 ',
    ' 1.2.3.4',
    'a.2.3.4',
    '-1.2.3.4',
    '100000.0.2.3',
    '1.0.1000000000000000.3',
    '1.0.2.10000000000',
    '1.1000000000.2.3',
  ])('%j is not a cursor', text => {
    expect(parseCursor(text)).toBeNull();
  });

  test('may have at most 256 shards', () => {
    const shards = Array.from({ length: 257 }, (_, shard) => `${shard}.0.2.3`);
    expect(parseCursor(shards.slice(1).join('_'))?.size).toBe(256);
    expect(parseCursor(shards.join('_'))).toBeNull();
  });

  test('has reached another that is further on in no shard', () => {
    const at = (...positions: readonly [shard: number, position: number][]): Cursor =>
      new Map(positions.map(([shard, position]) => [shard, { log: 0, position, index: 0 }]));
    expect(hasReached(at([0, 5], [1, 5]), at([0, 5], [1, 5]))).toBe(true);
    expect(hasReached(at([0, 5], [1, 5]), at([0, 5], [1, 6]))).toBe(false);
    expect(hasReached(at([0, 5]), at([0, 4]))).toBe(true);
    // A shard that was never read is at its start, where nothing has been written.
    expect(hasReached(at([0, 5]), at([0, 5], [1, 1]))).toBe(false);
    expect(hasReached(at([0, 5]), new Map([[1, { log: 0, position: 0, index: endOfEntry }]]))).toBe(true);
  });

  test('at a scan of a later shard is at the horizon of the shards before it', () => {
    const horizon: Cursor = new Map([0, 1, 2].map(shard => [shard, { log: 0, position: 9, index: 0 }]));
    const last = { shard: 1, log: 0, position: 4, index: 2 };
    expect([...readUpTo(last, horizon)]).toEqual([
      [0, { log: 0, position: 9, index: 0 }],
      [1, { log: 0, position: 4, index: 2 }],
    ]);
  });

  test('merged with another has reached both, and nothing beyond them', () => {
    fc.assert(
      fc.property(cursor, cursor, (one, other) => {
        const both = furthest(one, other);
        expect(hasReached(both, one)).toBe(true);
        expect(hasReached(both, other)).toBe(true);
        for (const [shard, reached] of both)
          expect([one.get(shard), other.get(shard)]).toContainEqual(reached);
      }),
    );
  });
});
