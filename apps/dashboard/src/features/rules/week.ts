import { weekdays } from '@signpost/contract/values.ts';
import type { RuleDraft, TimeWindow } from './draft.ts';

/** Which rule decides in each hour of the week, from Monday at midnight: its place, or -1 where none applies. */
export function paintWeek(drafts: readonly RuleDraft[]): number[] {
  return Array.from({ length: 7 * 24 }, (_, hour) =>
    drafts.findIndex(({ active, when }) => {
      if (!active) return false;
      return (
        when.time === undefined ||
        when.time.windows.some(window => isOpen(window, Math.floor(hour / 24), (hour % 24) * 60))
      );
    }),
  );
}

/** At a minute of a day of the week. Past midnight a window belongs to the day on which it begins. */
export function isOpen({ days, from, to }: TimeWindow, day: number, minute: number): boolean {
  const isDay = (index: number) => days.includes(weekdays[(index + 7) % 7]!);
  const [start, end] = [minuteOf(from), minuteOf(to)];
  if (start < end) return isDay(day) && start <= minute && minute < end;
  return (isDay(day) && start <= minute) || (isDay(day - 1) && minute < end);
}

function minuteOf(time: string): number {
  const [hours = '0', minutes = '0'] = time.split(':');
  return Number(hours) * 60 + Number(minutes);
}

/** The time zone that the rules name first; else that of the viewer. */
export const zoneOf = (drafts: readonly RuleDraft[]): string =>
  drafts.flatMap(({ when }) => (when.time ? [when.time.timezone] : []))[0] ?? viewerZone();

export const viewerZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
