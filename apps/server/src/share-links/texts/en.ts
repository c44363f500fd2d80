/**
 * Every text of a shared page in English, safe in HTML. Functions get numbers, days and names as they are shown; what is not
 * ours is escaped afterwards.
 */
export const en = {
  unknown: 'Unknown',
  weekOf: (day: string) => `Week from ${day}`,

  code: 'QR code',
  codeNamed: (name: string) => `QR code ${name}`,
  codes: { one: 'QR code', other: 'QR codes' },
  withTag: (codes: string, tag: string) => `${codes} with the tag ${tag}`,
  test: 'Test data',
  scans: 'Scans',
  scanCount: { one: 'scan', other: 'scans' },
  visitors: 'Visitors',
  average: 'Scans per day',
  noScans: 'No scans in this period yet.',
  /** A figure after its name. */
  figure: (name: string, value: string) => `${name}: ${value}`,

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
    countries: 'Countries',
    cities: 'Cities',
    otherCities: 'Other',
    noCity: 'No city had 5 visitors or more.',
    placesSince: (day: string) => `Cities are those since ${day}.`,
  },
  topCodes: 'Most scanned QR codes',
  placements: 'Placements',
  noPlacement: 'No placement',
  formerPlacement: 'Former placement',
  destinations: 'Destinations',
  others: { one: 'more', other: 'more' },
  name: 'Name',
  shareColumn: 'Share',

  asOf: (moment: string, zone: string) => `Figures as of ${moment}, ${zone}.`,
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
};

export type ShareTexts = typeof en;
