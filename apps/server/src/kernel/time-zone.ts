/** The calendar of a place: which day it is there at a moment, and when a day begins there. */
export type TimeZone = {
  readonly name: string;
  dayOf(atMs: number): Day;
  /** The first moment of a day, which is not always midnight: a clock may be put forward then. */
  startOf(day: Day): number;
};

/** A day of the calendar, as days since 1970-01-01. */
export type Day = number;

export const dayMs = 24 * 60 * 60 * 1000;

export const utc: TimeZone = {
  name: 'UTC',
  dayOf: atMs => Math.floor(atMs / dayMs),
  startOf: day => day * dayMs,
};

/** By its IANA name; null where nobody knows it. */
export function timeZoneNamed(name: string): TimeZone | null {
  if (name === 'UTC') return utc;
  const format = formatOf(name);
  if (!format) return null;
  /** What the clocks there show, as if it were UTC. */
  function localMs(atMs: number): number {
    const parts: Record<string, number> = {};
    for (const { type, value } of format!.formatToParts(atMs)) parts[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second);
  }
  const dayOf = (atMs: number) => Math.floor(localMs(atMs) / dayMs);
  return {
    name,
    dayOf,
    startOf(day) {
      const midnight = day * dayMs;
      // The offsets of the day before and of the day after: one of them holds at the beginning of the day.
      const guesses = [-dayMs, dayMs].map(away => 2 * midnight + away - localMs(midnight + away));
      const [early, late] = [Math.min(...guesses), Math.max(...guesses)] as [number, number];
      if (early === late || dayOf(early) === day) return early;
      // The clocks are changed between the two.
      if (dayOf(late - 1) < day) return late;
      let [before, from] = [early, late];
      while (from - before > 1) {
        const middle = Math.floor((before + from) / 2);
        if (dayOf(middle) < day) before = middle;
        else from = middle;
      }
      return from;
    },
  };
}

function formatOf(name: string): Intl.DateTimeFormat | null {
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
