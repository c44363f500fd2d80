import { drawingOf, widthInModules } from './drawing.ts';
import { largestPrintPx, smallestSizePx } from './layout.ts';
import { pictureOf } from './painter.ts';
import { type Deflate, pngOf } from './png.ts';
import type { Style } from './style.ts';
import { svgOf } from './svg.ts';

/** Phones read a printed module of this width from a hand's distance; a smaller one is lost in print and camera. */
const smallestModuleMm = 0.4;

const mmPerInch = 25.4;

/** The smallest width, with the quiet zone, in which the code of a text is safe to print: whole millimetres. */
export const smallestSafeMm = (text: string): number => Math.ceil(widthInModules(text) * smallestModuleMm);

/** How many pixels a width has at a resolution. */
export const pixelsOf = (widthMm: number, dpi: number): number => Math.round((widthMm / mmPerInch) * dpi);

/** The largest width that is drawn at a resolution, and the smallest that has a pixel for every module. */
export const printRangeMm = (
  text: string,
  dpi: number,
): { readonly least: number; readonly most: number } => ({
  least: Math.ceil((Math.max(smallestSizePx, widthInModules(text)) / dpi) * mmPerInch),
  most: Math.floor((largestPrintPx / dpi) * mmPerInch),
});

type Png = { readonly sizePx: number; readonly dpi?: number; readonly isClear: boolean };

/** A PNG that says how large it prints, on its background or on none. */
export async function renderPrintPng(
  text: string,
  style: Style,
  png: Png,
  deflate: Deflate,
): Promise<Uint8Array> {
  const drawing = drawingOf(text, style, png.sizePx, largestPrintPx);
  return await pngOf(pictureOf(drawing, png.isClear), deflate, png.dpi);
}

/** An SVG with its width in millimetres for paper, in pixels for a screen. */
export function renderPrintSvg(
  text: string,
  style: Style,
  { widthMm, widthPx = 1024, isClear }: { widthMm?: number; widthPx?: number; readonly isClear: boolean },
): string {
  const width = widthMm === undefined ? `${widthPx}` : `${Math.round(widthMm * 100) / 100}mm`;
  return svgOf(drawingOf(text, style, 1024), { isClear, width });
}
