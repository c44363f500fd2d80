import { intervals } from '@signpost/contract/values.ts';

/** Periods of whole days in the viewer's time zone, as the API takes them: both ends inclusive, `YYYY-MM-DD`. */
export type Period = { readonly start: string; readonly end: string };

export const presets = ['today', '7d', '30d', 'last-month', '90d', '12m', 'all'] as const;
export type Preset = (typeof presets)[number];

export type Interval = (typeof intervals)[number];

const daysBefore = { today: 0, '7d': 6, '30d': 29, '90d': 89, '12m': 364 } as const;

/** All but last month end today. All time begins on the day of birth: that of the code, or of the first code. */
export function periodOf(preset: Preset, now: Date = new Date(), birth?: string): Period {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  const today = dayOf(now);
  switch (preset) {
    case 'all':
      return { start: birth !== undefined && birth < today ? birth : today, end: today };
    case 'last-month':
      return { start: dayOf(new Date(year, month - 1, 1)), end: dayOf(new Date(year, month, 0)) };
    default:
      return { start: dayOf(new Date(year, month, day - daysBefore[preset])), end: today };
  }
}

/** The day of a moment where the viewer is. */
export function dayOf(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The first moment of a day where the viewer is. */
export const startOfDay = (day: string): Date => new Date(`${day}T00:00:00`);

export function addDays(day: string, days: number): string {
  const date = startOfDay(day);
  return dayOf(new Date(date.getFullYear(), date.getMonth(), date.getDate() + days));
}

/** A day exists: 2026-02-30 does not. */
export function isDay(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}

export function daysIn({ start, end }: Period): number {
  return Math.round((Date.parse(`${end}T00:00:00Z`) - Date.parse(`${start}T00:00:00Z`)) / 86_400_000) + 1;
}

/** The fewest and the most days that each interval suits: more than one entry, and not thousands. */
const daysFor: Readonly<Record<Interval, readonly [fewest: number, most: number]>> = {
  hour: [1, 14],
  day: [2, 732],
  week: [14, 3_650],
  month: [60, 36_500],
};

export function intervalsFor(period: Period): readonly Interval[] {
  const days = daysIn(period);
  return intervals.filter(interval => days >= daysFor[interval][0] && days <= daysFor[interval][1]);
}

export function defaultInterval(period: Period): Interval {
  const days = daysIn(period);
  if (days <= 2) return 'hour';
  if (days <= 100) return 'day';
  return days <= 400 ? 'week' : 'month';
}
