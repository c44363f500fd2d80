import { channelsOf } from './color.ts';
import { squareCoverage } from './coverage.ts';
import { colorAlong, stepsAlong } from './gradient.ts';
import type { Canvas } from './layout.ts';
import { outlineCoverage } from './outline-coverage.ts';
import { fitted } from './page-size.ts';
import { segmentsOf } from './path.ts';
import { resample } from './resample.ts';
import type { Fill, ModulesShape, OutlineShape, PictureShape, Scene, SquaresShape } from './scene.ts';
import { neighboursIn } from './shapes.ts';
import { coverageSteps, hollowSquareCoverage, moduleCoverages } from './stamps.ts';

/** A picture of any colours, which takes red, green and blue a pixel, and a fourth byte for how opaque where it is clear. */
export type FullColorPicture = {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly channels: 3 | 4;
  /** The rows as PNG stores them, so that none is copied: a byte for the filter (none), then the pixels. */
  readonly lines: Uint8Array;
};

export const pixelAt = ({ widthPx, channels }: FullColorPicture, x: number, y: number): number =>
  y * (widthPx * channels + 1) + 1 + x * channels;

/** Paints what has more colours than a palette holds: gradients, pictures and letters. */
export function fullColorOf(scene: Scene, canvas: Canvas, isClear: boolean): FullColorPicture {
  const { widthPx, heightPx } = canvas;
  const channels = isClear ? 4 : 3;
  const lines = new Uint8Array((widthPx * channels + 1) * heightPx);
  const picture = { widthPx, heightPx, channels, lines } as const;
  if (!isClear) fillWith(picture, channelsOf(scene.background));
  for (const shape of scene.shapes) {
    switch (shape.kind) {
      case 'modules':
        paintModules(picture, canvas, shape);
        break;
      case 'squares':
        paintSquares(picture, canvas, shape);
        break;
      case 'outline':
        paintOutline(picture, canvas, shape);
        break;
      case 'picture':
        paintPicture(picture, canvas, shape);
        break;
      default:
        throw new TypeError(`No such shape: ${shape satisfies never}`);
    }
  }
  return picture;
}

/** Steps of coverage, the same as in pictures with a palette, so that both look alike. */
const steps = 15;

/** How much of each pixel of a box is covered, 0 to 255. */
type Mask = { readonly widthPx: number; readonly alphas: Uint8Array };

const maskOf = (coverage: Parameters<typeof coverageSteps>[0]): Mask => ({
  widthPx: coverage.widthPx,
  alphas: coverageSteps(coverage, steps).map(step => step * (255 / steps)),
});

function paintModules(picture: FullColorPicture, canvas: Canvas, { matrix, type, fill }: ModulesShape): void {
  const coverageOf = moduleCoverages(type, canvas.modulePx);
  const neighbours = neighboursIn(matrix);
  const masks: Mask[] = [];
  const ink = inkOf(fill, canvas);
  const { modulePx, leftPx, topPx } = canvas;
  for (let at = 0; at < matrix.modules.length; at++) {
    if (matrix.modules[at] === 0) continue;
    const way = neighbours[at]!;
    masks[way] ??= maskOf(coverageOf(way));
    const [x, y] = [at % matrix.size, Math.floor(at / matrix.size)];
    cover(picture, masks[way], leftPx + x * modulePx, topPx + y * modulePx, ink);
  }
}

function paintSquares(picture: FullColorPicture, canvas: Canvas, { squares, fill }: SquaresShape): void {
  const [first] = squares;
  if (!first) return;
  const mask = maskOf(hollowSquareCoverage(first, canvas.modulePx));
  const ink = inkOf(fill, canvas);
  for (const { outer } of squares) {
    cover(
      picture,
      mask,
      canvas.leftPx + outer.x * canvas.modulePx,
      canvas.topPx + outer.y * canvas.modulePx,
      ink,
    );
  }
}

function paintOutline(picture: FullColorPicture, canvas: Canvas, { path, fill }: OutlineShape): void {
  const { x, y, widthPx, alphas } = outlineCoverage(segmentsOf(path), canvas);
  cover(picture, { widthPx, alphas }, x, y, inkOf(fill, canvas));
}

