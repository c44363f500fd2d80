import { addDays, dayOf, daysIn, type Period, type Preset, startOfDay } from './periods.ts';

/** The comparison moves on in steps of ten minutes, so that it is not read again at every glance. */
const stepMs = 600_000;

/**
 * The period before: as many days, or the month before last month. Of a period that still runs, only as much of the one
 * before as has passed of this one, to the same time of day; then the end is a moment. All time has none before it.
 */
export function periodBefore(period: Period, preset: Preset | null, now: Date = new Date()): Period | null {
  if (preset === 'all') return null;
  if (preset === 'last-month') {
    const first = startOfDay(period.start);
    return {
      start: dayOf(new Date(first.getFullYear(), first.getMonth() - 1, 1)),
      end: addDays(period.start, -1),
    };
  }
  const days = daysIn(period);
  const start = addDays(period.start, -days);
  if (period.end < dayOf(now)) return { start, end: addDays(period.start, -1) };
  const then = new Date(Math.floor(now.getTime() / stepMs) * stepMs);
  then.setDate(then.getDate() - days);
  return { start, end: then.toISOString().replace(/\.\d+Z$/, 'Z') };
}

/** Compared is only what existed: a code that is younger than the period before has nothing to be compared with. */
export const isComparable = (before: Period | null, bornMs: number | null): before is Period =>
  before !== null && bornMs !== null && bornMs < startOfDay(addDays(before.start, 1)).getTime();

export type Change = { readonly direction: 'up' | 'down' | 'same'; readonly share: number | null };

/** By how much a figure changed; from nothing there is no share. */
export function changeOf(value: number, before: number): Change {
  if (value === before) return { direction: 'same', share: 0 };
  const direction = value > before ? 'up' : 'down';
  return { direction, share: before === 0 ? null : Math.abs(value - before) / before };
}
