import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTextArena } from './text-arena.ts';

const texts = fc.array(
  fc.tuple(
    fc.string({ unit: fc.integer({ min: 32, max: 126 }).map(String.fromCharCode), maxLength: 5000 }),
    fc.boolean(),
  ),
  { maxLength: 300 },
);

test('every text stays as it was stored, while others come and go', () => {
  fc.assert(
    fc.property(texts, stored => {
      const arena = createTextArena();
      const held = new Map<number, string>();
      for (const [text, isFreed] of stored) {
        const address = arena.store(text);
        expect(held.has(address)).toBe(false);
        held.set(address, text);
        const [first] = held;
        if (!isFreed || !first) continue;
        arena.free(first[0], first[1].length);
        held.delete(first[0]);
      }
      for (const [address, text] of held) {
        expect(arena.read(address, 0, text.length)).toBe(text);
        expect(arena.startsWith(address, text)).toBe(true);
        expect(arena.startsWith(address, `${text.slice(0, -1)}~~`)).toBe(false);
      }
    }),
    { numRuns: 100 },
  );
});

test('a text that is longer than a chunk is refused', () => {
  expect(() => createTextArena().store('x'.repeat(2 * 1024 * 1024))).toThrow(RangeError);
});

test('freed space is used again', () => {
  const arena = createTextArena();
  for (let i = 0; i < 100_000; i++) arena.free(arena.store('x'.repeat(i % 600)), i % 600);
  expect(arena.bytes).toBeLessThan(3 * 1024 * 1024);
});
