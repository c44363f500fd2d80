/** The levels that codes are made at. */
export type CorrectionLevel = 'quartile' | 'high';

/** A kind of matrix. Logos are for versions 2 to 6, whose middle holds nothing but codewords. */
export type QrSymbol = { readonly version: number; readonly level: CorrectionLevel };

/** Codewords of a version in total, and by level how many blocks they form and how many of a block are for correction. */
type Blocks = { readonly count: number; readonly correction: number };
const tables: Readonly<
  Record<number, { readonly total: number } & Readonly<Record<CorrectionLevel, Blocks>>>
> = {
  2: { total: 44, quartile: { count: 1, correction: 22 }, high: { count: 1, correction: 28 } },
  3: { total: 70, quartile: { count: 2, correction: 18 }, high: { count: 2, correction: 22 } },
  4: { total: 100, quartile: { count: 2, correction: 26 }, high: { count: 4, correction: 16 } },
  5: { total: 134, quartile: { count: 4, correction: 18 }, high: { count: 4, correction: 22 } },
  6: { total: 172, quartile: { count: 4, correction: 24 }, high: { count: 4, correction: 28 } },
};

export const logoVersions = { least: 2, most: 6 } as const;

export const modulesOf = (version: number): number => 4 * version + 17;

/** How many codewords of a block can be wrong and are still corrected. */
export const correctableIn = ({ version, level }: QrSymbol): number =>
  Math.floor(tables[version]![level].correction / 2);

/** A module that belongs to a finder, a timing line, the alignment pattern or the format; or the codeword that it is a bit of. */
export type Role = 'pattern' | number;

/** What each module of a version is for, row by row. */
export function rolesOf(version: number): readonly Role[] {
  const size = modulesOf(version);
  const roles: Role[] = Array.from({ length: size * size }, (_, at) =>
    isPattern(size, at % size, Math.floor(at / size)) ? 'pattern' : 0,
  );
  let bit = 0;
  // Two columns at a time from the right, up and down in turn; the column of the vertical timing line is passed over.
  for (let right = size - 1, up = true; right > 0; right -= 2, up = !up) {
    if (right === 6) right--;
    for (let step = 0; step < size; step++) {
      const y = up ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (roles[y * size + x] !== 'pattern') roles[y * size + x] = bit++ >> 3;
      }
    }
  }
  return roles;
}

/** The block of each codeword, in the order in which codewords are laid into the matrix. */
export function blocksOf({ version, level }: QrSymbol): readonly number[] {
  const { total } = tables[version]!;
  const { count, correction } = tables[version]![level];
  const data = total - count * correction;
  const shortest = Math.floor(data / count);
  const blocks = Array.from({ length: shortest * count }, (_, at) => at % count);
  // The last blocks have one codeword more than the first ones.
  for (let block = count - (data % count); block < count; block++) blocks.push(block);
  for (let at = 0; at < count * correction; at++) blocks.push(at % count);
  return blocks;
}

function isPattern(size: number, x: number, y: number): boolean {
  const last = size - 1;
  // Finders with the light lines around them and with the format beside these.
  if ((x <= 8 && y <= 8) || (x >= last - 7 && y <= 8) || (x <= 8 && y >= last - 7)) return true;
  const centre = last - 6;
  return x === 6 || y === 6 || (Math.abs(x - centre) <= 2 && Math.abs(y - centre) <= 2);
}
