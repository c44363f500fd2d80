import { printedText, toCompact } from '../compact.ts';
import type { CorrectionLevel, QrSymbol } from '../error-correction.ts';
import type { Hole } from '../logo.ts';
import { encodeCompactWith, encodeWith, logoPlanFor, type Matrix } from '../matrix.ts';
import type { Style } from '../style.ts';
import { resemblance } from './align.ts';
import type { Corners, Photo } from './photo.ts';

/** What should be on the paper. */
export type Expected = {
  readonly matrix: Matrix;
  readonly symbol: QrSymbol;
  /** The middle that belongs to a logo. */
  readonly hole: Hole | null;
};

/** What a decoder says about a code that it has read. */
export type Decoded = { readonly text: string; readonly version: number; readonly level: CorrectionLevel };

/** A mask is told from the others by far: half of their modules differ. */
const masks = [0, 1, 2, 3, 4, 5, 6, 7];

/**
 * The code that should be on the paper, with the mask that is there: other programs choose other masks for the same link.
 * null where none can be made of the text in this version and level.
 */
export function findExpected(
  photo: Photo,
  corners: Corners,
  { text, version, level }: Decoded,
  link: string,
  { logo }: Style,
): Expected | null {
  const symbol = { version, level };
  const isCompact = text !== link && text === printedText(link, true);
  const compact = isCompact ? toCompact(link) : null;
  const plan = logo ? logoPlanFor(link, logo, isCompact) : null;
  const hole = plan && plan.version === version && plan.level === level ? plan.hole : null;
  try {
    const matrices = masks.map(mask =>
      compact ? encodeCompactWith(compact, symbol, mask) : encodeWith(text, symbol, mask),
    );
    const fits = matrices.map(matrix => resemblance(photo, corners, matrix));
    const matrix = matrices[fits.indexOf(Math.max(...fits))]!;
    return { matrix, symbol, hole };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Whether a decoder has read this link, or its twin in upper case. */
export const isSameLink = (text: string, link: string): boolean =>
  text === link || text === printedText(link, true) || text.toLowerCase() === link.toLowerCase();
