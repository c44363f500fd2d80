import { dayMs } from '../scans/stores/time-range.ts';

/** The calendar of a time zone: the day at a moment, and when a day begins. */
export type TimeZone = {
  readonly name: string;
  toDay(atMs: number): Day;
  /** The first moment of a day, which is not always midnight: clocks may be set forward then. */
  toStartMs(day: Day): number;
  /** How far its clocks are ahead of UTC at a moment. */
  offsetAt(atMs: number): number;
};

/** A calendar day, as days since 1970-01-01. */
export type Day = number;

export const utc: TimeZone = {
  name: 'UTC',
  toDay: atMs => Math.floor(atMs / dayMs),
  toStartMs: day => day * dayMs,
  offsetAt: () => 0,
};

/** By its IANA name; null if it is unknown. */
export function timeZoneNamed(name: string): TimeZone | null {
  if (name === 'UTC') return utc;
  const format = createFormat(name);
  if (!format) return null;
  /** The local wall-clock time, as if it were UTC. */
  function localMs(atMs: number): number {
    const parts: Record<string, number> = {};
    for (const { type, value } of format!.formatToParts(atMs)) parts[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second);
  }
  const toDay = (atMs: number) => Math.floor(localMs(atMs) / dayMs);
  return {
    name,
    toDay,
    // Wall clocks are read to the second.
    offsetAt: atMs => localMs(atMs) - Math.floor(atMs / 1000) * 1000,
    toStartMs(day) {
      const midnight = day * dayMs;
      // The offsets of the day before and the day after: one of them applies at the start of the day.
      const guesses = [-dayMs, dayMs].map(away => 2 * midnight + away - localMs(midnight + away));
      const [early, late] = [Math.min(...guesses), Math.max(...guesses)] as [number, number];
      if (early === late || toDay(early) === day) return early;
      // The clocks change between the two.
      if (toDay(late - 1) < day) return late;
      let [before, from] = [early, late];
      while (from - before > 1) {
        const middle = Math.floor((before + from) / 2);
        if (toDay(middle) < day) before = middle;
        else from = middle;
      }
      return from;
    },
  };
}

function createFormat(name: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
