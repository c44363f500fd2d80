import { resolveStyle, type Style } from '@signpost/qr';

/** Whether two styles look the same, however much of them is left to the defaults. */
export const isSameStyle = (a: Style, b: Style): boolean => keyOf(a) === keyOf(b);

function keyOf(style: Style): string {
  const { logo, dotsGradient, ...plain } = resolveStyle(style);
  return JSON.stringify([
    Object.entries(plain).sort(),
    logo && [logo.asset_id, logo.size ?? 'medium', logo.shape ?? 'square', logo.margin ?? 0.5],
    dotsGradient && [
      dotsGradient.type,
      dotsGradient.rotation ?? 0,
      dotsGradient.stops.map(({ offset, color }) => [offset, color]),
    ],
  ]);
}
