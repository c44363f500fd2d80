/** What clocks on the wall show: the day of the week, from Monday = 0, and the minute of that day. */
export type WallClock = { readonly day: number; readonly minute: number };

const minuteMs = 60_000;
const dayMinutes = 24 * 60;

/** More zones than there are: names of zones can be written in upper and lower case. */
const maxClocks = 1000;
const clocks = new Map<string, (atMs: number) => WallClock>();

/** The clock of a zone, shared by all rules that read it: what it takes to build one is worth sharing. */
export function getWallClock(timezone: string): (atMs: number) => WallClock {
  let clock = clocks.get(timezone);
  if (!clock) {
    if (clocks.size >= maxClocks) clocks.clear();
    clock = createWallClock(timezone);
    clocks.set(timezone, clock);
  }
  return clock;
}

/**
 * The wall clock of a time zone at a moment. The moment is converted to the zone, never the other way round: a local time may
 * exist twice or not at all when clocks change. One reading serves for its whole minute.
 */
function createWallClock(timezone: string): (atMs: number) => WallClock {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  let readMinute = Number.NaN;
  let reading: WallClock = { day: 0, minute: 0 };
  return atMs => {
    const minute = Math.floor(atMs / minuteMs);
    if (minute === readMinute) return reading;
    const parts = Object.fromEntries(
      format.formatToParts(minute * minuteMs).map(({ type, value }) => [type, value]),
    );
    reading = {
      day: shortDays.indexOf(parts.weekday ?? ''),
      minute: (Number(parts.hour) * 60 + Number(parts.minute)) % dayMinutes,
    };
    readMinute = minute;
    return reading;
  };
}

const shortDays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
