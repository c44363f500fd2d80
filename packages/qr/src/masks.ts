import { encodeQR } from 'qr';
import { dataPlaces, modulesOf, type QrSymbol, rolesOf } from './error-correction.ts';

/** What each mask inverts, by column and row. */
const masks: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  x => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** The modules of a symbol with these codewords, under the mask that scanners read best or under a given one. */
export function layCodewords(codewords: Uint8Array, symbol: QrSymbol, mask?: number): Uint8Array {
  if (mask !== undefined) return underMask(codewords, symbol, mask);
  let best: { readonly modules: Uint8Array; readonly penalty: number } | undefined;
  for (const candidate of masks.keys()) {
    const modules = underMask(codewords, symbol, candidate);
    const penalty = penaltyOf(modules, modulesOf(symbol.version));
    if (!best || penalty < best.penalty) best = { modules, penalty };
  }
  return best!.modules;
}

function underMask(codewords: Uint8Array, symbol: QrSymbol, mask: number): Uint8Array {
  const size = modulesOf(symbol.version);
  const modules = emptySymbol(symbol, mask).slice();
  for (const [bit, at] of placesOf(symbol.version).entries()) {
    const codeword = codewords[bit >> 3];
    // The last few modules of some versions are left over: they are as in every symbol.
    if (codeword === undefined) break;
    const isInverted = masks[mask]!(at % size, Math.floor(at / size));
    modules[at] = ((codeword >> (7 - (bit & 7))) & 1) ^ (isInverted ? 1 : 0);
  }
  return modules;
}

const empties = new Map<string, Uint8Array>();
const places = new Map<number, readonly number[]>();
/** As many kinds of symbols as an installation has lengths of links. */
const maxStored = 64;

/** A symbol of another text, of which only the patterns stay: they depend on version, level and mask alone. */
function emptySymbol({ version, level }: QrSymbol, mask: number): Uint8Array {
  const key = `${version} ${level} ${mask}`;
  return stored(empties, key, () => {
    const rows = encodeQR('0', 'raw', { ecc: level, version, mask, border: 1 });
    return Uint8Array.from(rows.slice(1, -1).flatMap(row => row.slice(1, -1).map(Number)));
  });
}

const placesOf = (version: number): readonly number[] =>
  stored(places, version, () => dataPlaces(rolesOf(version), modulesOf(version)));

function stored<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  if (map.size >= maxStored) map.clear();
  const value = create();
  map.set(key, value);
  return value;
}

const perRun = 3;
const perSquare = 3;
const perFinder = 40;
const perImbalance = 10;

/** What disturbs scanners in a symbol, as the standard counts it: the fewer points, the better. */
function penaltyOf(modules: Uint8Array, size: number): number {
  let points = 0;
  for (let line = 0; line < size; line++) {
    points += linePenalty(modules, line * size, 1, size) + linePenalty(modules, line, size, size);
  }
  for (let y = 0; y + 1 < size; y++) {
    for (let x = 0; x + 1 < size; x++) {
      const at = y * size + x;
      const sum = modules[at]! + modules[at + 1]! + modules[at + size]! + modules[at + size + 1]!;
      if (sum === 0 || sum === 4) points += perSquare;
    }
  }
  const dark = modules.reduce((sum, module) => sum + module, 0);
  const total = size * size;
  return points + (Math.ceil(Math.abs(dark * 20 - total * 10) / total) - 1) * perImbalance;
}

/** Long runs of one colour in a row or column, and runs that look like a finder. */
function linePenalty(modules: Uint8Array, from: number, step: number, size: number): number {
  let points = 0;
  // Light and dark in turn, the first and the last light: the quiet zone is light as far as it matters.
  const runs = [0];
  for (let at = 0, color = 0; at < size; at++) {
    if (modules[from + at * step] !== color) {
      runs.push(0);
      color = 1 - color;
    }
    const length = ++runs[runs.length - 1]!;
    if (length === 5) points += perRun;
    else if (length > 5) points++;
  }
  if (runs.length % 2 === 0) runs.push(0);
  runs[0]! += size;
  runs[runs.length - 1]! += size;
  for (let at = 1; at + 4 < runs.length; at += 2) {
    const unit = runs[at]!;
    const isFinder =
      runs[at + 1] === unit && runs[at + 2] === unit * 3 && runs[at + 3] === unit && runs[at + 4] === unit;
    if (!isFinder) continue;
    const [before, after] = [runs[at - 1]!, runs[at + 5]!];
    if (before >= unit * 4 && after >= unit) points += perFinder;
    if (after >= unit * 4 && before >= unit) points += perFinder;
  }
  return points;
}
