import { intervals } from '@signpost/contract/values.ts';
import { type Filters, parseFilters } from './filters.ts';
import {
  defaultInterval,
  type Interval,
  intervalsFor,
  isDay,
  type Period,
  type Preset,
  periodOf,
  presets,
} from './periods.ts';

/** Which days, and how fine: a preset, or two days. */
export type PeriodSearch = {
  readonly preset?: Preset;
  readonly start?: string;
  readonly end?: string;
  readonly interval?: Interval;
};

/** What the analytics show, as the address of the page holds it. */
export type AnalyticsSearch = PeriodSearch & Filters;

export type CodeAnalyticsSearch = Omit<AnalyticsSearch, 'tag'>;
type AccountAnalyticsSearch = Omit<AnalyticsSearch, 'placement' | 'target_id'>;

export type View = {
  readonly period: Period;
  readonly preset: Preset | null;
  readonly interval: Interval;
  readonly filters: Filters;
};

const parseSearch = (raw: Readonly<Record<string, unknown>>): AnalyticsSearch => ({
  ...parsePeriodSearch(raw),
  ...parseFilters(raw),
});

/** Placements and destinations are those of one code. */
export function parseAnalyticsSearch(raw: Readonly<Record<string, unknown>>): AccountAnalyticsSearch {
  const { placement: _, target_id: __, ...search } = parseSearch(raw);
  return search;
}

/** The same of one code, which has its tags whatever is looked at. */
export function parseCodeAnalyticsSearch(raw: Readonly<Record<string, unknown>>): CodeAnalyticsSearch {
  const { tag: _, ...search } = parseSearch(raw);
  return search;
}

export function parsePeriodSearch(raw: Readonly<Record<string, unknown>>): PeriodSearch {
  const { start, end } = raw;
  const interval = intervals.find(word => word === raw.interval);
  const preset = presets.find(word => word === raw.preset);
  const custom = isDay(start) && isDay(end) && start <= end ? { start, end } : null;
  return { ...(custom ?? (preset ? { preset } : {})), ...(interval ? { interval } : {}) };
}

type Moment = { readonly now?: Date; readonly birth?: string };

/** The period and interval that a search means; an interval that does not suit the period gives way. */
export function viewOf(search: AnalyticsSearch, { now, birth }: Moment = {}): View {
  const { preset, start, end, interval } = search;
  const custom = start !== undefined && end !== undefined ? { start, end } : null;
  const chosen = custom ? null : (preset ?? '30d');
  const period = custom ?? periodOf(chosen!, now, birth);
  const suits = interval !== undefined && intervalsFor(period).includes(interval);
  return {
    period,
    preset: chosen,
    interval: suits ? interval : defaultInterval(period),
    filters: parseFilters(search),
  };
}
