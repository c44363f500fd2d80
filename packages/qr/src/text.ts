import font from './font/inter.json' with { type: 'json' };
import { type Segment, segmentsOf } from './path.ts';

/** The letters there are: Latin, Greek and Cyrillic, as outlines. */
const glyphs: Readonly<Record<string, readonly (number | string)[]>> = font.glyphs;

/** Height of a capital letter, as a part of the size. */
export const capHeight = 0.728;

/** Letters as they are drawn: accents as part of their letter, and one space for any white space. */
const lettersOf = (text: string): string[] => [...text.normalize('NFC').replace(/\s+/g, ' ').trim()];

/** The first character of a text that there is no outline for, or null. */
export function missingLetter(text: string): string | null {
  return lettersOf(text).find(letter => !Object.hasOwn(glyphs, letter)) ?? null;
}

/** Width of a text at size 1. */
export const textWidth = (text: string): number =>
  lettersOf(text).reduce((width, letter) => width + advanceOf(letter), 0);

export type TextPlace = {
  /** Where the text begins, and the line that its letters stand on. */
  readonly x: number;
  readonly y: number;
  readonly size: number;
};

export type PlacedLetter = TextPlace & { readonly letter: string };

/** Where each letter of a text stands. Those without an outline, such as spaces, are left out. */
export function placedLetters(text: string, { x, y, size }: TextPlace): PlacedLetter[] {
  const placed: PlacedLetter[] = [];
  let pen = x;
  for (const letter of lettersOf(text)) {
    if (segmentsFor(letter).length > 0) placed.push({ letter, x: pen, y, size });
    pen += advanceOf(letter) * size;
  }
  return placed;
}

/** A text as path data. A letter without an outline is an error: callers look for one before. */
export const textPath = (text: string, place: TextPlace): string =>
  placedLetters(text, place).map(letterPath).join('');

export const letterPath = ({ letter, x, y, size }: PlacedLetter): string =>
  segmentsFor(letter)
    .map(segment => placed(segment, x, y, size / 1000))
    .join('');

function advanceOf(letter: string): number {
  const glyph = glyphs[letter];
  if (!glyph) throw new RangeError(`There is no letter for ${letter}`);
  return Number(glyph[0]) / 1000;
}

const read = new Map<string, readonly Segment[]>();

/** The outline of a letter of size 1000. */
export function segmentsFor(letter: string): readonly Segment[] {
  const known = read.get(letter) ?? segmentsOf(String(glyphs[letter]?.[1] ?? ''));
  read.set(letter, known);
  return known;
}

function placed(segment: Segment, x: number, y: number, scale: number): string {
  const at = (px: number, py: number) => `${short(x + px * scale)} ${short(y + py * scale)}`;
  switch (segment.kind) {
    case 'move':
      return `M${at(segment.x, segment.y)}`;
    case 'line':
      return `L${at(segment.x, segment.y)}`;
    case 'curve':
      return `C${at(segment.x1, segment.y1)} ${at(segment.x2, segment.y2)} ${at(segment.x, segment.y)}`;
    case 'close':
      return 'Z';
    default:
      throw new TypeError(`No such segment: ${segment satisfies never}`);
  }
}

const short = (value: number) => Math.round(value * 1000) / 1000;