/** The picture keeps its proportions inside its square; a round one fills the circle in it, and is cut to it. */
function paintPicture(
  target: FullColorPicture,
  canvas: Canvas,
  { place, shape, picture }: PictureShape,
): void {
  const half = canvas.modulePx / 2;
  const sidePx = Math.max(1, Math.round(place.width * half));
  const left = Math.round(canvas.leftPx + place.x * half);
  const top = Math.round(canvas.topPx + place.y * half);
  const box = fitted({ x: 0, y: 0, width: sidePx, height: sidePx }, picture.pixels, shape);
  const [widthPx, heightPx] = [Math.max(1, Math.round(box.width)), Math.max(1, Math.round(box.height))];
  const [insetX, insetY] = [Math.round(box.x), Math.round(box.y)];
  const shown = resample(picture.pixels, widthPx, heightPx);
  const radius = sidePx / 2;
  const circle = shape === 'circle' ? squareCoverage(sidePx, [radius, radius, radius, radius]).amounts : null;
  for (let y = Math.max(0, insetY); y < Math.min(sidePx, insetY + heightPx); y++) {
    for (let x = Math.max(0, insetX); x < Math.min(sidePx, insetX + widthPx); x++) {
      const from = ((y - insetY) * widthPx + x - insetX) * 4;
      const alpha = Math.round(shown[from + 3]! * (circle ? circle[y * sidePx + x]! : 1));
      const to = pixelAt(target, left + x, top + y);
      blend(target.lines, target.channels, to, shown[from]!, shown[from + 1]!, shown[from + 2]!, alpha);
    }
  }
}

/** The colours of a fill, three bytes each, and which of them the pixels of a row have, from one of them on. */
type Ink = { readonly colors: Uint8Array; entriesOf(x: number, y: number, entries: Uint16Array): void };

const shades = 1024;

function inkOf(fill: Fill, { modulePx, leftPx, topPx }: Canvas): Ink {
  if (typeof fill === 'string')
    return { colors: Uint8Array.from(channelsOf(fill)), entriesOf: (_x, _y, entries) => entries.fill(0) };
  const colors = new Uint8Array(shades * 3);
  const colorAt = colorAlong(fill.stops);
  for (let entry = 0; entry < shades; entry++) colors.set(colorAt(entry / (shades - 1)), entry * 3);
  const stepsOf = stepsAlong(fill, shades - 1);
  const perPx = 2 / modulePx;
  return {
    colors,
    entriesOf: (x, y, entries) =>
      stepsOf((x + 0.5 - leftPx) * perPx, (y + 0.5 - topPx) * perPx, perPx, entries),
  };
}

/** Lays ink over a box of pixels, as much as the mask says. */
function cover(
  picture: FullColorPicture,
  { widthPx, alphas }: Mask,
  left: number,
  top: number,
  ink: Ink,
): void {
  const { colors } = ink;
  const { lines, channels } = picture;
  const entries = new Uint16Array(widthPx);
  for (let from = 0, y = top; from < alphas.length; y++) {
    ink.entriesOf(left, y, entries);
    for (let x = 0, to = pixelAt(picture, left, y); x < widthPx; x++, from++, to += channels) {
      const alpha = alphas[from]!;
      if (alpha === 0) continue;
      const entry = 3 * entries[x]!;
      if (alpha === 255 && channels === 3) {
        lines[to] = colors[entry]!;
        lines[to + 1] = colors[entry + 1]!;
        lines[to + 2] = colors[entry + 2]!;
      } else blend(lines, channels, to, colors[entry]!, colors[entry + 1]!, colors[entry + 2]!, alpha);
    }
  }
}

function blend(
  lines: Uint8Array,
  channels: 3 | 4,
  to: number,
  red: number,
  green: number,
  blue: number,
  alpha: number,
): void {
  if (channels === 3) {
    const rest = 255 - alpha;
    lines[to] = (red * alpha + lines[to]! * rest + 127) / 255;
    lines[to + 1] = (green * alpha + lines[to + 1]! * rest + 127) / 255;
    lines[to + 2] = (blue * alpha + lines[to + 2]! * rest + 127) / 255;
    return;
  }
  if (alpha === 0) return;
  // How opaque both are together, and the part of it that the new colour has.
  const opacity = alpha + (lines[to + 3]! * (255 - alpha)) / 255;
  const part = alpha / opacity;
  lines[to] = Math.round(lines[to]! + (red - lines[to]!) * part);
  lines[to + 1] = Math.round(lines[to + 1]! + (green - lines[to + 1]!) * part);
  lines[to + 2] = Math.round(lines[to + 2]! + (blue - lines[to + 2]!) * part);
  lines[to + 3] = Math.round(opacity);
}

/** Fills the first row, then copies it to the others. */
function fillWith({ widthPx, heightPx, lines }: FullColorPicture, color: readonly number[]): void {
  const lineBytes = widthPx * 3 + 1;
  for (let at = 1; at < lineBytes; at += 3) lines.set(color, at);
  for (let y = 1; y < heightPx; y++) lines.copyWithin(y * lineBytes, 0, lineBytes);
}
