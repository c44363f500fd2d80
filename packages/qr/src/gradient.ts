import { channelsOf } from './color.ts';

/** A colour that changes over the code; the words are those of the API. */
export type Gradient = {
  readonly type: GradientType;
  /** Of a linear one, in degrees: 0 runs from left to right, 90 from top to bottom. */
  readonly rotation?: number;
  readonly stops: readonly GradientStop[];
};

export type GradientStop = { readonly offset: number; readonly color: string };

export const gradientTypes = ['linear', 'radial'] as const;
type GradientType = (typeof gradientTypes)[number];

/** A gradient with its place, in half modules. A linear one runs from one point to the other, a radial one around its centre. */
export type PlacedGradient =
  | {
      readonly type: 'linear';
      readonly from: Point;
      readonly to: Point;
      readonly stops: readonly GradientStop[];
    }
  | {
      readonly type: 'radial';
      readonly centre: Point;
      readonly radius: number;
      readonly stops: readonly GradientStop[];
    };

type Point = { readonly x: number; readonly y: number };

/** Lays a gradient over a square so that its first and last colour lie at the far corners. */
export function placeGradient({ type, rotation = 0, stops }: Gradient, width: number): PlacedGradient {
  const centre = { x: width / 2, y: width / 2 };
  if (type === 'radial') return { type, centre, radius: (width / 2) * Math.SQRT2, stops };
  const angle = (rotation * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const half = ((Math.abs(cos) + Math.abs(sin)) * width) / 2;
  const from = { x: rounded(centre.x - cos * half), y: rounded(centre.y - sin * half) };
  const to = { x: rounded(centre.x + cos * half), y: rounded(centre.y + sin * half) };
  return { type, from, to, stops };
}

type Color = readonly [red: number, green: number, blue: number];

/** The colour at a share of the way, 0 to 1, as three bytes; mixed on the sRGB bytes, as SVG does it. */
export function colorAlong(stops: readonly GradientStop[]): (share: number) => Color {
  const colors = stops.map(stop => channelsOf(stop.color));
  return share => {
    const after = stops.findIndex(stop => stop.offset > share);
    const next = after < 0 ? stops.length - 1 : after;
    const previous = after < 0 ? next : Math.max(0, after - 1);
    const [start, end] = [stops[previous]!.offset, stops[next]!.offset];
    const part = end <= start ? 0 : Math.max(0, (share - start) / (end - start));
    const mixed = (at: 0 | 1 | 2) =>
      Math.round(colors[previous]![at] + (colors[next]![at] - colors[previous]![at]) * part);
    return [mixed(0), mixed(1), mixed(2)];
  };
}

/**
 * Notes how far along a gradient each place of a row is, in whole steps: as many places as fit, each a distance further right
 * than the one before it.
 */
export function stepsAlong(
  gradient: PlacedGradient,
  lastStep: number,
): (x: number, y: number, distance: number, row: Uint16Array) => void {
  if (gradient.type === 'radial') {
    const { centre, radius } = gradient;
    return (x, y, distance, row) => {
      const down = (y - centre.y) * (y - centre.y);
      for (let at = 0; at < row.length; at++) {
        const across = x + at * distance - centre.x;
        row[at] = Math.min(1, Math.sqrt(across * across + down) / radius) * lastStep + 0.5;
      }
    };
  }
  const { from, to } = gradient;
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const squared = dx * dx + dy * dy;
  return (x, y, distance, row) => {
    const start = ((x - from.x) * dx + (y - from.y) * dy) / squared;
    const each = (distance * dx) / squared;
    for (let at = 0; at < row.length; at++)
      row[at] = Math.min(1, Math.max(0, start + at * each)) * lastStep + 0.5;
  };
}

const rounded = (value: number) => Math.round(value * 1000) / 1000;
