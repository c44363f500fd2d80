import type { WeekHour } from '@signpost/contract';
import type { WeekHourCount } from '../scans/stores/scan-queries.ts';
import { dayMs, type Offset, type TimeRange } from '../scans/stores/time-range.ts';
import type { TimeZone } from './time-zone.ts';

/** No zone changes its clocks twice within this: the shortest time between, by rules known to the year 2100, is six days. */
const stepMs = 5 * dayMs;

/** The offsets of a zone in a range: the first from its beginning, then one for each change of clocks. */
export function listOffsets(zone: TimeZone, { fromMs, toMs }: TimeRange): Offset[] {
  const offsets: Offset[] = [{ startMs: fromMs, offsetMs: zone.offsetAt(fromMs) }];
  for (let atMs = fromMs; atMs < toMs - 1; ) {
    const nextMs = Math.min(atMs + stepMs, toMs - 1);
    const offsetMs = zone.offsetAt(nextMs);
    if (offsetMs !== offsets.at(-1)!.offsetMs)
      offsets.push({ startMs: firstWith(zone, offsetMs, atMs, nextMs), offsetMs });
    atMs = nextMs;
  }
  return offsets;
}

/** The first moment with an offset that holds at `fromMs` and not at `beforeMs`. Clocks change at whole seconds. */
function firstWith(zone: TimeZone, offsetMs: number, beforeMs: number, fromMs: number): number {
  let [before, from] = [Math.floor(beforeMs / 1000), Math.floor(fromMs / 1000)];
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2);
    if (zone.offsetAt(middle * 1000) === offsetMs) from = middle;
    else before = middle;
  }
  return from * 1000;
}

/** All hours of the week, from Monday at midnight, those without scans too. */
export function presentWeekHours(counts: readonly WeekHourCount[]): WeekHour[] {
  const scansAt = new Map(counts.map(({ hourOfWeek, scans }) => [hourOfWeek, scans]));
  return Array.from({ length: 7 * 24 }, (_, hourOfWeek) => ({
    weekday: Math.floor(hourOfWeek / 24) + 1,
    hour: hourOfWeek % 24,
    total_scans: scansAt.get(hourOfWeek) ?? 0,
  }));
}
