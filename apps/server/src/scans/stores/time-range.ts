export const dayMs = 24 * 60 * 60 * 1000;

/** A time range of a query: from `fromMs` up to, not including, `toMs`. */
export type TimeRange = { readonly fromMs: number; readonly toMs: number };

/** Ingest accepts no scans outside these bounds, and ClickHouse's `Date` reaches no further. */
const [earliestMs, latestMs] = [Date.UTC(2020), Date.UTC(2100)];

export const toTimeRange = ({
  startMs,
  endMs,
}: {
  readonly startMs: number;
  readonly endMs: number;
}): TimeRange => ({
  fromMs: Math.min(Math.max(startMs, earliestMs), latestMs),
  toMs: Math.max(Math.min(endMs, latestMs), earliestMs),
});

export const isEmpty = ({ fromMs, toMs }: TimeRange) => fromMs >= toMs;

/** How far the clocks of a time zone are ahead of UTC, from a moment on. */
export type Offset = { readonly startMs: number; readonly offsetMs: number };
