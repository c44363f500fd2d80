import { type Coverage, squareCoverage, withHole } from './coverage.ts';
import type { HollowSquare } from './scene.ts';
import { moduleRadii, type RoundedSquare } from './shapes.ts';
import type { DotsType } from './style.ts';

/** The coverage of a module for each of the sixteen ways in which its neighbours can be dark. */
export function moduleCoverages(type: DotsType, modulePx: number): (neighbours: number) => Coverage {
  const radii = moduleRadii(type);
  return neighbours => coverageOf({ size: 1, radii: radii[neighbours]! }, modulePx);
}

export function hollowSquareCoverage({ outer, inner }: HollowSquare, modulePx: number): Coverage {
  const whole = coverageOf(outer, modulePx);
  return inner ? withHole(whole, coverageOf(inner, modulePx)) : whole;
}

/**
 * Chromium draws curves a little thinner than the area they cover, resvg does not. This part of a step less keeps
 * close to both: PNG and SVG look alike in a browser and out of one.
 */
const thinnerBy = 0.25;

/** The coverage of each pixel in whole steps from nothing to all of it. */
export function coverageSteps({ amounts }: Coverage, steps: number): Uint8Array {
  const whole = new Uint8Array(amounts.length);
  for (let at = 0; at < amounts.length; at++) whole[at] = Math.round(amounts[at]! * steps - thinnerBy);
  return whole;
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
