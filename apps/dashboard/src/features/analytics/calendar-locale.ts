import dayjs from 'dayjs';
import { language } from '../../strings/language.ts';

const name = (date: number, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' }).format(date);

const months = Array.from({ length: 12 }, (_, at) => Date.UTC(2023, at));
/** From a Sunday on. */
const days = Array.from({ length: 7 }, (_, at) => Date.UTC(2023, 0, 1 + at));

/** Gives dayjs, which the calendar asks for them, the browser's names of months and days. It has the English ones itself. */
export function registerCalendarLocale(): void {
  if (language === 'en') return;
  const weekdaysShort = days.map(day => name(day, { weekday: 'short' }));
  const locale = {
    name: language,
    months: months.map(month => name(month, { month: 'long' })),
    monthsShort: months.map(month => name(month, { month: 'short' })),
    weekdays: days.map(day => name(day, { weekday: 'long' })),
    weekdaysShort,
    weekdaysMin: weekdaysShort.map(day => day.slice(0, 2)),
    formats: {},
    relativeTime: {},
  };
  dayjs.locale(locale, undefined, true);
}
