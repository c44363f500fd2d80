import type { Canvas } from './layout.ts';
import type { Segment } from './path.ts';

/** The pixels around an outline, each with how much of it is covered, 0 to 255. */
export type OutlineMask = {
  readonly x: number;
  readonly y: number;
  readonly widthPx: number;
  readonly alphas: Uint8Array;
};

/** Straight parts that a curve is drawn as; letters are small. */
const partsPerCurve = 12;

/**
 * The exact area of each pixel inside an outline. Every edge adds to the pixels on its right, upward and downward edges
 * with opposite signs, so that adding up a row gives the coverage.
 */
export function outlineCoverage(segments: readonly Segment[], canvas: Canvas): OutlineMask {
  const lines = linesOf(segments, canvas);
  const xs = lines.flatMap(([x0, , x1]) => [x0, x1]);
  const ys = lines.flatMap(([, y0, , y1]) => [y0, y1]);
  const left = Math.max(0, Math.floor(xs.reduce((a, b) => Math.min(a, b), canvas.widthPx)));
  const top = Math.max(0, Math.floor(ys.reduce((a, b) => Math.min(a, b), canvas.heightPx)));
  const right = Math.min(canvas.widthPx, Math.ceil(xs.reduce((a, b) => Math.max(a, b), 0)));
  const bottom = Math.min(canvas.heightPx, Math.ceil(ys.reduce((a, b) => Math.max(a, b), 0)));
  const [widthPx, heightPx] = [Math.max(0, right - left), Math.max(0, bottom - top)];
  const changes = new Float64Array((widthPx + 2) * heightPx);
  for (const [x0, y0, x1, y1] of lines) {
    if (y0 < y1) addEdge(changes, widthPx, heightPx, x0 - left, y0 - top, x1 - left, y1 - top, 1);
    if (y0 > y1) addEdge(changes, widthPx, heightPx, x1 - left, y1 - top, x0 - left, y0 - top, -1);
  }
  const alphas = new Uint8Array(widthPx * heightPx);
  for (let y = 0; y < heightPx; y++) {
    let sum = 0;
    for (let x = 0; x < widthPx; x++) {
      sum += changes[y * (widthPx + 2) + x]!;
      alphas[y * widthPx + x] = Math.round(255 * Math.min(1, Math.abs(sum)));
    }
  }
  return { x: left, y: top, widthPx, alphas };
}

/** An edge that runs down, row by row: the rows share it, and in a row the pixels under it. */
function addEdge(
  changes: Float64Array,
  widthPx: number,
  heightPx: number,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  sign: number,
): void {
  const slope = (x1 - x0) / (y1 - y0);
  for (let row = Math.max(0, Math.floor(y0)); row < Math.min(heightPx, Math.ceil(y1)); row++) {
    const [from, to] = [Math.max(y0, row), Math.min(y1, row + 1)];
    const height = (to - from) * sign;
    const [a, b] = [x0 + (from - y0) * slope, x0 + (to - y0) * slope];
    const [start, end] = [clamp(Math.min(a, b), widthPx), clamp(Math.max(a, b), widthPx)];
    const base = row * (widthPx + 2);
    const last = Math.floor(end);
    const span = end - start;
    for (let x = Math.floor(start); x <= last; x++) {
      // The part of the edge over this pixel, and where its middle is: what lies right of it is covered.
      const [partStart, partEnd] = [Math.max(start, x), Math.min(end, x + 1)];
      const share = span === 0 ? 1 : (partEnd - partStart) / span;
      const covered = 1 - ((partStart + partEnd) / 2 - x);
      changes[base + x]! += height * share * covered;
      changes[base + x + 1]! += height * share * (1 - covered);
    }
  }
}

const clamp = (x: number, widthPx: number) => Math.min(widthPx, Math.max(0, x));

type Line = readonly [x0: number, y0: number, x1: number, y1: number];

function linesOf(segments: readonly Segment[], { modulePx, leftPx, topPx }: Canvas): Line[] {
  const half = modulePx / 2;
  const lines: Line[] = [];
  let [x, y, startX, startY] = [0, 0, 0, 0];
  const lineTo = (toX: number, toY: number) => {
    lines.push([leftPx + x * half, topPx + y * half, leftPx + toX * half, topPx + toY * half]);
    [x, y] = [toX, toY];
  };
  for (const segment of segments) {
    if (segment.kind === 'move') {
      lineTo(startX, startY);
      [x, y, startX, startY] = [segment.x, segment.y, segment.x, segment.y];
    }
    if (segment.kind === 'line') lineTo(segment.x, segment.y);
    if (segment.kind === 'close') lineTo(startX, startY);
    if (segment.kind === 'curve') {
      const [fromX, fromY] = [x, y];
      for (let part = 1; part <= partsPerCurve; part++) {
        const t = part / partsPerCurve;
        const u = 1 - t;
        const mix = (p0: number, p1: number, p2: number, p3: number) =>
          u * u * u * p0 + 3 * u * u * t * p1 + 3 * u * t * t * p2 + t * t * t * p3;
        lineTo(mix(fromX, segment.x1, segment.x2, segment.x), mix(fromY, segment.y1, segment.y2, segment.y));
      }
    }
  }
  lineTo(startX, startY);
  return lines;
}
