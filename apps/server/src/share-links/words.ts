/** Every text of a shared page, and how it writes numbers and days. */

const locale = 'en-GB';
const numbers = new Intl.NumberFormat(locale);
const shares = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });
const countries = new Intl.DisplayNames(locale, { type: 'region' });
const plurals = new Intl.PluralRules(locale);

/** A calendar day, as text of the API. */
const formatDay = (day: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));

const formatMoment = (at: Date, timeZone: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(locale, { ...options, timeZone }).format(at);

const count = (value: number, one: string, other: string) =>
  `${numbers.format(value)} ${plurals.select(value) === 'one' ? one : other}`;

export const words = {
  lang: 'en',
  number: (value: number) => numbers.format(value),
  share: (part: number) => (part > 0 && part < 0.005 ? '< 1%' : shares.format(part)),
  country: (code: string) => (code === 'XX' ? 'Unknown' : (countries.of(code) ?? code)),
  dayAndMonth: (day: string) => formatDay(day, { day: 'numeric', month: 'short' }),
  month: (day: string) => formatDay(day, { month: 'short', year: 'numeric' }),
  day: (day: string) => formatDay(day, { day: 'numeric', month: 'long', year: 'numeric' }),
  hour: (at: Date, timeZone: string) =>
    formatMoment(at, timeZone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
  dayAndHour: (at: Date, timeZone: string) =>
    formatMoment(at, timeZone, {
      day: 'numeric',
      month: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }),
  weekOf: (day: string) => `Week from ${formatDay(day, { day: 'numeric', month: 'short', year: 'numeric' })}`,

  ofCode: (name: string | null) => (name === null ? 'QR code' : `QR code ${name}`),
  ofTag: (tag: string, codes: number) => `${count(codes, 'QR code', 'QR codes')} with the tag ${tag}`,
  ofAccount: (codes: number) => count(codes, 'QR code', 'QR codes'),
  period: (first: string, last: string) =>
    new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).formatRange(
      new Date(first),
      new Date(last),
    ),
  test: 'Test data',
  scans: 'Scans',
  visitors: 'Visitors',
  average: 'Scans per day',
  noScans: 'No scans in this period yet.',

  chart: {
    title: { hour: 'Scans per hour', day: 'Scans per day', week: 'Scans per week', month: 'Scans per month' },
    label: (title: string, total: string, most: string, when: string) =>
      `${title}: ${total} in all, at most ${most} (${when}).`,
    running: 'The last bar is not complete yet.',
    download: 'Download the chart',
    table: 'Figures as a table',
    date: { hour: 'Hour', day: 'Day', week: 'Week', month: 'Month' },
  },
  map: {
    title: 'Where people scanned',
    label: (country: string) => `Map of countries by scans. Most scans: ${country}.`,
    country: (country: string, scans: number) => `${country}: ${count(scans, 'scan', 'scans')}`,
    countries: 'Countries',
    cities: 'Cities',
    otherCities: 'Other',
    noCity: 'No city had 5 visitors or more.',
    placesSince: (day: string) => `Cities are those since ${day}.`,
  },
  codes: 'Most scanned QR codes',
  placements: 'Placements',
  noPlacement: 'No placement',
  formerPlacement: 'Former placement',
  destinations: 'Destinations',
  others: (rows: number) => `${numbers.format(rows)} more`,
  name: 'Name',
  shareColumn: 'Share',

  asOf: (at: Date, timeZone: string) =>
    `Figures as of ${formatMoment(at, timeZone, { dateStyle: 'long', timeStyle: 'short' })}, ${timeZone}.`,
  privacy: 'Cities with fewer than 5 visitors are not named.',

  gone: {
    title: 'This page doesn’t exist',
    text: 'The link is wrong, or it has ended. Ask the person who gave it to you for a new one.',
  },
  busy: {
    title: 'One moment, please',
    text: 'The figures can’t be read right now. Try again in a minute.',
  },
  limited: {
    title: 'Too many requests',
    text: 'Many pages were opened from your network. Try again in a minute.',
  },
  notRetained: {
    title: 'These figures are no longer available',
    text: 'The scans of this period have been removed. Ask the person who gave you the link for a newer period.',
  },
} as const;
