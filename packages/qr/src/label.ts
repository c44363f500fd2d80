import type { LabelSheet } from './label-sheet.ts';
import type { Box } from './scene.ts';
import { capHeight, letterPath, type PlacedLetter, placedLetters, textWidth } from './text.ts';

/** Between what is printed and the edge of its label: sheets shift in printers. */
const edgeMm = 1.5;
const captionMm = { least: 1.2, most: 3.2 } as const;

/** Where code and caption are, in millimetres from the top left corner of their label. */
export type LabelParts = {
  readonly code: Box;
  readonly caption: (Box & { readonly isBeside: boolean }) | null;
};

/** The code at the left of a wide label and its caption beside it; on others the caption is below. */
export function labelParts({ label }: Pick<LabelSheet, 'label'>, hasCaption: boolean): LabelParts {
  const [width, height] = [label.x - 2 * edgeMm, label.y - 2 * edgeMm];
  const isWide = width > 1.3 * height;
  const belowMm = hasCaption && !isWide ? captionMm.most * 1.6 : 0;
  const codeMm = Math.min(width, height - belowMm);
  const code = {
    x: edgeMm + (isWide && hasCaption ? 0 : (width - codeMm) / 2),
    y: edgeMm + (height - codeMm - belowMm) / 2,
    width: codeMm,
    height: codeMm,
  };
  if (!hasCaption) return { code, caption: null };
  const caption = isWide
    ? { x: code.x + codeMm + 1, y: code.y, width: width - codeMm - 1, height: codeMm, isBeside: true }
    : { x: edgeMm, y: code.y + codeMm, width, height: belowMm, isBeside: false };
  return { code, caption };
}

type CaptionBox = NonNullable<LabelParts['caption']>;

/** Where the letters of a caption stand, in millimetres from the top left corner of its box: at the left, or in the middle. */
export function captionLetters(caption: string, box: CaptionBox): PlacedLetter[] {
  const { lines, size } = fittedLines(caption, box);
  const blockMm = ((lines.length - 1) * lineHeight + capHeight) * size;
  const firstLine = (box.height - blockMm) / 2 + capHeight * size;
  return lines.flatMap((line, at) => {
    const inset = box.isBeside ? 0 : (box.width - textWidth(line) * size) / 2;
    return placedLetters(line, { x: inset, y: firstLine + at * lineHeight * size, size });
  });
}

/** The same as path data. */
export const captionPath = (caption: string, box: CaptionBox): string =>
  captionLetters(caption, box).map(letterPath).join('');

type Lines = { readonly lines: readonly string[]; readonly size: number };

/** From one line to the next, as a part of the size. */
const lineHeight = 1.25;
const stepMm = 0.1;

/** As large as it fits, in as many lines as there is room for; what does not fit at the smallest size is cut off. */
export function fittedLines(caption: string, { width, height }: Pick<Box, 'width' | 'height'>): Lines {
  const words = caption
    .split(/\s+/)
    .filter(word => word !== '')
    .map(text => ({ text, width: textWidth(text) }));
  const mostLinesAt = (size: number) => Math.max(1, Math.floor(height / (lineHeight * size)));
  for (let size = captionMm.most; size > captionMm.least; size -= stepMm) {
    const lines = wrap(words, width / size);
    const isWhole = lines.every(line => line.width * size <= width);
    if (isWhole && lines.length <= mostLinesAt(size)) return { lines: lines.map(({ text }) => text), size };
  }
  const size = captionMm.least;
  const lines = wrap(words, width / size).map(({ text }) => text);
  const most = mostLinesAt(size);
  const shown = [
    ...lines.slice(0, most - 1),
    ...(lines.length < most ? [] : [lines.slice(most - 1).join(' ')]),
  ];
  return { lines: shown.map(line => cut(line, width / size)), size };
}

/** Words with their width at size 1. */
type Measured = { readonly text: string; readonly width: number };

const spaceWidth = textWidth('a a') - 2 * textWidth('a');

/** Fills each line with as many words as fit at size 1; a word that is longer has a line of its own. */
function wrap(words: readonly Measured[], width: number): Measured[] {
  const lines: Measured[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    const longer = (last?.width ?? 0) + spaceWidth + word.width;
    if (last && longer <= width)
      lines[lines.length - 1] = { text: `${last.text} ${word.text}`, width: longer };
    else lines.push(word);
  }
  return lines;
}

/** The longest beginning that fits with an ellipsis. */
function cut(line: string, width: number): string {
  if (textWidth(line) <= width) return line;
  let [fits, tooLong] = [1, line.length];
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if (textWidth(`${line.slice(0, middle)}…`) <= width) fits = middle;
    else tooLong = middle;
  }
  return `${line.slice(0, fits)}…`;
}
