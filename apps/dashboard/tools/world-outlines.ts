import { geoPath } from 'd3-geo';
import { mapSize, projectionFor, shapes } from '../src/features/analytics/map-shapes.ts';

/** Units of a path in a pixel of the dashboard's map, so that all numbers are short. */
const units = 10;

/** The countries of the dashboard's map as paths and the box of each mainland, for pages that the server draws. */
export function worldOutlines(): string {
  const draw = geoPath(projectionFor([])).digits(1);
  const lines = shapes.map(({ country = '', outline, mainland }) =>
    JSON.stringify({
      country,
      box: draw.bounds(mainland).flat().map(toUnits),
      path: toRelative(draw(outline) ?? ''),
    }),
  );
  const { width, height } = mapSize;
  return `{"width":${toUnits(width)},"height":${toUnits(height)},"outlines":[\n${lines.join(',\n')}\n]}\n`;
}

const toUnits = (pixels: number) => Math.round(pixels * units);

/** From absolute pixels to steps in units, without those that lead nowhere. */
function toRelative(path: string): string {
  return path
    .split('Z')
    .filter(ring => ring !== '')
    .map(ring => {
      const points = [...ring.matchAll(/(-?[\d.]+),(-?[\d.]+)/g)].map(
        ([, x, y]) => [toUnits(Number(x)), toUnits(Number(y))] as const,
      );
      const [[left, top]] = points as [readonly [number, number]];
      const steps = points
        .slice(1)
        .map(([x, y], at) => [x - points[at]![0], y - points[at]![1]] as const)
        .filter(([x, y]) => x !== 0 || y !== 0);
      return steps.length < 2 ? '' : `M${left},${top}l${steps.join(' ').replaceAll(' -', '-')}z`;
    })
    .join('');
}
