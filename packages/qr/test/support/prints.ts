import type { Raster } from '@signpost/testing/raster.ts';
import { blocksOf, type QrSymbol, rolesOf } from '../../src/error-correction.ts';
import type { Matrix } from '../../src/matrix.ts';
import type { Random } from './random.ts';

/** Of the printed picture, per module. */
const modulePx = 12;
const quietModules = 4;

/** A print: what ink and wear do to the modules. Places are in modules from the first one. */
export type Print = {
  readonly paper: number;
  readonly ink: number;
  /** How far ink reaches over the edges of a module, in modules. */
  readonly spread?: number;
  /** What covers the print at a place, or null. */
  readonly cover?: (x: number, y: number) => number | null;
  /** Free modules that were left around the code. */
  readonly quiet?: number;
};

export const goodPrint: Print = { paper: 240, ink: 20 };

/** Draws a print, and says which of its modules are wrong on the paper itself. */
export function drawPrint(
  matrix: Matrix,
  print: Print,
): { readonly picture: Raster; readonly wrong: number[] } {
  const { size, modules } = matrix;
  const { paper, ink, spread = 0, cover = () => null, quiet = quietModules } = print;
  const isInk = (x: number, y: number) => {
    const at = (dx: number, dy: number) => {
      const [column, row] = [Math.floor(x + dx), Math.floor(y + dy)];
      return column >= 0 && row >= 0 && column < size && row < size && modules[row * size + column] === 1;
    };
    return at(0, 0) || (spread > 0 && (at(spread, 0) || at(-spread, 0) || at(0, spread) || at(0, -spread)));
  };
  /** The table beside the paper where the quiet zone was cut off. */
  const isCut = (x: number, y: number) => Math.max(-x, -y, x - size, y - size) > quiet;
  const tone = (x: number, y: number) => (isCut(x, y) ? ink : (cover(x, y) ?? (isInk(x, y) ? ink : paper)));
  const width = (size + 2 * quietModules) * modulePx;
  const data = new Uint8ClampedArray(width * width * 4).fill(255);
  for (let y = 0; y < width; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 4;
      data.fill(tone((x + 0.5) / modulePx - quietModules, (y + 0.5) / modulePx - quietModules), at, at + 3);
    }
  }
  const wrong = [...modules.keys()].filter(at => {
    const [x, y] = [at % size, Math.floor(at / size)];
    const middle = [0.35, 0.5, 0.65].flatMap(dy => [0.35, 0.5, 0.65].map(dx => tone(x + dx, y + dy)));
    const mean = middle.reduce((sum, value) => sum + value, 0) / middle.length;
    return mean < (paper + ink) / 2 !== (modules[at] === 1);
  });
  return { picture: { width, height: width, data }, wrong };
}

/** Wrong codewords of the worst block, counted from the wrong modules of the paper. */
export function worstBlock(wrong: readonly number[], symbol: QrSymbol): number {
  const roles = rolesOf(symbol.version);
  const blocks = blocksOf(symbol);
  const counts = new Map<number, number>();
  for (const codeword of new Set(wrong.map(at => roles[at]!))) {
    const block = codeword === 'pattern' ? undefined : blocks[codeword];
    if (block !== undefined) counts.set(block, (counts.get(block) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values());
}

const between = (random: Random, from: number, to: number) => from + random.next() * (to - from);

/** A round stain away from the finders. */
export function stain(size: number, random: Random): Print {
  const [x, y] = [between(random, 9, size - 6), between(random, 9, size - 6)];
  const radius = between(random, 1, 4.5);
  const tone = random.next() < 0.7 ? 50 : 235;
  return { ...goodPrint, cover: (a, b) => (Math.hypot(a - x, b - y) < radius ? tone : null) };
}

/** A line that took the ink off. */
export function scratch(size: number, random: Random): Print {
  const offset = between(random, -size / 3, size / 3);
  const half = between(random, 0.2, 0.7);
  const side = random.next() < 0.5 ? 1 : -1;
  const isScratched = (x: number, y: number) =>
    Math.abs(x + side * (y - size / 2) - size / 2 - offset) / Math.SQRT2 < half && x > 8 && y > 8;
  return { ...goodPrint, cover: (x, y) => (isScratched(x, y) ? 240 : null) };
}

/** A white sticker over a part of the code. */
export function sticker(size: number, random: Random): Print {
  const [width, height] = [between(random, 2, 7), between(random, 2, 7)];
  const [left, top] = [between(random, 9, size - width), between(random, 9, size - height)];
  const isCovered = (x: number, y: number) => x > left && x < left + width && y > top && y < top + height;
  return { ...goodPrint, cover: (x, y) => (isCovered(x, y) ? 245 : null) };
}

export const faded = (random: Random): Print => ({ paper: 225, ink: between(random, 110, 175) });
export const spreadInk = (random: Random): Print => ({ ...goodPrint, spread: between(random, 0.05, 0.33) });
export const cropped = (random: Random): Print => ({ ...goodPrint, quiet: Math.floor(random.next() * 4) });
