import {
  defaultInterval,
  type Interval,
  intervals,
  intervalsFor,
  isDay,
  type Period,
  type Preset,
  periodOf,
  presets,
} from './periods.ts';

/** What the analytics show, as the address of the page holds it: a preset, or two days. */
export type AnalyticsSearch = {
  readonly preset?: Preset;
  readonly start?: string;
  readonly end?: string;
  readonly interval?: Interval;
};

export type View = { readonly period: Period; readonly preset: Preset | null; readonly interval: Interval };

export function parseAnalyticsSearch(raw: Readonly<Record<string, unknown>>): AnalyticsSearch {
  const { start, end } = raw;
  const interval = intervals.find(word => word === raw.interval);
  const preset = presets.find(word => word === raw.preset);
  const custom = isDay(start) && isDay(end) && start <= end ? { start, end } : null;
  return { ...(custom ?? (preset ? { preset } : {})), ...(interval ? { interval } : {}) };
}

/** The period and interval that a search means; an interval that does not suit the period gives way. */
export function viewOf({ preset, start, end, interval }: AnalyticsSearch, now?: Date): View {
  const custom = start !== undefined && end !== undefined ? { start, end } : null;
  const chosen = custom ? null : (preset ?? '30d');
  const period = custom ?? periodOf(chosen!, now);
  const suits = interval !== undefined && intervalsFor(period).includes(interval);
  return { period, preset: chosen, interval: suits ? interval : defaultInterval(period) };
}
