import type { Matrix } from '../matrix.ts';
import { brightness, type Corners, type Photo, project } from './photo.ts';

/** Decoders round corners to whole pixels, and see a stained one where it is not: they are moved by steps of a module. */
const stepsInModules = [0.6, 0.3, 0.15, 0.07];
const maxRounds = 4;
const names = ['topLeft', 'topRight', 'bottomRight', 'bottomLeft'] as const;
const directions = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
] as const;

/** Moves the corners to where the photograph resembles the expected code most. */
export function align(photo: Photo, corners: Corners, matrix: Matrix): Corners {
  const modulePx = perimeter(corners) / 4 / matrix.size;
  let best = corners;
  let bestFit = resemblance(photo, corners, matrix);
  for (const step of stepsInModules) {
    for (let round = 0, moved = true; moved && round < maxRounds; round++) {
      moved = false;
      for (const name of names) {
        for (const [dx, dy] of directions) {
          const { x, y } = best[name];
          const next = {
            ...best,
            [name]: { x: x + dx * step * modulePx, y: y + dy * step * modulePx },
          };
          const fit = resemblance(photo, next, matrix);
          if (fit <= bestFit) continue;
          [best, bestFit, moved] = [next, fit, true];
        }
      }
    }
  }
  return best;
}

/** How much lighter the light modules are than the dark ones, from -255 to 255. */
export function resemblance(photo: Photo, corners: Corners, { size, modules }: Matrix): number {
  const place = project(corners);
  const sums = [0, 0];
  const counts = [0, 0];
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const color = modules[y * size + x]!;
      sums[color]! += brightness(photo, place((x + 0.5) / size, (y + 0.5) / size));
      counts[color]!++;
    }
  }
  return sums[0]! / counts[0]! - sums[1]! / counts[1]!;
}

function perimeter(corners: Corners): number {
  return names.reduce((sum, name, at) => {
    const [from, to] = [corners[name], corners[names[(at + 1) % names.length]!]];
    return sum + Math.hypot(to.x - from.x, to.y - from.y);
  }, 0);
}
