import type { LabelSheet } from './label-sheet.ts';
import type { Box } from './scene.ts';
import { capHeight, textPath, textWidth } from './text.ts';

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

/** A caption as path data, in millimetres from the top left corner of its box: at the left of it, or in the middle. */
export function captionPath(caption: string, box: NonNullable<LabelParts['caption']>): string {
  const { text, size } = fittedText(caption, box.width);
  const inset = box.isBeside ? 0 : (box.width - textWidth(text) * size) / 2;
  return textPath(text, { x: inset, y: (box.height + capHeight * size) / 2, size });
}

/** As large as it fits into a line; what does not fit at the smallest size is cut off. */
function fittedText(caption: string, widthMm: number): { readonly text: string; readonly size: number } {
  const size = Math.min(captionMm.most, widthMm / Math.max(textWidth(caption), 0.01));
  if (size >= captionMm.least) return { text: caption, size };
  let text = caption;
  while (text.length > 1 && textWidth(`${text}…`) * captionMm.least > widthMm) text = text.slice(0, -1);
  return { text: `${text}…`, size: captionMm.least };
}
