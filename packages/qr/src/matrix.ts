import { encodeQR } from 'qr';

/** The modules of a code, row by row, without a quiet zone: 1 is dark. */
export type Matrix = { readonly size: number; readonly modules: Uint8Array };

/** A finder, the ring with its centre in three corners of a code, is this many modules wide. */
const finderSize = 7;

/**
 * Encodes a text at error correction Q, which survives more blur and damage than L, M and H at the sizes of a
 * short link. Where H fits into a matrix of the same size it costs nothing, so it is taken.
 */
export function encode(text: string): Matrix {
  const quartile = encodeQR(text, 'raw', { ecc: 'quartile', border });
  const version = (quartile.length - 2 * border - 17) / 4;
  return toMatrix(encodeHigh(text, version) ?? quartile);
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

/** The encoder insists on a border; the narrowest is asked for and cut off again. */
const border = 1;

function encodeHigh(text: string, version: number): boolean[][] | null {
  try {
    return encodeQR(text, 'raw', { ecc: 'high', version, border });
  } catch {
    // The text was encoded at Q a moment ago, so the only thing that can be wrong is that H does not fit.
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
