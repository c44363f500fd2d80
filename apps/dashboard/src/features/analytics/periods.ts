/** Periods of whole days in the viewer's time zone, as the API takes them: both ends inclusive, `YYYY-MM-DD`. */
export type Period = { readonly start: string; readonly end: string };

export const presets = ['today', '7d', '30d', '90d', '12m'] as const;
export type Preset = (typeof presets)[number];

export const presetNames: Readonly<Record<Preset, string>> = {
  today: 'Today',
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
  '12m': '1 year',
};

export const intervals = ['hour', 'day', 'week', 'month'] as const;
export type Interval = (typeof intervals)[number];

const daysBefore: Readonly<Record<Preset, number>> = { today: 0, '7d': 6, '30d': 29, '90d': 89, '12m': 364 };

/** A preset always ends today, and today is one of its days. */
export function periodOf(preset: Preset, now: Date = new Date()): Period {
  const start = new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysBefore[preset]);
  return { start: dayOf(start), end: dayOf(now) };
}

/** The day of a moment where the viewer is. */
export function dayOf(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
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
