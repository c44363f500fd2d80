import { type Gradient, gradientStops } from '@signpost/qr';

type Stops = Gradient['stops'];

/** From the colour that the dots have to one that goes with it and scans as well. */
export function startGradient(color: string): Gradient {
  return {
    type: 'linear',
    rotation: 45,
    stops: [
      { offset: 0, color },
      { offset: 1, color: color === '#1D4ED8' ? '#7C3AED' : '#1D4ED8' },
    ],
  };
}

export const canAdd = (stops: Stops): boolean => stops.length < gradientStops.most;
export const canRemove = (stops: Stops): boolean => stops.length > gradientStops.least;

/** One more colour in the widest gap, mixed of its neighbours, so that nothing jumps. */
export function withStop(stops: Stops): Stops {
  const gaps = stops.slice(1).map((stop, at) => stop.offset - stops[at]!.offset);
  const widest = gaps.indexOf(Math.max(...gaps));
  const [before, after] = [stops[widest]!, stops[widest + 1]!];
  const offset = rounded((before.offset + after.offset) / 2);
  return stops.toSpliced(widest + 1, 0, { offset, color: middleOf(before.color, after.color) });
}

/** A stop at another place, between those beside it: their order stays. */
export function movedStop(stops: Stops, at: number, offset: number): Stops {
  const least = stops[at - 1]?.offset ?? 0;
  const most = stops[at + 1]?.offset ?? 1;
  const clamped = Math.min(most, Math.max(least, rounded(offset)));
  return stops.with(at, { ...stops[at]!, offset: clamped });
}

/** As a browser shows it, from left to right. */
export const cssOf = (stops: Stops): string =>
  `linear-gradient(to right, ${stops.map(({ color, offset }) => `${color} ${offset * 100}%`).join(', ')})`;

const rounded = (value: number) => Math.round(value * 100) / 100;

function middleOf(first: string, second: string): string {
  const channel = (color: string, at: number) => Number.parseInt(color.slice(at, at + 2), 16);
  return `#${[1, 3, 5]
    .map(at => Math.round((channel(first, at) + channel(second, at)) / 2))
    .map(value => value.toString(16).padStart(2, '0'))
    .join('')}`.toUpperCase();
}
