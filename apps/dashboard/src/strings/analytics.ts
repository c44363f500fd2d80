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
  days: (shown: string) => `${shown} (choose days)`,
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
  loading: (period: string) => `Loading ${period}…`,
  change: {
    shown: { up: '▲', down: '▼', same: '=' },
    words: (direction: 'up' | 'down' | 'same', percent: string, before: string) =>
      direction === 'same'
        ? `no change from ${before} in the period before`
        : `${direction} ${percent} from ${before} in the period before`,
    fromNothing: 'New',
    fromNothingWords: 'none in the period before',
    against: (period: string) => `Compared with ${period}`,
    none: 'No earlier period to compare with',
  },

  notRedirected: {
    while: {
      paused: 'while it was paused',
      draft: 'while it was a draft',
      suspended: 'while it was suspended',
      held: 'before you confirmed your e-mail address',
    },
    otherwise: 'while it did not redirect',
    times: (requests: string, isOne: boolean) => (isOne ? 'once' : `${requests} times`),
    sentence: (timesAndWhen: string, isOne: boolean) =>
      isOne
        ? `Somebody also scanned this code ${timesAndWhen}. They were not redirected, and this scan is not counted.`
        : `People also scanned this code ${timesAndWhen}. They were not redirected, and these scans are not counted.`,
    several: 'People also scanned this code when it did not redirect. These scans are not counted:',
  },

  retained: {
    sentence: (day: string) =>
      `Scans before ${day} were removed. What remains of earlier months are monthly totals, by months in UTC. Cities, weekdays and single scans are shown from that day on.`,
    filtered:
      'Some scans of this period were removed. The monthly totals that remain cannot be filtered: clear the filters, or choose a later period.',
  },

  overTime: 'Scans over time',
  chart: (sum: string, interval: string) => `Scans over time, ${sum} in all, by ${interval}`,
  periodBefore: 'Period before',
  soFar: 'so far',
  partly: 'partly in this period',
  showTable: 'Show as table',
  showChart: 'Show as chart',
  download: 'Download chart',
  asPng: 'Chart as PNG',
  asCsv: 'Table as CSV',
  pngFailed: 'The picture could not be made',
  columns: { hour: 'Hour', day: 'Day', week: 'Week from', month: 'Month' },
  scanCount: (scans: string, isOne: boolean) => `${scans} ${isOne ? 'scan' : 'scans'}`,

  changes: 'Changes to this code',
  markers: {
    destination: (to: string) => `Destination changed to ${to}`,
    paused: 'Paused',
    resumed: 'Resumed',
    status: 'Status changed',
  },

  weekHours: {
    title: 'Weekday and hour',
    caption: 'Scans by weekday and hour',
    busiest: (day: string, hours: string) => `Busiest: ${day}, ${hours}`,
    cell: (day: string, hours: string, scans: string) => `${day}, ${hours}: ${scans}`,
    weekday: 'Weekday',
    less: 'Fewer',
    more: 'More',
    days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  },

  map: {
    title: 'Map',
    label: 'Map of the world. Larger circles and darker countries have more scans.',
    country: (name: string, scans: string) => `${name}: ${scans}`,
    filter: (name: string, scans: string) => `${name}: ${scans}. Show only this country`,
    world: 'Show the whole world',
    near: 'Zoom to the scans',
    elsewhere: (scans: string) => `${scans} from places outside this map`,
  },
  placements: 'Placements',
  byPlacement: 'Scans by placement',
  allPlacements: 'All placements',
  destinations: 'Destinations',
  byDestination: 'Scans by destination',
  noRule: 'When no rule matches',
  ruleNumber: (number: number) => `Rule ${number}`,
  earlierRule: 'A rule that was removed',
  earlierDestination: 'Earlier destination',
  countries: 'Countries',
  cities: 'Cities',
  devices: 'Devices',
  browsers: 'Browsers',
  byCountry: 'Scans by country',
  byCity: 'Scans by city',
  byDevice: 'Scans by device',
  byBrowser: 'Scans by browser',
  nothing: 'Nothing in this period.',
  others: 'Others',
  filterBy: (label: string) => `Show only ${label}`,

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
    chip: (kind: string, value: string) => `${kind}: ${value}`,
    remove: (kind: string, value: string) => `Remove filter ${kind}: ${value}`,
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
    window: { day: 'day', month: 'calendar month' },
    hash: (window: string) =>
      `A visitor is a fingerprint of network address and browser, made with a secret that exists only for one ${window} (in UTC) and is destroyed two days after it. We never store the address or the browser’s full name.`,
    twice: (window: string) =>
      `A person who scans twice in one ${window} is one visitor. In the next ${window} they count again. Unique visitors are counted over the whole period, so the visitors of single days do not add up to it.`,
    bots: 'Link previews, crawlers and prefetches are redirected but are not counted as scans.',
  },
} as const;
