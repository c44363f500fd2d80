import type { Bucket } from './buckets.ts';
import type { Interval } from './periods.ts';

/** Whole numbers in even steps of 1, 2 or 5 times a power of ten, from nought to at least the most. */
export function roundTicks(most: number, count = 4): readonly number[] {
  const rough = Math.max(1, most) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map(factor => factor * power).find(size => size >= rough)!);
  const steps = Math.max(1, Math.ceil(most / step));
  return Array.from({ length: steps + 1 }, (_, at) => at * step);
}

/** How many bars lie between two labels, from fine to coarse. */
const strides: Readonly<Record<Interval, readonly number[]>> = {
  hour: [1, 2, 3, 6, 12, 24, 48, 72, 168],
  day: [1, 2, 7, 14, 28, 56, 112, 224, 366],
  week: [1, 2, 4, 8, 13, 26, 52, 104],
  month: [1, 2, 3, 6, 12, 24, 60, 120],
};

/** Which bars get a label: at even distances, no more than fit. Hours begin at midnight, or at a multiple of the stride. */
export function labelledAt(buckets: readonly Bucket[], interval: Interval, most: number): readonly number[] {
  const stride =
    strides[interval].find(size => buckets.length / size <= Math.max(1, most)) ??
    Math.ceil(buckets.length / most);
  const first =
    interval === 'hour'
      ? Math.max(
          0,
          buckets.findIndex(({ startMs }) => new Date(startMs).getHours() % Math.min(stride, 24) === 0),
        )
      : 0;
  return buckets.flatMap((_, at) => (at >= first && (at - first) % stride === 0 ? [at] : []));
}
