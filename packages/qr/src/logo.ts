import {
  blocksOf,
  correctableIn,
  logoVersions,
  modulesOf,
  type QrSymbol,
  type Role,
  rolesOf,
} from './error-correction.ts';

/** A picture in the middle of a code; the words are those of the API. */
export type Logo = {
  readonly asset_id: string;
  readonly size?: LogoSize;
  readonly shape?: LogoShape;
  /** Free modules between the picture and the code, within the size. */
  readonly margin?: number;
};

export const logoSizes = ['small', 'medium', 'large'] as const;
export type LogoSize = (typeof logoSizes)[number];
export const logoShapes = ['square', 'circle'] as const;
export type LogoShape = (typeof logoShapes)[number];

export const largestLogoMargin = 2;
/** What a margin leaves of the picture at least, in modules. */
const leastPicture = 3;

/** The share of the width of a code that a logo is at least. */
const leastShare: Readonly<Record<LogoSize, number>> = { small: 0.15, medium: 0.2, large: 0.3 };

/** The part of the correction that a logo may use up: the rest is for dirt, wear and glare. */
export const logoBudget = 0.5;

/** The middle of a matrix that a logo takes: an odd number of modules, since every matrix has an odd number. */
export type Hole = { readonly modules: number; readonly shape: LogoShape };

/** How a code has to be made for its logo. */
export type LogoPlan = QrSymbol & { readonly hole: Hole; readonly use: CorrectionUse };

/** Codewords of the worst block that a hole touches, of those that can be corrected in it. */
export type CorrectionUse = { readonly touched: number; readonly correctable: number };

/** What a text needs: the versions and levels that it fits into. */
export type Fits = (symbol: QrSymbol) => boolean;

/**
 * The smallest matrix whose middle can hold a logo of this size, or null where the text is too long for any. A larger
 * matrix has more codewords, so that a larger share of it can be spared.
 */
export function planLogo(
  fits: Fits,
  { size = 'medium', shape = 'square' }: Omit<Logo, 'asset_id'>,
): LogoPlan | null {
  for (let version = logoVersions.least; version <= logoVersions.most; version++) {
    const level = (['high', 'quartile'] as const).find(one => fits({ version, level: one }));
    if (!level) continue;
    const least = Math.ceil(leastShare[size] * modulesOf(version));
    const hole = { modules: least % 2 === 0 ? least + 1 : least, shape };
    const symbol = { version, level };
    const use = correctionUse(symbol, hole);
    if (use && isWithinBudget(use)) return { ...symbol, hole, use };
  }
  return null;
}

export const isWithinBudget = ({ touched, correctable }: CorrectionUse): boolean =>
  touched <= Math.floor(correctable * logoBudget);

/**
 * Counts the codewords that a hole touches, block by block: a codeword is lost with any one of its modules, and blocks are
 * corrected apart. null where the hole would touch what a scanner finds and reads the code by.
 */
export function correctionUse(symbol: QrSymbol, hole: Hole): CorrectionUse | null {
  const size = modulesOf(symbol.version);
  const roles = roleTables.get(symbol.version) ?? rolesOf(symbol.version);
  roleTables.set(symbol.version, roles);
  const lost = new Set<number>();
  for (const at of modulesIn(hole, size)) {
    const role = roles[at]!;
    if (role === 'pattern') return null;
    lost.add(role);
  }
  const blocks = blocksOf(symbol);
  const counts: number[] = [];
  for (const codeword of lost) {
    // The last few modules of some versions are filled up and carry no codeword.
    const block = blocks[codeword];
    if (block !== undefined) counts[block] = (counts[block] ?? 0) + 1;
  }
  return { touched: Math.max(...counts.filter(count => count > 0)), correctable: correctableIn(symbol) };
}

const roleTables = new Map<number, readonly Role[]>();

/** The places of the modules that a hole takes, row by row. Of a circle every module that it touches. */
export function modulesIn({ modules, shape }: Hole, size: number): number[] {
  const first = (size - modules) / 2;
  const radius = modules / 2;
  const places: number[] = [];
  for (let y = 0; y < modules; y++) {
    for (let x = 0; x < modules; x++) {
      if (shape === 'circle') {
        const nearestX = Math.max(0, Math.abs(x + 0.5 - radius) - 0.5);
        const nearestY = Math.max(0, Math.abs(y + 0.5 - radius) - 0.5);
        if (Math.hypot(nearestX, nearestY) >= radius) continue;
      }
      places.push((first + y) * size + first + x);
    }
  }
  return places;
}

/** The width of the picture in modules: that of its hole without the margin. */
export const pictureModules = ({ modules }: Hole, margin = 0.5): number =>
  Math.max(leastPicture, modules - 2 * margin);
