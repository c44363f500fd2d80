import { weekdays } from '@signpost/contract/values.ts';
import type { RuleDraft, TimeWindow } from './draft.ts';

/** An hour of the week: the place of the rule that decides for everybody, or -1, and of one before it that decides for some. */
export type Hour = { readonly all: number; readonly some: number };

/** The hours from Monday at midnight. Rules with conditions besides the time hold for some people only; without a time they are left out. */
export function paintWeek(drafts: readonly RuleDraft[]): Hour[] {
  const rules = drafts.map((draft, place) => ({ draft, place, isOpenAt: hoursOf(draft) }));
  return Array.from({ length: 7 * 24 }, (_, hour) => {
    const open = rules.filter(({ isOpenAt }) => isOpenAt(hour));
    const all = open.find(({ draft }) => isForAll(draft))?.place ?? -1;
    const some = open.find(({ draft, place }) => draft.when.time && place !== all)?.place ?? -1;
    return { all, some: all !== -1 && some > all ? -1 : some };
  });
}

/** Whether a rule is open at an hour of the week. Its windows are read once for all hours. */
function hoursOf({ active, when }: RuleDraft): (hour: number) => boolean {
  if (!active) return () => false;
  if (when.time === undefined) return () => true;
  const windows = when.time.windows.map(openIn);
  return hour => windows.some(isOpen => isOpen(Math.floor(hour / 24), (hour % 24) * 60));
}

const isForAll = ({ when, unless }: RuleDraft): boolean =>
  Object.keys(when).every(name => name === 'time') && Object.keys(unless).length === 0;

/** Whether a window is open at a minute of a day of the week. Past midnight it belongs to the day on which it begins. */
export function openIn({ days, from, to }: TimeWindow): (day: number, minute: number) => boolean {
  const isDay = weekdays.map(day => days.includes(day));
  const [start, end] = [minuteOf(from), minuteOf(to)];
  if (start < end) return (day, minute) => isDay[day]! && start <= minute && minute < end;
  return (day, minute) => (isDay[day]! && start <= minute) || (isDay[(day + 6) % 7]! && minute < end);
}

function minuteOf(time: string): number {
  const [hours = '0', minutes = '0'] = time.split(':');
  return Number(hours) * 60 + Number(minutes);
}

/** The time zone that the rules name first; else that of the viewer. */
export const zoneOf = (drafts: readonly RuleDraft[]): string =>
  drafts.flatMap(({ when }) => (when.time ? [when.time.timezone] : []))[0] ?? viewerZone();

export const viewerZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
