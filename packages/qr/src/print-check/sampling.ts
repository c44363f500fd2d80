import { quietModules } from '../layout.ts';
import type { Matrix } from '../matrix.ts';
import { brightness, type Photo, type Projection } from './photo.ts';

/** What the photograph shows of each module. */
export type Samples = {
  readonly values: Float32Array;
  /** Between light and dark around each module: shadows make them differ over the code. */
  readonly thresholds: Float32Array;
  /** The difference between light and dark around each module, as a mean, from 0 to 1. */
  readonly contrast: number;
};

/** Around the centre of a module: less than a third of it, since its edges are blurred. */
const offsets = [
  [0, 0],
  [0.15, 0],
  [-0.15, 0],
  [0, 0.15],
  [0, -0.15],
] as const;
/** Light and dark are compared within so many modules to each side. */
const reach = 6;

export function sampleModules(photo: Photo, place: Projection, matrix: Matrix): Samples {
  const { size, modules } = matrix;
  const values = Float32Array.from(modules, (_, at) => {
    const [x, y] = [at % size, Math.floor(at / size)];
    const sum = offsets.reduce(
      (total, [dx, dy]) => total + brightness(photo, place((x + 0.5 + dx) / size, (y + 0.5 + dy) / size)),
      0,
    );
    return sum / offsets.length;
  });
  const thresholds = new Float32Array(modules.length);
  let difference = 0;
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const [dark, light] = nearby(values, matrix, x, y);
      thresholds[y * size + x] = (dark + light) / 2;
      difference += light - dark;
    }
  }
  return { values, thresholds, contrast: Math.max(0, difference / modules.length / 255) };
}

/** The medians of the modules around that should be dark and light: damage to fewer than half of them does not move these. */
function nearby(values: Float32Array, { size, modules }: Matrix, x: number, y: number): [number, number] {
  const found: [number[], number[]] = [[], []];
  for (let row = Math.max(0, y - reach); row <= Math.min(size - 1, y + reach); row++) {
    for (let column = Math.max(0, x - reach); column <= Math.min(size - 1, x + reach); column++) {
      const at = row * size + column;
      found[modules[at] === 1 ? 0 : 1].push(values[at]!);
    }
  }
  return [median(found[0]), median(found[1])];
}

function median(values: number[]): number {
  values.sort((a, b) => a - b);
  return values[values.length >> 1] ?? 0;
}

/** How far the edges between dark and light modules lie from where they should, in modules: towards light is more. */
export type Edges = { readonly offset: number };

/** Places across an edge, from the centre of one module to that of the next. */
const steps = 20;

export function measureEdges(
  photo: Photo,
  place: Projection,
  { size, modules }: Matrix,
  covered: ReadonlySet<number>,
): Edges {
  const found: number[] = [];
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      for (const [dx, dy] of [
        [1, 0],
        [0, 1],
      ] as const) {
        const [from, to] = [y * size + x, (y + dy) * size + x + dx];
        if (x + dx >= size || y + dy >= size || modules[from] === modules[to]) continue;
        if (covered.has(from) || covered.has(to)) continue;
        const line = Array.from({ length: steps + 1 }, (_, step) =>
          brightness(
            photo,
            place((x + 0.5 + (dx * step) / steps) / size, (y + 0.5 + (dy * step) / steps) / size),
          ),
        );
        if (modules[from] === 0) line.reverse();
        const offset = crossing(line);
        if (offset !== null) found.push(offset);
      }
    }
  }
  return { offset: found.length > 0 ? median(found) : 0 };
}

/** How far behind the middle a line from dark to light is halfway between both; null where it does not become lighter. */
function crossing(line: readonly number[]): number | null {
  const [dark, light] = [line[0]!, line[line.length - 1]!];
  if (light - dark < 10) return null;
  const middle = (dark + light) / 2;
  const at = line.findIndex(value => value >= middle);
  return at / steps - 0.5;
}

/** Of the places along a side at one distance, so many have to be light. */
const lightShare = 0.9;

/** How many modules around the code are free, on its worst side. */
export function measureQuietZone(
  photo: Photo,
  place: Projection,
  { size }: Matrix,
  { thresholds }: Samples,
): number {
  const corner = (x: number, y: number) => thresholds[y * size + x]!;
  const sides = [
    (along: number, out: number) => ({ x: along, y: -out, threshold: corner(Math.floor(along), 0) }),
    (along: number, out: number) => ({
      x: along,
      y: size + out,
      threshold: corner(Math.floor(along), size - 1),
    }),
    (along: number, out: number) => ({ x: -out, y: along, threshold: corner(0, Math.floor(along)) }),
    (along: number, out: number) => ({
      x: size + out,
      y: along,
      threshold: corner(size - 1, Math.floor(along)),
    }),
  ];
  return Math.min(
    ...sides.map(side => {
      for (let ring = 0; ring < quietModules; ring++) {
        let light = 0;
        for (let module = 0; module < size; module++) {
          const { x, y, threshold } = side(module + 0.5, ring + 0.5);
          const at = place(x / size, y / size);
          const isInside = at.x >= 0 && at.y >= 0 && at.x < photo.width && at.y < photo.height;
          // What the photograph does not show cannot be held against the print.
          if (!isInside || brightness(photo, at) > threshold) light++;
        }
        if (light < size * lightShare) return ring;
      }
      return quietModules;
    }),
  );
}
