import type { Radii } from './shapes.ts';

/** How much of each pixel is covered, 0 to 1, row by row. */
export type Coverage = { readonly widthPx: number; readonly amounts: Float64Array };

/** Lines measured in each row of pixels; their ends are taken exactly, so that so few are enough. */
const linesPerPixel = 16;

/** The coverage of a square with rounded corners that fills its frame; the radii are in pixels. */
export function squareCoverage(widthPx: number, radii: Radii): Coverage {
  const [topLeft, topRight, bottomRight, bottomLeft] = radii;
  const amounts = new Float64Array(widthPx * widthPx);
  // One place more than the row has pixels, for what an end on the last pixel's right side hands on.
  const changes = new Float64Array(widthPx + 2);
  for (let row = 0; row < widthPx; row++) {
    changes.fill(0);
    for (let line = 0; line < linesPerPixel; line++) {
      const y = row + (line + 0.5) / linesPerPixel;
      const below = widthPx - y;
      begin(changes, Math.max(inset(topLeft, y), inset(bottomLeft, below)), 1 / linesPerPixel);
      begin(changes, widthPx - Math.max(inset(topRight, y), inset(bottomRight, below)), -1 / linesPerPixel);
    }
    let sum = 0;
    for (let x = 0; x < widthPx; x++) {
      sum += changes[x]!;
      amounts[row * widthPx + x] = sum;
    }
  }
  return { widthPx, amounts };
}

/** Takes a smaller shape, centred, out of a larger one that holds it whole. */
export function withHole(shape: Coverage, hole: Coverage): Coverage {
  const amounts = shape.amounts.slice();
  const offset = (shape.widthPx - hole.widthPx) / 2;
  for (let y = 0; y < hole.widthPx; y++) {
    for (let x = 0; x < hole.widthPx; x++) {
      amounts[(y + offset) * shape.widthPx + x + offset]! -= hole.amounts[y * hole.widthPx + x]!;
    }
  }
  return { widthPx: shape.widthPx, amounts };
}

/** How far a rounded corner has drawn back at a distance from the side it starts from. */
function inset(radius: number, distance: number): number {
  if (distance >= radius) return 0;
  const rise = radius - distance;
  return radius - Math.sqrt(radius * radius - rise * rise);
}

/** Notes that from x on all pixels to the right gain an amount, the pixel under x its share of it. */
function begin(changes: Float64Array, x: number, amount: number): void {
  const pixel = Math.floor(x);
  const share = 1 - (x - pixel);
  changes[pixel]! += amount * share;
  changes[pixel + 1]! += amount * (1 - share);
}
