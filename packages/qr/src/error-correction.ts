/** The levels that codes are made at. */
export type CorrectionLevel = 'quartile' | 'high';

/** A kind of matrix. Logos are for versions 2 to 6, whose middle holds nothing but codewords. */
export type QrSymbol = { readonly version: number; readonly level: CorrectionLevel };

/** By version, from 1 to 40: how many blocks its codewords form, and how many of a block are for correction. */
const tables: Readonly<
  Record<CorrectionLevel, { readonly blocks: readonly number[]; readonly correction: readonly number[] }>
> = {
  quartile: {
    blocks: [
      1, 1, 2, 2, 4, 4, 6, 6, 8, 8, 8, 10, 12, 16, 12, 17, 16, 18, 21, 20, 23, 23, 25, 27, 29, 34, 34, 35, 38,
      40, 43, 45, 48, 51, 53, 56, 59, 62, 65, 68,
    ],
    correction: [
      13, 22, 18, 26, 18, 24, 18, 22, 20, 24, 28, 26, 24, 20, 30, 24, 28, 28, 26, 30, 28, 30, 30, 30, 30, 28,
      30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
    ],
  },
  high: {
    blocks: [
      1, 1, 2, 4, 4, 4, 5, 6, 8, 8, 11, 11, 16, 16, 18, 16, 19, 21, 25, 25, 25, 34, 30, 32, 35, 37, 40, 42,
      45, 48, 51, 54, 57, 60, 63, 66, 70, 74, 77, 81,
    ],
    correction: [
      17, 28, 22, 16, 22, 28, 26, 26, 24, 28, 24, 28, 22, 24, 24, 30, 28, 28, 26, 28, 30, 24, 30, 30, 30, 30,
      30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
    ],
  },
};

export const largestVersion = 40;

export const logoVersions = { least: 2, most: 6 } as const;

export const modulesOf = (version: number): number => 4 * version + 17;

export const versionOf = (modules: number): number => (modules - 17) / 4;

/** How a symbol's codewords are divided. The last blocks have one data codeword more than the first ones. */
export type BlockPlan = {
  readonly total: number;
  readonly count: number;
  /** Codewords of each block that correct the others. */
  readonly correction: number;
  /** Codewords of all blocks that carry the text. */
  readonly data: number;
};

export function blockPlan({ version, level }: QrSymbol): BlockPlan {
  const total = countCodewords(version);
  const count = tables[level].blocks[version - 1]!;
  const correction = tables[level].correction[version - 1]!;
  return { total, count, correction, data: total - count * correction };
}

/** How many codewords of a block can be wrong and are still corrected. */
export const correctableIn = (symbol: QrSymbol): number => Math.floor(blockPlan(symbol).correction / 2);

/** What finders, timing lines, alignment patterns, format and version leave of the modules, in whole codewords. */
function countCodewords(version: number): number {
  const size = modulesOf(version);
  const perSide = alignmentCentres(version).length;
  // Of the patterns of alignment three would lie on finders, and those on the timing lines share five modules with these.
  const alignment = perSide === 0 ? 0 : (perSide ** 2 - 3) * 25 - (perSide - 2) * 2 * 5;
  const versionInfo = version < 7 ? 0 : 36;
  return Math.floor((size ** 2 - 3 * 64 - 31 - 2 * (size - 16) - alignment - versionInfo) / 8);
}

/** Where the centres of alignment patterns lie, along and across. */
function alignmentCentres(version: number): readonly number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  // Version 32 is the one that the standard lays out by another rule.
  const step = version === 32 ? 26 : Math.ceil((modulesOf(version) - 13) / (2 * count - 2)) * 2;
  const last = modulesOf(version) - 7;
  return [6, ...Array.from({ length: count - 1 }, (_, at) => last - (count - 2 - at) * step)];
}

/** A module that belongs to a finder, a timing line, the alignment pattern or the format; or the codeword that it is a bit of. */
export type Role = 'pattern' | number;

/** What each module of a version is for, row by row. The few that are left over have numbers beyond the last codeword. */
export function rolesOf(version: number): readonly Role[] {
  const size = modulesOf(version);
  const centres = alignmentCentres(version);
  const roles: Role[] = Array.from({ length: size * size }, (_, at) =>
    isPattern(size, centres, at % size, Math.floor(at / size)) ? 'pattern' : 0,
  );
  for (const [bit, at] of dataPlaces(roles, size).entries()) roles[at] = bit >> 3;
  return roles;
}

/** The places of the bits of all codewords, in their order. */
export function dataPlaces(roles: readonly Role[], size: number): number[] {
  const places: number[] = [];
  // Two columns at a time from the right, up and down in turn; the column of the vertical timing line is passed over.
  for (let right = size - 1, up = true; right > 0; right -= 2, up = !up) {
    if (right === 6) right--;
    for (let step = 0; step < size; step++) {
      const y = up ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (roles[y * size + x] !== 'pattern') places.push(y * size + x);
      }
    }
  }
  return places;
}

/** The block of each codeword, in the order in which codewords are laid into the matrix. */
export function blocksOf(symbol: QrSymbol): readonly number[] {
  const { count, correction, data } = blockPlan(symbol);
  const shortest = Math.floor(data / count);
  const blocks = Array.from({ length: shortest * count }, (_, at) => at % count);
  // The last blocks have one codeword more than the first ones.
  for (let block = count - (data % count); block < count; block++) blocks.push(block);
  for (let at = 0; at < count * correction; at++) blocks.push(at % count);
  return blocks;
}

function isPattern(size: number, centres: readonly number[], x: number, y: number): boolean {
  const last = size - 1;
  // Finders with the light lines around them and with the format beside these.
  if ((x <= 8 && y <= 8) || (x >= last - 7 && y <= 8) || (x <= 8 && y >= last - 7)) return true;
  if (x === 6 || y === 6) return true;
  // From version 7 on the version stands beside two finders.
  if (size >= 45 && ((x >= last - 10 && y <= 5) || (y >= last - 10 && x <= 5))) return true;
  const isNear = (at: number, centre: number) => Math.abs(at - centre) <= 2;
  return centres.some(
    centreX =>
      isNear(x, centreX) &&
      centres.some(centreY => isNear(y, centreY) && !isOnFinder(last, centreX, centreY)),
  );
}

/** Three of the crossings of centres belong to finders. */
const isOnFinder = (last: number, x: number, y: number): boolean =>
  (x === 6 && y === 6) || (x === last - 6 && y === 6) || (x === 6 && y === last - 6);
