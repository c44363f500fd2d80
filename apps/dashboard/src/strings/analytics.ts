import { fill } from './fill.ts';

/** Every text of the analytics pages. */
export const analyticsText = {
  title: 'Analytics',
  period: 'Period',
  presets: {
    today: 'Today',
    '7d': '7 days',
    '30d': '30 days',
    'last-month': 'Last month',
    '90d': '90 days',
    '12m': '1 year',
    all: 'All time',
  },
  customPeriod: 'Custom',
  days: (shown: string) => fill('{shown} (choose days)', { shown }),
  calendar: {
    previousMonth: 'Previous month',
    nextMonth: 'Next month',
    previousYear: 'Previous year',
    nextYear: 'Next year',
    previousDecade: 'Previous decade',
    nextDecade: 'Next decade',
  },
  interval: 'Interval',
  intervals: { hour: 'By hour', day: 'By day', week: 'By week', month: 'By month' },

  scans: 'Scans',
  uniqueVisitors: 'Unique visitors',
  dailyAverage: 'Daily average',
  codes: 'Codes',
  loading: (period: string) => fill('Loading {period}…', { period }),
  change: {
    shown: {
      up: (percent: string) => fill('▲ {percent}', { percent }),
      down: (percent: string) => fill('▼ {percent}', { percent }),
      same: (percent: string) => fill('= {percent}', { percent }),
    },
    words: {
      up: (percent: string, before: number) =>
        fill('up {percent} from {before} in the previous period', { percent, before }),
      down: (percent: string, before: number) =>
        fill('down {percent} from {before} in the previous period', { percent, before }),
      same: (_: string, before: number) => fill('no change from {before} in the previous period', { before }),
    },
    fromNothing: 'New',
    fromNothingWords: 'none in the previous period',
    against: (period: string) => fill('Compared with {period}', { period }),
    none: 'No earlier period to compare with',
  },

  notRedirected: {
    title: 'Some scans were not redirected and are not counted:',
    paused: (count: number) =>
      fill(
        { one: '{count} scan while the code was paused', other: '{count} scans while the code was paused' },
        { count },
      ),
    draft: (count: number) =>
      fill(
        { one: '{count} scan while the code was a draft', other: '{count} scans while the code was a draft' },
        { count },
      ),
    suspended: (count: number) =>
      fill(
        {
          one: '{count} scan while the code was suspended',
          other: '{count} scans while the code was suspended',
        },
        { count },
      ),
    held: (count: number) =>
      fill(
        {
          one: '{count} scan before you confirmed your e-mail address',
          other: '{count} scans before you confirmed your e-mail address',
        },
        { count },
      ),
    otherwise: (count: number) =>
      fill(
        {
          one: '{count} scan while the code did not redirect',
          other: '{count} scans while the code did not redirect',
        },
        { count },
      ),
  },

  retained: {
    sentence: (day: string) =>
      fill(
        'Scans before {day} were removed. What remains of earlier months are monthly totals, by months in UTC. Cities, weekdays and single scans are shown from that day on.',
        { day },
      ),
    filtered:
      'Some scans of this period were removed. The monthly totals that remain cannot be filtered: clear the filters, or choose a later period.',
  },

  overTime: 'Scans over time',
  charts: {
    hour: (total: number) => fill('Scans over time, {total} in all, by hour', { total }),
    day: (total: number) => fill('Scans over time, {total} in all, by day', { total }),
    week: (total: number) => fill('Scans over time, {total} in all, by week', { total }),
    month: (total: number) => fill('Scans over time, {total} in all, by month', { total }),
  },
  periodBefore: 'Previous period',
  soFar: (name: string) => fill('{name}, so far', { name }),
  partly: (name: string) => fill('{name}, partly in this period', { name }),
  showTable: 'Show as table',
  showChart: 'Show as chart',
  download: 'Download chart',
  asPng: 'Chart as PNG',
  asCsv: 'Table as CSV',
  pngFailed: 'The image could not be created',
  columns: { hour: 'Hour', day: 'Day', week: 'Week of', month: 'Month' },
  scanCount: (count: number) => fill({ one: '{count} scan', other: '{count} scans' }, { count }),

  changes: 'Changes to this code',
  markers: {
    destination: (to: string) => fill('Destination changed to {to}', { to }),
    paused: 'Paused',
    resumed: 'Resumed',
    status: 'Status changed',
  },

  weekHours: {
    title: 'Weekday and hour',
    caption: 'Scans by weekday and hour',
    busiest: (day: string, hours: string) => fill('Busiest: {day}, {hours}', { day, hours }),
    cell: (day: string, hours: string, scans: string) =>
      fill('{day}, {hours}: {scans}', { day, hours, scans }),
    weekday: 'Weekday',
    less: 'Fewer',
    more: 'More',
    days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  },

  map: {
    title: 'Map',
    label: 'Map of the world. Larger circles and darker countries have more scans.',
    country: (name: string, scans: string) => fill('{name}: {scans}', { name, scans }),
    filter: (name: string, scans: string) => fill('{name}: {scans}. Show only this country', { name, scans }),
    world: 'Show the whole world',
    near: 'Zoom to the scans',
    elsewhere: (count: number) =>
      fill(
        {
          one: '{count} scan from a place outside this map',
          other: '{count} scans from places outside this map',
        },
        { count },
      ),
  },
  placements: 'Placements',
  byPlacement: 'Scans by placement',
  allPlacements: 'All placements',
  destinations: 'Destinations',
  byDestination: 'Scans by destination',
  noRule: 'When no rule matches',
  ruleNumber: (number: number) => fill('Rule {number}', { number }),
  earlierRule: 'Removed rule',
  earlierDestination: 'Earlier destination',
  countries: 'Countries',
  cities: 'Cities',
  devices: 'Devices',
  browsers: 'Browsers',
  byCountry: 'Scans by country',
  byCity: 'Scans by city',
  byDevice: 'Scans by device',
  byBrowser: 'Scans by browser',
  nothing: 'No scans in this period.',
  others: 'Others',
  filterBy: (label: string) => fill('Show only {label}', { label }),

  filters: {
    label: 'Filters',
    kinds: {
      tag: 'Tag',
      placement: 'Placement',
      target_id: 'Destination',
      country: 'Country',
      city: 'City',
      device: 'Device',
      browser: 'Browser',
    },
    chip: (kind: string, value: string) => fill('{kind}: {value}', { kind, value }),
    remove: (kind: string, value: string) => fill('Remove filter {kind}: {value}', { kind, value }),
    clear: 'Clear filters',
  },

  topCodes: 'Most scanned codes',
  code: 'Code',
  recent: 'Recent scans',
  arrived: 'New since you opened this page',
  scanColumns: {
    when: 'When',
    where: 'Where',
    placement: 'Placement',
    target: 'Led to',
    device: 'Device',
    browser: 'Browser',
    visitor: 'Visitor',
  },
  newVisitor: 'New',
  returning: 'Returning',
  pagerScans: 'scans',

  export: 'Export',
  exportScans: 'Every scan of this period',
  exportFigures: 'The figures of this page',
  formats: { csv: 'CSV, for spreadsheets', excel: 'CSV for Excel', json: 'JSON, for programs' },

  noScans: 'No scans in this period',
  noScansCode: 'Choose a longer period, or scan the code. New scans appear here automatically.',
  noScansAccount: 'Choose a longer period, or scan one of your codes. New scans appear here automatically.',
  noScansFiltered: 'No scans match these filters in this period.',
  goToCodes: 'Go to your codes',

  uniques: {
    ask: 'How are unique visitors counted?',
    title: 'How visitors are counted',
    hash: {
      day: 'A visitor is a fingerprint of network address and browser, made with a secret that exists for one day only (in UTC) and is destroyed two days later. We never store the address or the browser’s full name.',
      month:
        'A visitor is a fingerprint of network address and browser, made with a secret that exists for one calendar month only (in UTC) and is destroyed two days later. We never store the address or the browser’s full name.',
    },
    twice: {
      day: 'A person who scans twice in one day is one visitor. The next day they count again.',
      month:
        'A person who scans twice in one calendar month is one visitor. The next month they count again. Visitors are counted over the whole period, so single days can add up to more.',
    },
    bots: 'Link previews, crawlers and prefetches are redirected but are not counted as scans.',
  },
} as const;
