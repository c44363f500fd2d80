import { commonText } from '../strings/common.ts';
import { language } from '../strings/language.ts';

/** How figures and times are written: in the language of the words around them, whatever the browser prefers. */
const locale: string = language;

const dash = '–';

export const formatNumber = (value: number, inLanguage = locale): string =>
  new Intl.NumberFormat(inLanguage, { maximumFractionDigits: 1 }).format(value);

/** Short enough for the axis of a chart: 1.2K. */
export const formatCompact = (value: number, inLanguage = locale): string =>
  new Intl.NumberFormat(inLanguage, { notation: 'compact', maximumFractionDigits: 1 }).format(value);

export const formatShare = (part: number, whole: number, inLanguage = locale): string =>
  whole === 0
    ? dash
    : new Intl.NumberFormat(inLanguage, {
        style: 'percent',
        maximumFractionDigits: part / whole < 0.1 ? 1 : 0,
      }).format(part / whole);

export const formatDate = (value: string | Date, inLanguage = locale): string =>
  new Intl.DateTimeFormat(inLanguage, { dateStyle: 'medium' }).format(new Date(value));

export const formatDateTime = (value: string | Date, inLanguage = locale): string =>
  new Intl.DateTimeFormat(inLanguage, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(value));

/** A moment with its weekday, on the clock of a time zone, else on the viewer's. */
export const formatMoment = (value: string, timeZone?: string, inLanguage = locale): string =>
  new Intl.DateTimeFormat(inLanguage, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    ...(timeZone === undefined ? {} : { timeZone }),
  }).format(new Date(value));

const steps: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** "5 minutes ago": the largest unit that fits; what is younger than a minute is "just now". */
export function formatAgo(value: string | Date, now: Date = new Date(), inLanguage = locale): string {
  const seconds = (new Date(value).getTime() - now.getTime()) / 1000;
  const step = steps.find(([, size]) => Math.abs(seconds) >= size);
  if (!step) return commonText.justNow;
  const [unit, size] = step;
  return new Intl.RelativeTimeFormat(inLanguage, { numeric: 'auto' }).format(
    Math.trunc(seconds / size),
    unit,
  );
}

/** `XX` is what the service writes where the place is unknown. */
export function countryName(code: string, inLanguage = locale): string {
  if (!/^[A-Z]{2}$/.test(code) || code === 'XX') return commonText.unknown;
  return new Intl.DisplayNames([inLanguage], { type: 'region', fallback: 'code' }).of(code) ?? code;
}

const words: Readonly<Record<string, string>> = commonText.agents;

export const nameOfAgent = (key: string): string => words[key] ?? key;

export const placeName = (place: { readonly city: string; readonly country: string }): string => {
  const country = countryName(place.country);
  return place.city ? `${place.city}, ${country}` : country;
};

/** An address as people read it: without the scheme, and without a slash that says nothing. */
export const shownUrl = (url: string): string => url.replace(/^https?:\/\//i, '').replace(/\/$/, '');

/** What tells one short link from another: all behind the host. */
export const shownPath = (url: string): string => url.replace(/^https?:\/\/[^/]*/i, '');
