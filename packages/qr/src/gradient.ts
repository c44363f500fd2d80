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

/** The colour at a share of the way, 0 to 1, as three bytes; mixed on the sRGB bytes, as SVG does it. */
export function colorAt(
  stops: readonly GradientStop[],
  share: number,
): readonly [red: number, green: number, blue: number] {
  const after = stops.findIndex(stop => stop.offset > share);
  const next = after < 0 ? stops[stops.length - 1]! : stops[after]!;
  const previous = after < 0 ? next : stops[Math.max(0, after - 1)]!;
  const span = next.offset - previous.offset;
  const part = span <= 0 ? 0 : Math.max(0, (share - previous.offset) / span);
  const [start, end] = [channelsOf(previous.color), channelsOf(next.color)];
  const mixed = (at: 0 | 1 | 2) => Math.round(start[at] + (end[at] - start[at]) * part);
  return [mixed(0), mixed(1), mixed(2)];
}

/** How far along a gradient a place is, 0 to 1. */
export function shareOf(gradient: PlacedGradient): (x: number, y: number) => number {
  if (gradient.type === 'radial') {
    const { centre, radius } = gradient;
    return (x, y) => Math.min(1, Math.hypot(x - centre.x, y - centre.y) / radius);
  }
  const { from, to } = gradient;
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const squared = dx * dx + dy * dy;
  return (x, y) => Math.min(1, Math.max(0, ((x - from.x) * dx + (y - from.y) * dy) / squared));
}

const rounded = (value: number) => Math.round(value * 1000) / 1000;
