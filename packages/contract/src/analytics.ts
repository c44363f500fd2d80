import Type from 'typebox';
import { Pagination, pageQuery } from './pages.ts';
import { words } from './words.ts';

export const intervals = ['hour', 'day', 'week', 'month'] as const;
export type Interval = (typeof intervals)[number];

export const exportFormats = ['csv', 'json'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** A day, or a moment with its offset from UTC. A space stands for a plus that nobody encoded. */
const momentPattern =
  '^(19[7-9]\\d|20\\d\\d)-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])(T([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,9})?)?(Z|[+ -](0\\d|1[0-4]):[0-5]\\d))?$';

const momentForm = 'a day such as 2026-11-15, or a timestamp with its offset such as 2026-11-15T08:00:00Z';

const period = {
  start_date: Type.Optional(
    Type.String({
      pattern: momentPattern,
      'x-form': momentForm,
      description:
        'First day of the period, YYYY-MM-DD, or a timestamp to the second with its offset. Default: 29 days before the last.',
    }),
  ),
  end_date: Type.Optional(
    Type.String({
      pattern: momentPattern,
      'x-form': momentForm,
      description: 'Last day of the period, and part of it; or a timestamp. Default: today.',
    }),
  ),
  timezone: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z][A-Za-z0-9_+/-]{0,63}$',
      'x-form': 'an IANA time zone such as Europe/Berlin',
      description: 'IANA time zone in which days begin and end. Default UTC.',
    }),
  ),
};

const interval = Type.Optional(
  words(
    intervals,
    'How long each entry of the series is. Weeks begin on Monday. Default day. More than 2,000 entries are refused.',
  ),
);

export const PeriodQuery = Type.Object(period);

export const ScansQuery = Type.Object({ ...period, ...pageQuery({ defaultLimit: 50, maxLimit: 500 }) });

export const SeriesQuery = Type.Object({ ...period, interval });

export const ExportQuery = Type.Object({
  format: Type.Optional(words(exportFormats, 'Default csv.')),
  bom: Type.Optional(
    Type.Boolean({
      description:
        'true begins a CSV with a byte order mark, by which Excel knows UTF-8. Refused with format=json. Default false.',
    }),
  ),
  ...period,
});

const count = (description?: string) => Type.Integer({ minimum: 0, ...(description ? { description } : {}) });
const qrCodeId = () =>
  Type.String({ pattern: '^qr_[0-9a-hjkmnp-tv-z]{26}$', 'x-form': 'an id that looks like qr_…' });
const instant = (description: string) => Type.String({ format: 'date-time', description });
const strict = { additionalProperties: false };

/** Scans by the word that tells them apart. More words may be added. */
const counts = (description: string) =>
  Type.Unsafe<Record<string, number>>({
    type: 'object',
    additionalProperties: { type: 'integer', minimum: 0 },
    description,
  });

export const Period = Type.Object(
  {
    start: instant('The first second of the period.'),
    end: instant('The last second of the period.'),
  },
  { title: 'Period', ...strict },
);

const summary = {
  total_scans: count(),
  unique_visitors: count('Distinct visitors of the whole period. Exact.'),
  avg_daily_scans: Type.Number({
    minimum: 0,
    description: 'Scans a calendar day of the period, to one decimal.',
  }),
};

const tops = {
  top_countries: Type.Array(
    Type.Object(
      {
        country: Type.String({ description: 'ISO 3166 code, XX where it is not known.' }),
        scans: count(),
      },
      strict,
    ),
    { maxItems: 10, description: 'Most scans first, then by name.' },
  ),
  top_cities: Type.Array(
    Type.Object(
      {
        city: Type.String({ description: 'Empty where it is not known.' }),
        country: Type.String(),
        scans: count(),
      },
      strict,
    ),
    { maxItems: 10, description: 'Most scans first, then by name.' },
  ),
  devices: counts('Scans by device: ios, android, desktop, other. They add up to total_scans.'),
  browsers: counts(
    'Scans by browser: safari, chrome, samsung_browser, firefox, edge, other. They add up to total_scans.',
  ),
};

export const AnalyticsSummary = Type.Object(
  { qr_id: qrCodeId(), period: Period, summary: Type.Object(summary, strict), ...tops },
  { title: 'AnalyticsSummary', ...strict },
);

export const ScanRecord = Type.Object(
  {
    id: Type.String({ pattern: '^scan_[0-9a-hjkmnp-tv-z]{26}$', 'x-form': 'an id that looks like scan_…' }),
    timestamp: instant('ISO 8601, UTC, to the millisecond.'),
    country: Type.String({ description: 'ISO 3166 code, XX where it is not known.' }),
    region: Type.String({ description: 'Empty where it is not known.' }),
    city: Type.String({ description: 'Empty where it is not known.' }),
    device: Type.String({ description: 'ios, android, desktop or other.' }),
    browser: Type.String({ description: 'safari, chrome, samsung_browser, firefox, edge or other.' }),
    is_unique: Type.Boolean({ description: 'The first scan of this code by this visitor in the window.' }),
  },
  { title: 'Scan', ...strict },
);

export const ScanList = Type.Object(
  { data: Type.Array(ScanRecord), pagination: Pagination },
  { title: 'ScanList', ...strict },
);

export const SeriesEntry = Type.Object(
  {
    date: Type.String({
      description:
        'Start of the entry: YYYY-MM-DDTHH:00:00Z for hour (hours of UTC), YYYY-MM-DD for day, week (its Monday) and month (its first).',
    }),
    total_scans: count(),
    unique_visitors: count('Distinct visitors of this entry. They do not add up over entries.'),
  },
  { title: 'SeriesEntry', ...strict },
);

const series = Type.Array(SeriesEntry, {
  description: 'Every entry of the period, those without scans too.',
});

export const Timeseries = Type.Object(
  { qr_id: qrCodeId(), interval: words(intervals), data: series },
  { title: 'Timeseries', ...strict },
);

export const ScanExport = Type.Object(
  { qr_id: qrCodeId(), period: Period, total: count(), data: Type.Array(ScanRecord) },
  { title: 'ScanExport', ...strict },
);

export const AggregateAnalytics = Type.Object(
  {
    period: Period,
    summary: Type.Object(
      { ...summary, qr_codes: count('Codes that the account has now, scanned or not.') },
      strict,
    ),
    top_qr_codes: Type.Array(
      Type.Object({ qr_id: qrCodeId(), name: Type.String(), scans: count() }, strict),
      {
        maxItems: 10,
        description: 'Most scans first, then by id.',
      },
    ),
    ...tops,
    timeseries: series,
  },
  { title: 'AggregateAnalytics', ...strict },
);

export type ExportQuery = Type.Static<typeof ExportQuery>;
export type PeriodQuery = Type.Static<typeof PeriodQuery>;
export type AnalyticsSummary = Type.Static<typeof AnalyticsSummary>;
export type ScanRecord = Type.Static<typeof ScanRecord>;
export type ScanList = Type.Static<typeof ScanList>;
export type SeriesEntry = Type.Static<typeof SeriesEntry>;
export type Timeseries = Type.Static<typeof Timeseries>;
export type ScanExport = Type.Static<typeof ScanExport>;
export type AggregateAnalytics = Type.Static<typeof AggregateAnalytics>;
