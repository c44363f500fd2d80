import { decimals } from './ink.ts';
import { operatorsOf } from './pdf.ts';
import { type PlacedLetter, segmentsFor } from './text.ts';

// Apart from the rest of PDF: it needs the outlines of the letters.

/** The name of a letter's form. */
export const letterName = (letter: string): string => `G${letter.codePointAt(0)!.toString(16)}`;

/** Larger than any letter of size 1000. */
const box = '[-4000 -4000 4000 4000]';

/** A letter of size 1000 as a form, which a file has once. It is filled with the colour of where it is shown. */
export const letterForm = (letter: string): { readonly entries: string; bytes(): Uint8Array } => ({
  entries: `/Type/XObject/Subtype/Form/BBox${box}/Resources<<>>`,
  bytes: () => new TextEncoder().encode(`${operatorsOf(segmentsFor(letter))} f`),
});

/** The operator that shows a letter by its form. */
export const showLetter = ({ letter, x, y, size }: PlacedLetter): string =>
  `q ${decimals([size / 1000, 0, 0, size / 1000, x, y])} cm /${letterName(letter)} Do Q`;
