/** Scans by weekday, Monday first, and by hour of the day. */
export type WeekHour = { readonly weekday: number; readonly hour: number; readonly total_scans: number };

/** Seven rows of 24, in the order of the week; an hour that is not named had none. */
export function weekTable(hours: readonly WeekHour[]): readonly (readonly number[])[] {
  const counts = new Map(hours.map(({ weekday, hour, total_scans }) => [weekday * 24 + hour, total_scans]));
  return Array.from({ length: 7 }, (_, day) =>
    Array.from({ length: 24 }, (_entry, hour) => counts.get((day + 1) * 24 + hour) ?? 0),
  );
}

/** The hour with most scans, the earliest of several; null without scans. */
export function busiestHour(hours: readonly WeekHour[]): WeekHour | null {
  const [first] = hours.toSorted(
    (a, b) => b.total_scans - a.total_scans || a.weekday - b.weekday || a.hour - b.hour,
  );
  return first && first.total_scans > 0 ? first : null;
}

const two = (hour: number) => String(hour).padStart(2, '0');

export const hoursName = (hour: number): string => `${two(hour)}:00–${two((hour + 1) % 24)}:00`;
