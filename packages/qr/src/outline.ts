import { isDark, type Matrix } from './matrix.ts';
import { neighboursIn, type Radii, type RoundedSquare, side } from './shapes.ts';

/**
 * Path data in half modules, so that every number is a small integer. Modules that share a side share one
 * outline: drawn one by one, the joints between them would show as hairlines wherever a picture is scaled.
 */
export function outlineOf(matrix: Matrix, radiiByNeighbours: readonly Radii[]): string {
  const { size, modules } = matrix;
  const neighbours = neighboursIn(matrix);
  const traced = new Uint8Array(modules.length);
  let path = '';
  for (let at = 0; at < modules.length; at++) {
    // Every closed outline, that of a hole too, runs along the top side of some module.
    if (modules[at] === 0 || traced[at] === 1 || neighbours[at]! & side.top) continue;
    path += trace(size, neighbours, radiiByNeighbours, traced, at);
  }
  return path;
}

/**
 * Path data of a circle for every module. Circles that touch in a row are drawn in two sweeps, over their tops
 * and back under them, and the pen moves from row to row by distance, since these dots make the longest paths.
 */
export function circlesOf(matrix: Matrix): string {
  let path = '';
  let [penX, penY] = [0, 0];
  for (let y = 0; y < matrix.size; y++) {
    for (let x = 0; x < matrix.size; x++) {
      if (!isDark(matrix, x, y)) continue;
      const first = x;
      while (isDark(matrix, x + 1, y)) x++;
      const count = x - first + 1;
      const sweeps = '1 1 0 012 0 '.repeat(count) + '1 1 0 01-2 0 '.repeat(count);
      path += `m${pair(2 * first - penX, 2 * y + 1 - penY)}a${sweeps.trimEnd()}`;
      [penX, penY] = [2 * first, 2 * y + 1];
    }
  }
  return path;
}

/** The path of one square with rounded corners, for shapes that never merge with their neighbours. */
export function squarePath({ x, y, size, radii }: RoundedSquare): string {
  if (radii.every(radius => radius === size)) return `M${2 * x + size} ${2 * y}${circle(size)}`;
  const [first] = radii;
  let path = `M${2 * x + first} ${2 * y}`;
  for (const heading of headings) {
    const radius = radii[heading.endsAt]!;
    path += straight(heading, 2 * size - radii[heading.startsAt]! - radius) + arc(heading, radius);
  }
  return `${path}z`;
}

/** The four ways along the sides of a module, clockwise, with the module on the right hand. */
type Heading = {
  readonly dx: number;
  readonly dy: number;
  /** Where the next module along this side lies, and where the one across from that lies, on its left hand. */
  readonly ahead: number;
  readonly across: number;
  /** Which corners of the module (clockwise from the top left) lie at the two ends of this side. */
  readonly startsAt: number;
  readonly endsAt: number;
};

const headings: readonly Heading[] = [
  { dx: 1, dy: 0, ahead: side.right, across: side.top, startsAt: 0, endsAt: 1 },
  { dx: 0, dy: 1, ahead: side.bottom, across: side.right, startsAt: 1, endsAt: 2 },
  { dx: -1, dy: 0, ahead: side.left, across: side.bottom, startsAt: 2, endsAt: 3 },
  { dx: 0, dy: -1, ahead: side.top, across: side.left, startsAt: 3, endsAt: 0 },
];

function trace(
  size: number,
  neighbours: Uint8Array,
  radiiByNeighbours: readonly Radii[],
  traced: Uint8Array,
  start: number,
): string {
  const around = neighbours[start]!;
  // Where the module on the left is dark, the outline comes into this side from an inward corner, which is sharp.
  const first = around & side.left ? 0 : radiiByNeighbours[around]![0];
  let path = `M${2 * (start % size) + first} ${2 * Math.floor(start / size)}`;
  let run = -first;
  let at = start;
  let way = 0;
  do {
    const heading = headings[way]!;
    if (way === 0) traced[at] = 1;
    run += 2;
    if ((neighbours[at]! & heading.ahead) === 0) {
      // Modules that touch only at a corner keep apart: the outline stays with its own module.
      const radius = radiiByNeighbours[neighbours[at]!]![heading.endsAt]!;
      path += straight(heading, run - radius) + arc(heading, radius);
      run = -radius;
      way = (way + 1) % 4;
      continue;
    }
    at += heading.dx + heading.dy * size;
    if (neighbours[at]! & heading.across) {
      path += straight(heading, run);
      run = 0;
      at += heading.dy - heading.dx * size;
      way = (way + 3) % 4;
    }
  } while (at !== start || way !== 0);
  return `${path}z`;
}

function straight({ dx, dy }: Heading, length: number): string {
  if (length === 0) return '';
  return dx === 0 ? `v${dy * length}` : `h${dx * length}`;
}

/** A quarter turn to the right at the end of a side. */
function arc({ dx, dy }: Heading, radius: number): string {
  if (radius === 0) return '';
  return `a${radius} ${radius} 0 01${pair(radius * (dx - dy), radius * (dy + dx))}`;
}

/** Two half turns, down on the right and up on the left, from the topmost point and back to it. */
function circle(radius: number): string {
  const half = `${radius} ${radius} 0 01`;
  return `a${half}${pair(0, 2 * radius)} ${half}${pair(0, -2 * radius)}`;
}

const pair = (x: number, y: number) => (y < 0 ? `${x}${y}` : `${x} ${y}`);
