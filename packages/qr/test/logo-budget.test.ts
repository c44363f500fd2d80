import { paulmillr } from '@signpost/testing/decoders.ts';
import { describe, expect, test } from 'vitest';
import { rolesOf } from '../src/error-correction.ts';
import { correctionUse, modulesIn } from '../src/logo.ts';
import { encodeWith, logoPlanFor } from '../src/matrix.ts';
import { holesOf, plainRaster, symbols, tryHoles } from './support/holes.ts';

/** A link that fits into version 2 at H, and so into every version and level. */
const text = 'https://q.st/a';

describe('the budget of a logo against decoders', () => {
  test.each(symbols)(
    'version $version at $level: no hole that is allowed is lost',
    async symbol => {
      const { missed, read } = await tryHoles(symbol, mask => encodeWith(text, symbol, mask), text);
      expect(missed).toEqual([]);
      expect(read.within).toBeGreaterThan(0);
    },
    600_000,
  );

  test('the count tells to the codeword what a decoder can still read', async () => {
    for (const symbol of symbols) {
      for (const hole of holesOf(symbol.version)) {
        const use = correctionUse(symbol, hole);
        if (!use) continue;
        const matrix = encodeWith(text, symbol);
        for (const at of modulesIn(hole, matrix.size)) matrix.modules[at] = 1 - matrix.modules[at]!;
        const isRead = (await paulmillr(plainRaster(matrix))) === text;
        expect(isRead, `${JSON.stringify({ ...symbol, ...hole, ...use })}`).toBe(
          use.touched <= use.correctable,
        );
      }
    }
  });
});

test('the codewords of every version are whole: eight modules each, and all of them there are', () => {
  const totals = { 2: 44, 3: 70, 4: 100, 5: 134, 6: 172 };
  for (const [version, total] of Object.entries(totals)) {
    const counts = new Map<number, number>();
    for (const role of rolesOf(Number(version))) {
      if (role !== 'pattern') counts.set(role, (counts.get(role) ?? 0) + 1);
    }
    expect([...counts.values()].filter(count => count === 8)).toHaveLength(total);
  }
});

test('a link of 31 characters gets the smallest code that has room for its logo', () => {
  const link = 'https://qr.example.org/k7m2q9xw';
  expect(link).toHaveLength(31);
  const plans = (['small', 'medium', 'large'] as const).map(size => logoPlanFor(link, { size }, false));
  expect(plans.map(plan => [plan!.version, plan!.level, plan!.hole.modules, plan!.use.touched])).toEqual([
    [3, 'quartile', 5, 4],
    [4, 'high', 7, 4],
    [6, 'high', 13, 7],
  ]);
  expect(logoPlanFor(`https://qr.example.org/${'x'.repeat(64)}`, { size: 'large' }, false)).toBeNull();
});
