import type { Bucket } from './buckets.ts';
import type { Interval } from './periods.ts';
import { labelledAt, roundTicks } from './ticks.ts';

/** Where everything of the chart stands, in pixels. */
export type ChartLayout = {
  readonly width: number;
  readonly height: number;
  readonly plot: {
    readonly left: number;
    readonly right: number;
    readonly top: number;
    readonly bottom: number;
  };
  readonly slot: number;
  readonly barWidth: number;
  readonly ticks: readonly number[];
  readonly labels: readonly number[];
  x(place: number): number;
  y(value: number): number;
};

const margins = { left: 44, right: 8, top: 14, bottom: 26 };
const labelPx = 64;

export function layOut(
  buckets: readonly Bucket[],
  interval: Interval,
  size: { readonly width: number; readonly height: number },
): ChartLayout {
  const plot = {
    left: margins.left,
    right: Math.max(margins.left + 1, size.width - margins.right),
    top: margins.top,
    bottom: size.height - margins.bottom,
  };
  const ticks = roundTicks(Math.max(0, ...buckets.map(({ scans, before }) => Math.max(scans, before ?? 0))));
  const top = ticks.at(-1)!;
  const slot = (plot.right - plot.left) / Math.max(1, buckets.length);
  return {
    ...size,
    plot,
    slot,
    // A few bars must not become blocks.
    barWidth: Math.max(1, Math.min(48, slot > 6 ? slot * 0.72 : slot - 1)),
    ticks,
    labels: labelledAt(buckets, interval, Math.floor((plot.right - plot.left) / labelPx)),
    x: place => plot.left + place * slot,
    y: value => plot.bottom - (value / top) * (plot.bottom - plot.top),
  };
}

/** The scans of the period before: a step for each bar. */
export function ghostPath(buckets: readonly Bucket[], { x, y }: ChartLayout): string {
  return buckets
    .map(({ before }, at) => {
      if (before === null) return '';
      const joins = at > 0 && buckets[at - 1]!.before !== null;
      return `${joins ? 'L' : 'M'}${x(at).toFixed(1)},${y(before).toFixed(1)}H${x(at + 1).toFixed(1)}`;
    })
    .join('');
}
