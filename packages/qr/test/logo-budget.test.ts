import { ciScale } from '@signpost/testing/ci-scale.ts';
import { paulmillr, zbar, zxing } from '@signpost/testing/decoders.ts';
import type { Raster } from '@signpost/testing/raster.ts';
import { describe, expect, test } from 'vitest';
import { type CorrectionLevel, logoVersions, modulesOf, rolesOf } from '../src/error-correction.ts';
import { correctionUse, type Hole, isWithinBudget, logoShapes, modulesIn } from '../src/logo.ts';
import { encodeWith, logoPlanFor, type Matrix } from '../src/matrix.ts';
import { createRandom, type Random } from './support/random.ts';

const levels: readonly CorrectionLevel[] = ['quartile', 'high'];
const versions = Array.from({ length: 5 }, (_, at) => logoVersions.least + at);
/** A link that fits into version 2 at H, and so into every version and level. */
const text = 'https://q.st/a';

/** What lies in the hole. Inverted modules are the worst there is: every codeword that is touched is wrong. */
const fillings = {
  inverted: (dark: number) => 1 - dark,
  black: () => 1,
  white: () => 0,
  noise: (_: number, random: Random) => (random.next() < 0.5 ? 1 : 0),
} as const;

const symbols = versions.flatMap(version => levels.map(level => ({ version, level })));

describe('the budget of a logo against decoders', () => {
  test.each(symbols)(
    'version $version at $level: no hole that is allowed is lost',
    async symbol => {
      const random = createRandom(symbol.version * 2 + (symbol.level === 'high' ? 1 : 0));
      const missed: string[] = [];
      const read = { within: 0, beyond: 0, beyondRead: 0 };
      for (const hole of holesOf(symbol.version)) {
        const use = correctionUse(symbol, hole);
        if (!use) continue;
        const isAllowed = isWithinBudget(use);
        for (const mask of masks(random)) {
          for (const [name, fill] of Object.entries(fillings)) {
            const matrix = encodeWith(text, symbol, mask);
            for (const at of modulesIn(hole, matrix.size))
              matrix.modules[at] = fill(matrix.modules[at]!, random);
            const texts = await Promise.all([zxing, zbar, paulmillr].map(decode => decode(rasterOf(matrix))));
            const isRead = texts.every(one => one === text);
            if (isAllowed) read.within++;
            else read.beyond++;
            if (!isAllowed && isRead) read.beyondRead++;
            if (isAllowed && !isRead)
              missed.push(`${hole.modules} ${hole.shape}, mask ${mask}, ${name}: ${texts.join(', ')}`);
          }
        }
      }
      console.log(
        `logo budget, version ${symbol.version} at ${symbol.level}: allowed ${read.within}, lost ${missed.length}; refused ${read.beyond}, of which read ${read.beyondRead}`,
      );
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
        const isRead = (await paulmillr(rasterOf(matrix))) === text;
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
  const plans = (['small', 'medium', 'large'] as const).map(size => logoPlanFor(link, { size }));
  expect(plans.map(plan => [plan!.version, plan!.level, plan!.hole.modules, plan!.use.touched])).toEqual([
    [3, 'quartile', 5, 4],
    [4, 'high', 7, 4],
    [6, 'high', 13, 7],
  ]);
  expect(logoPlanFor(`https://qr.example.org/${'x'.repeat(64)}`, { size: 'large' })).toBeNull();
});

function holesOf(version: number): Hole[] {
  const holes: Hole[] = [];
  for (let modules = 3; modules < modulesOf(version); modules += 2) {
    for (const shape of logoShapes) holes.push({ modules, shape });
  }
  return holes;
}

/** In CI, which has to stay quick, one of the eight. */
function masks(random: Random): number[] {
  const first = Math.floor(random.next() * 8);
  return Array.from({ length: ciScale(8, 1) }, (_, at) => (first + at) % 8);
}

/** Black on white with a quiet zone, four pixels a module. */
function rasterOf({ size, modules }: Matrix): Raster {
  const width = (size + 8) * 4;
  const data = new Uint8ClampedArray(width * width * 4).fill(255);
  for (let y = 0; y < size * 4; y++) {
    for (let x = 0; x < size * 4; x++) {
      if (modules[(y >> 2) * size + (x >> 2)] === 0) continue;
      data.fill(0, ((y + 16) * width + x + 16) * 4, ((y + 16) * width + x + 16) * 4 + 3);
    }
  }
  return { width, height: width, data };
}
