import { canvasOf, largestPrintPx, smallestSizePx } from './layout.ts';
import { pictureOf } from './painter.ts';
import { type Deflate, pngOf } from './png.ts';
import { type SceneOptions, sceneOf, widthInModules } from './scene.ts';
import type { Style } from './style.ts';
import { svgOf } from './svg.ts';

/** Phones read a printed module of this width from a hand's distance; a smaller one is lost in print and camera. */
const smallestModuleMm = 0.4;

const mmPerInch = 25.4;

/** The smallest width, with the quiet zone and a frame, in which the code of a text is safe to print: whole millimetres. */
export const smallestSafeMm = (
  text: string,
  style: Style = {},
  options: Pick<SceneOptions, 'frame'> = {},
): number => Math.ceil(widthInModules(text, style, options) * smallestModuleMm);

/** How many pixels a width has at a resolution. */
export const pixelsOf = (widthMm: number, dpi: number): number => Math.round((widthMm / mmPerInch) * dpi);

/** The largest width that is drawn at a resolution, and the smallest that has a pixel for every module. */
export const printRangeMm = (
  text: string,
  dpi: number,
  style: Style = {},
  options: Pick<SceneOptions, 'frame'> = {},
): { readonly least: number; readonly most: number } => ({
  least: Math.ceil((Math.max(smallestSizePx, widthInModules(text, style, options)) / dpi) * mmPerInch),
  most: Math.floor((largestPrintPx / dpi) * mmPerInch),
});

type Png = { readonly sizePx: number; readonly dpi?: number; readonly isClear: boolean };

/** A PNG that says how large it prints, on its background or on none. */
export async function renderPrintPng(
  text: string,
  style: Style,
  png: Png,
  deflate: Deflate,
  options: SceneOptions = {},
): Promise<Uint8Array> {
  const scene = sceneOf(text, style, options);
  const canvas = canvasOf(scene, png.sizePx, largestPrintPx);
  return await pngOf(pictureOf(scene, canvas, png.isClear), deflate, png.dpi);
}

/** An SVG with its width in millimetres for paper, in pixels for a screen. */
export function renderPrintSvg(
  text: string,
  style: Style,
  { widthMm, widthPx = 1024, isClear }: { widthMm?: number; widthPx?: number; readonly isClear: boolean },
  options: SceneOptions = {},
): string {
  const scene = sceneOf(text, style, options);
  const canvas = canvasOf(scene, 1024);
  const ratio = canvas.heightPx / canvas.widthPx;
  const lengthOf = (share: number) =>
    widthMm === undefined ? `${Math.round(widthPx * share)}` : `${Math.round(widthMm * share * 100) / 100}mm`;
  return svgOf(scene, canvas, { isClear, width: lengthOf(1), height: lengthOf(ratio) });
}
