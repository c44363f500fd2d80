import { type FullColorPicture, fullColorOf } from './full-color.ts';
import { type Canvas, canvasOf } from './layout.ts';
import { clearPaletteOf, type Palette, paletteOf } from './palette.ts';
import { type ModulesShape, type Scene, type SquaresShape, sceneOf } from './scene.ts';
import { neighboursIn } from './shapes.ts';
import { coverageSteps, hollowSquareCoverage, moduleCoverages } from './stamps.ts';
import type { Style } from './style.ts';

/** A square picture of few colours: one byte a pixel, which names an entry of the palette. */
export type Picture = {
  readonly sizePx: number;
  readonly palette: readonly string[];
  /** How opaque each entry of the palette is, 0 to 255; left out where all of them are. */
  readonly alphas?: readonly number[];
  readonly pixels: Uint8Array;
};

/** Paints a code of plain colours into pixels, the same ones that the SVG shows at the same size. */
export function paint(text: string, style: Style, sizePx: number): Picture {
  const scene = sceneOf(text, style);
  const picture = pictureOf(scene, canvasOf(scene, sizePx));
  if (!('palette' in picture)) throw new TypeError('A gradient has no palette');
  return picture;
}

/** The picture of a scene, with a palette where its colours fit into one; a clear one has no background. */
export function pictureOf(scene: Scene, canvas: Canvas, isClear = false): Picture | FullColorPicture {
  const opaque = paletteOf(scene);
  if (!opaque) return fullColorOf(scene, canvas, isClear);
  const palette = isClear ? clearPaletteOf(opaque) : opaque;
  const pixels = new Uint8Array(canvas.widthPx * canvas.heightPx);
  for (const shape of scene.shapes) {
    if (shape.kind === 'modules') paintModules(pixels, canvas, palette, shape);
    if (shape.kind === 'squares') paintSquares(pixels, canvas, palette, shape);
  }
  const { colors, alphas } = palette;
  return { sizePx: canvas.widthPx, palette: colors, pixels, ...(alphas ? { alphas } : {}) };
}

/** A painted square, ready to be stamped: entries of the palette. */
type Stamp = { readonly widthPx: number; readonly entries: Uint8Array };

/** A module looks one of sixteen ways, by its neighbours, so each way is worked out once and then copied. */
function paintModules(
  pixels: Uint8Array,
  canvas: Canvas,
  palette: Palette,
  { matrix, type, fill }: ModulesShape,
): void {
  const coverageOf = moduleCoverages(type, canvas.modulePx);
  const neighbours = neighboursIn(matrix);
  const stamps: Stamp[] = [];
  for (let at = 0; at < matrix.modules.length; at++) {
    if (matrix.modules[at] === 0) continue;
    const way = neighbours[at]!;
    stamps[way] ??= stampOf(coverageOf(way), palette, fill as string);
    press(pixels, canvas, stamps[way], at % matrix.size, Math.floor(at / matrix.size));
  }
}

/** A stamp with an empty middle wipes what lies there, so what is inside of a ring comes after it. */
function paintSquares(
  pixels: Uint8Array,
  canvas: Canvas,
  palette: Palette,
  { squares, fill }: SquaresShape,
): void {
  const [first] = squares;
  if (!first) return;
  const stamp = stampOf(hollowSquareCoverage(first, canvas.modulePx), palette, fill as string);
  for (const { outer } of squares) press(pixels, canvas, stamp, outer.x, outer.y);
}

function stampOf(coverage: ReturnType<typeof hollowSquareCoverage>, palette: Palette, color: string): Stamp {
  const ramp = palette.rampOf(color);
  const steps = coverageSteps(coverage, palette.steps);
  for (let at = 0; at < steps.length; at++) if (steps[at] !== 0) steps[at]! += ramp;
  return { widthPx: coverage.widthPx, entries: steps };
}

function press(
  pixels: Uint8Array,
  { widthPx: rowPx, modulePx, leftPx, topPx }: Canvas,
  { widthPx, entries }: Stamp,
  x: number,
  y: number,
): void {
  let to = (topPx + y * modulePx) * rowPx + leftPx + x * modulePx;
  for (let from = 0; from < entries.length; from += widthPx, to += rowPx) {
    // A loop, because a call that copies a dozen bytes costs more than the copying.
    for (let at = 0; at < widthPx; at++) pixels[to + at] = entries[from + at]!;
  }
}
