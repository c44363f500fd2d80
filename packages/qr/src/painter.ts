import { type Coverage, squareCoverage, withHole } from './coverage.ts';
import { type Drawing, drawingOf } from './drawing.ts';
import { clearPaletteOf, type Palette, paletteOf } from './palette.ts';
import { moduleRadii, neighboursIn, type RoundedSquare } from './shapes.ts';
import type { Style } from './style.ts';

/** A square picture of few colours: one byte a pixel, which names an entry of the palette. */
export type Picture = {
  readonly sizePx: number;
  readonly palette: readonly string[];
  /** How opaque each entry of the palette is, 0 to 255; left out where all of them are. */
  readonly alphas?: readonly number[];
  readonly pixels: Uint8Array;
};

/** Paints the code into pixels, the same ones that the SVG shows at the same size. */
export function paint(text: string, style: Style, sizePx: number): Picture {
  return pictureOf(drawingOf(text, style, sizePx));
}

/** The picture of a drawing; a clear one has no background. */
export function pictureOf(drawing: Drawing, isClear = false): Picture {
  const { sizePx } = drawing.layout;
  const palette = isClear ? clearPaletteOf(drawing.style) : paletteOf(drawing.style);
  const pixels = new Uint8Array(sizePx * sizePx);
  paintDots(pixels, drawing, palette);
  paintFinders(pixels, drawing, palette);
  const { colors, alphas } = palette;
  return { sizePx, palette: colors, pixels, ...(alphas ? { alphas } : {}) };
}

/** A painted square, ready to be stamped: entries of the palette. */
type Stamp = { readonly widthPx: number; readonly entries: Uint8Array };

/** A module looks one of sixteen ways, by its neighbours, so each way is worked out once and then copied. */
function paintDots(pixels: Uint8Array, drawing: Drawing, palette: Palette): void {
  const { dots, style, layout } = drawing;
  const radii = moduleRadii(style.dotsType);
  const neighbours = neighboursIn(dots);
  const stamps: Stamp[] = [];
  for (let at = 0; at < dots.modules.length; at++) {
    if (dots.modules[at] === 0) continue;
    const way = neighbours[at]!;
    stamps[way] ??= stampOf(
      coverageOf({ size: 1, radii: radii[way]! }, layout.modulePx),
      palette,
      style.dotsColor,
    );
    press(pixels, drawing, stamps[way], at % dots.size, Math.floor(at / dots.size));
  }
}

function paintFinders(pixels: Uint8Array, drawing: Drawing, palette: Palette): void {
  const { rings, centres, style, layout } = drawing;
  const [ring] = rings;
  const [centre] = centres;
  if (!ring || !centre) return;
  const hollow = withHole(coverageOf(ring.outer, layout.modulePx), coverageOf(ring.inner, layout.modulePx));
  const ringStamp = stampOf(hollow, palette, style.cornersSquareColor);
  const centreStamp = stampOf(coverageOf(centre, layout.modulePx), palette, style.cornersDotColor);
  // A ring's stamp has an empty middle that wipes what lies there, so its centre comes after it.
  for (const { outer } of rings) press(pixels, drawing, ringStamp, outer.x, outer.y);
  for (const { x, y } of centres) press(pixels, drawing, centreStamp, x, y);
}

function coverageOf({ size, radii }: Pick<RoundedSquare, 'size' | 'radii'>, modulePx: number): Coverage {
  const [topLeft, topRight, bottomRight, bottomLeft] = radii;
  const half = modulePx / 2;
  return squareCoverage(size * modulePx, [
    topLeft * half,
    topRight * half,
    bottomRight * half,
    bottomLeft * half,
  ]);
}

/**
 * Chromium draws curves a little thinner than the area they cover, resvg does not. This part of a step less keeps
 * close to both: PNG and SVG look alike in a browser and out of one.
 */
const thinnerBy = 0.25;

function stampOf({ widthPx, amounts }: Coverage, { steps, rampOf }: Palette, color: string): Stamp {
  const ramp = rampOf(color);
  const entries = new Uint8Array(amounts.length);
  for (let at = 0; at < amounts.length; at++) {
    const step = Math.round(amounts[at]! * steps - thinnerBy);
    entries[at] = step === 0 ? 0 : ramp + step;
  }
  return { widthPx, entries };
}

function press(
  pixels: Uint8Array,
  { layout }: Drawing,
  { widthPx, entries }: Stamp,
  x: number,
  y: number,
): void {
  const { sizePx, modulePx, offsetPx } = layout;
  let to = (offsetPx + y * modulePx) * sizePx + offsetPx + x * modulePx;
  for (let from = 0; from < entries.length; from += widthPx, to += sizePx) {
    // A loop, because a call that copies a dozen bytes costs more than the copying.
    for (let at = 0; at < widthPx; at++) pixels[to + at] = entries[from + at]!;
  }
}
