import { encodeQR } from 'qr';
import { compactCodewords, compactFits } from './codewords.ts';
import { type CompactLink, toCompact } from './compact.ts';
import { largestVersion, modulesOf, type QrSymbol, versionOf } from './error-correction.ts';
import { type Hole, type Logo, type LogoPlan, type LogoSize, logoSizes, planLogo } from './logo.ts';
import { layCodewords } from './masks.ts';
import type { Style } from './style.ts';

/** The modules of a code, row by row, without a quiet zone: 1 is dark. */
export type Matrix = {
  readonly size: number;
  readonly modules: Uint8Array;
  /** The middle that a logo takes, whose modules are not drawn. */
  readonly hole?: Hole;
};

/** A finder, the ring with its centre in three corners of a code, is this many modules wide. */
const finderSize = 7;

/**
 * Encodes a text at error correction Q, which survives more blur and damage than L, M and H at the sizes of a
 * short link. Where H fits into a matrix of the same size it costs nothing, so it is taken.
 */
export function encode(text: string): Matrix {
  const quartile = encodeQR(text, 'raw', { ecc: 'quartile', border });
  const version = versionOf(quartile.length - 2 * border);
  return toMatrix(encodeAs(text, { version, level: 'high' }) ?? quartile);
}

/** The same of a compact link: the smallest version at which Q fits, at H where that fits it too. */
function encodeCompact(link: CompactLink): Matrix {
  for (let version = 1; version <= largestVersion; version++) {
    if (!compactFits(link, { version, level: 'quartile' })) continue;
    const level = compactFits(link, { version, level: 'high' }) ? 'high' : 'quartile';
    return encodeCompactWith(link, { version, level });
  }
  throw new RangeError('The text is too long for a code');
}

/** Encodes a compact link at a version and level, with a mask of our choice or a given one. */
export function encodeCompactWith(link: CompactLink, symbol: QrSymbol, mask?: number): Matrix {
  if (!compactFits(link, symbol))
    throw new RangeError('The text does not fit into this version at this level');
  const modules = layCodewords(compactCodewords(link, symbol), symbol, mask);
  return { size: modulesOf(symbol.version), modules };
}

/**
 * The matrix that a style draws: with a logo a larger one, if that has more to spare in its middle. A link that cannot be
 * compact is drawn as usual.
 */
export function matrixFor(text: string, { logo, compact: isCompact }: Style): Matrix {
  const compact = isCompact ? toCompact(text) : null;
  if (!logo) return compact ? encodeCompact(compact) : encode(text);
  const plan = logoPlanFor(text, logo, isCompact);
  if (!plan) throw new RangeError('This link is too long for a logo of this size');
  const matrix = compact ? encodeCompactWith(compact, plan) : encodeWith(text, plan);
  return { ...matrix, hole: plan.hole };
}

/** How the code of a text has to be made for a logo, or null where the text is too long for one. */
export function logoPlanFor(
  text: string,
  logo: Omit<Logo, 'asset_id'>,
  isCompact: boolean | undefined,
): LogoPlan | null {
  const compact = isCompact ? toCompact(text) : null;
  const length = compact ? `${compact.scheme.length} and ${compact.rest.length}` : lengthOf(text);
  const key = `${length} ${logo.size} ${logo.shape}`;
  let plan = logoPlans.get(key);
  if (plan === undefined) {
    plan = planLogo(
      symbol => (compact ? compactFits(compact, symbol) : encodeAs(text, symbol) !== null),
      logo,
    );
    if (logoPlans.size >= mostLogoPlans) logoPlans.clear();
    logoPlans.set(key, plan);
  }
  return plan;
}

/** Plans by what they depend on: to encode a text takes a millisecond, and most links of a server are equally long. */
const logoPlans = new Map<string, LogoPlan | null>();
const mostLogoPlans = 1000;

/** The length of a text, in the smallest of the encoder's alphabets that it is written in. */
function lengthOf(text: string): string {
  if (/^[0-9]*$/.test(text)) return `${text.length} digits`;
  if (/^[0-9A-Z $%*+./:-]*$/.test(text)) return `${text.length} characters`;
  return `${new TextEncoder().encode(text).length} bytes`;
}

/** The largest size in which a text has room for a logo, or null where it has room for none. */
export function largestLogo(
  text: string,
  logo: Omit<Logo, 'asset_id'>,
  isCompact: boolean | undefined,
): LogoSize | null {
  return logoSizes.findLast(size => logoPlanFor(text, { ...logo, size }, isCompact) !== null) ?? null;
}

/** Encodes at a version and level that the text fits into, with a mask of the encoder's choice or a given one. */
export function encodeWith(text: string, symbol: QrSymbol, mask?: number): Matrix {
  const rows = encodeAs(text, symbol, mask);
  if (!rows) throw new RangeError('The text does not fit into this version at this level');
  return toMatrix(rows);
}

export function isDark({ size, modules }: Matrix, x: number, y: number): boolean {
  return x >= 0 && y >= 0 && x < size && y < size && modules[y * size + x] === 1;
}

/** The top left modules of the three finders. */
export function finderPlaces({ size }: Matrix): readonly { readonly x: number; readonly y: number }[] {
  const far = size - finderSize;
  return [
    { x: 0, y: 0 },
    { x: far, y: 0 },
    { x: 0, y: far },
  ];
}

/** The same matrix without its finders, which are drawn apart. */
export function withoutFinders(matrix: Matrix): Matrix {
  const modules = matrix.modules.slice();
  for (const { x, y } of finderPlaces(matrix)) {
    for (let row = y; row < y + finderSize; row++) {
      modules.fill(0, row * matrix.size + x, row * matrix.size + x + finderSize);
    }
  }
  return { size: matrix.size, modules };
}

/** The modules of the alignment pattern apart from all others. Codes with a logo have exactly one. */
export function splitAlignment({ size, modules }: Matrix): {
  readonly rest: Matrix;
  readonly pattern: Matrix;
} {
  const [rest, pattern] = [modules.slice(), new Uint8Array(modules.length)];
  for (let y = size - 9; y < size - 4; y++) {
    for (let x = size - 9; x < size - 4; x++) {
      pattern[y * size + x] = modules[y * size + x]!;
      rest[y * size + x] = 0;
    }
  }
  return { rest: { size, modules: rest }, pattern: { size, modules: pattern } };
}

/** The encoder insists on a border; the narrowest is asked for and cut off again. */
const border = 1;

function encodeAs(text: string, { version, level }: QrSymbol, mask?: number): boolean[][] | null {
  try {
    return encodeQR(text, 'raw', { ecc: level, version, border, ...(mask === undefined ? {} : { mask }) });
  } catch {
    // Any text can be encoded, so the only thing that can be wrong is that it does not fit.
    return null;
  }
}

function toMatrix(rows: readonly (readonly boolean[])[]): Matrix {
  const size = rows.length - 2 * border;
  const modules = new Uint8Array(size * size);
  for (let y = 0; y < size; y++) {
    const row = rows[y + border]!;
    for (let x = 0; x < size; x++) if (row[x + border]) modules[y * size + x] = 1;
  }
  return { size, modules };
}
