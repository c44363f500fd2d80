import { ciScale } from '@signpost/testing/ci-scale.ts';
import { paulmillr, zbar, zxing } from '@signpost/testing/decoders.ts';
import type { Raster } from '@signpost/testing/raster.ts';
import { type CorrectionLevel, logoVersions, modulesOf, type QrSymbol } from '../../src/error-correction.ts';
import { correctionUse, type Hole, isWithinBudget, logoShapes, modulesIn } from '../../src/logo.ts';
import type { Matrix } from '../../src/matrix.ts';
import { createRandom, type Random } from './random.ts';

const levels: readonly CorrectionLevel[] = ['quartile', 'high'];
const versions = Array.from({ length: 5 }, (_, at) => logoVersions.least + at);

export const symbols: readonly QrSymbol[] = versions.flatMap(version =>
  levels.map(level => ({ version, level })),
);

/** What lies in the hole. Inverted modules are the worst there is: every codeword that is touched is wrong. */
const fillings = {
  inverted: (dark: number) => 1 - dark,
  black: () => 1,
  white: () => 0,
  noise: (_: number, random: Random) => (random.next() < 0.5 ? 1 : 0),
} as const;

/** Cuts every hole into a symbol, under every mask and with every filling, and has it read by every decoder. */
export async function tryHoles(symbol: QrSymbol, encode: (mask: number) => Matrix, text: string) {
  const random = createRandom(symbol.version * 2 + (symbol.level === 'high' ? 1 : 0));
  const missed: string[] = [];
  const read = { within: 0, beyond: 0, beyondRead: 0 };
  for (const hole of holesOf(symbol.version)) {
    const use = correctionUse(symbol, hole);
    if (!use) continue;
    const isAllowed = isWithinBudget(use);
    for (const mask of masks(random)) {
      for (const [name, fill] of Object.entries(fillings)) {
        const matrix = encode(mask);
        for (const at of modulesIn(hole, matrix.size)) matrix.modules[at] = fill(matrix.modules[at]!, random);
        const texts = await Promise.all([zxing, zbar, paulmillr].map(decode => decode(plainRaster(matrix))));
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
    `logo budget of ${text}, version ${symbol.version} at ${symbol.level}: allowed ${read.within}, lost ${missed.length}; refused ${read.beyond}, of which read ${read.beyondRead}`,
  );
  return { missed, read };
}

export function holesOf(version: number): Hole[] {
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
export function plainRaster({ size, modules }: Matrix): Raster {
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
