import Type from 'typebox';
import { momentForm, momentPattern } from './moments.ts';
import { TagName } from './organise.ts';
import { Pagination, pageQuery } from './pages.ts';
import { devices, intervals } from './values.ts';
import { words } from './words.ts';

export type Interval = (typeof intervals)[number];

export const exportFormats = ['csv', 'json'] as const;
export type ExportFormat = (typeof exportFormats)[number];

const period = {
  start_date: Type.Optional(
    Type.String({
      pattern: momentPattern,
      'x-form': momentForm,
      description:
        'Start of the period: a date (YYYY-MM-DD), or a timestamp with a UTC offset. Defaults to 29 days before the end.',
    }),
  ),
  end_date: Type.Optional(
    Type.String({
      pattern: momentPattern,
      'x-form': momentForm,
      description:
        'End of the period, inclusive: a date, or a timestamp with a UTC offset. Defaults to today.',
    }),
  ),
  timezone: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z][A-Za-z0-9_+/-]{0,63}$',
      'x-form': 'an IANA time zone such as Europe/Berlin',
      description: 'IANA time zone that determines when days start and end. Defaults to UTC.',
    }),
  ),
};

const maxFilterLength = 200;

/** Only scans that have all of these. Their values are those of the answers; one that no scan has gives zeros. */
const filters = {
  country: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z]{2}$',
      'x-form': 'an ISO 3166 code of two letters such as DE, or XX for unknown',
      description:
        'Count only scans from this country: an ISO 3166 code as returned by the API, in any case of letters, or XX for unknown.',
    }),
  ),
  city: Type.Optional(
    Type.String({
      maxLength: maxFilterLength,
      description:
        'Count only scans from cities with this name, in any country unless `country` is given. Use an empty value for unknown cities.',
    }),
  ),
  device: Type.Optional(words(devices, 'Count only scans by this type of device.')),
  browser: Type.Optional(
    Type.String({
      maxLength: maxFilterLength,
      description: 'Count only scans by this browser, named as in `browsers` of the summary.',
    }),
  ),
  target_id: Type.Optional(
    Type.String({
      pattern: '^(tgt_[0-9a-hjkmnp-tv-z]{26}|default)$',
      'x-form': 'an id that looks like tgt_…, or default',
      description:
        'Count only scans that were redirected to this target of a rule; `default` for destination_url.',
    }),
  ),
  rule_id: Type.Optional(
    Type.String({
      pattern: '^(rul_[0-9a-hjkmnp-tv-z]{26}|default)$',
      'x-form': 'an id that looks like rul_…, or default',
      description: 'Count only scans that this rule decided; `default` for those that no rule decided.',
    }),
  ),
  placement: Type.Optional(
    Type.String({
      maxLength: 24,
      description: 'Count only scans of this placement. Use an empty value for scans without one.',
    }),
  ),
};

const interval = Type.Optional(
  words(
    intervals,
    'Length of each entry in the series. Weeks start on Monday. Defaults to day. A series can have at most 2,000 entries.',
  ),
);

export const PeriodQuery = Type.Object({ ...period, ...filters });

export const ScansQuery = Type.Object({
  ...period,
  ...filters,
  ...pageQuery({ defaultLimit: 50, maxLimit: 500 }),
});

export const SeriesQuery = Type.Object({ ...period, ...filters, interval });

export const ExportQuery = Type.Object({
  format: Type.Optional(words(exportFormats, 'File format. Defaults to csv.')),
  bom: Type.Optional(
    Type.Boolean({
      description:
        'If `true`, the CSV file starts with a byte order mark, so that Excel reads it as UTF-8. Not allowed with format=json. Defaults to false.',
    }),
  ),
  ...period,
  ...filters,
});

const ofTag = {
  tag: Type.Optional(
    Type.String({
      ...TagName,
      description: 'Count only codes that have this tag, at most 10,000. A tag that does not exist has none.',
    }),
  ),
};

export const AggregatePeriodQuery = Type.Object({ ...PeriodQuery.properties, ...ofTag });
export const AggregateQuery = Type.Object({ ...SeriesQuery.properties, ...ofTag });
export const AggregateExportQuery = Type.Object({ ...ExportQuery.properties, ...ofTag });

export const AccountScansQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 6000,
      description: '`next_cursor` of an earlier response. Left out: start with the first scan.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 500,
      default: 100,
      description: 'Maximum number of scans to return, from 1 to 500. Defaults to 100.',
    }),
  ),
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
    start: instant('Start of the period.'),
    end: instant('Last second of the period.'),
  },
  { title: 'Period', ...strict },
);

/** Only where a period reaches back before it. */
const retainedFrom = (description: string) => ({
  retained_from: Type.Optional(instant(description)),
});
const withSums = retainedFrom(
  'Only if the period reaches back further than the scans that the service keeps: when these begin. Before it, figures are sums of months, and `top_cities` has nothing.',
);
const seriesWithSums = retainedFrom(
  'Only if the period reaches back further than the scans that the service keeps: when these begin. Entries before it are sums of months.',
);
const withoutSums = retainedFrom(
  'Only if the period reaches back further than the scans that the service keeps: when these begin. Earlier ones are not listed.',
);

const summary = {
  total_scans: count(),
  unique_visitors: count('Exact number of distinct visitors in the period.'),
  avg_daily_scans: Type.Number({
    minimum: 0,
    description: 'Average number of scans per calendar day, to one decimal place.',
  }),
};

const tops = {
  top_countries: Type.Array(
    Type.Object(
      {
        country: Type.String({ description: 'ISO 3166 country code, XX if unknown.' }),
        scans: count(),
      },
      strict,
    ),
    { maxItems: 10, description: 'Sorted by scans, then by name.' },
  ),
  top_cities: Type.Array(
    Type.Object(
      {
        city: Type.String({ description: 'Empty if unknown.' }),
        country: Type.String(),
        scans: count(),
      },
      strict,
    ),
    { maxItems: 10, description: 'Sorted by scans, then by name.' },
  ),
  devices: counts('Scans by device: ios, android, desktop, other. The counts add up to total_scans.'),
  browsers: counts(
    'Scans by browser: safari, chrome, samsung_browser, firefox, edge, other. The counts add up to total_scans.',
  ),
};

const TargetFigures = Type.Object(
  {
    target_id: Type.Union([Type.String(), Type.Null()], { description: 'Null for destination_url.' }),
    rule_id: Type.Union([Type.String(), Type.Null()]),
    label: Type.String(),
    url: Type.String({ description: 'The URL of today, or the last one of an earlier target.' }),
    scans: count(),
    unique_visitors: count('Distinct visitors of this target.'),
  },
  { title: 'TargetFigures', ...strict },
);

const PlacementFigures = Type.Object(
  {
    key: Type.String({ description: 'Empty for scans without a placement.' }),
    name: Type.String({ description: 'Empty for a placement that was deleted.' }),
    scans: count(),
    unique_visitors: count('Distinct visitors of this placement.'),
  },
  { title: 'PlacementFigures', ...strict },
);

export const AnalyticsSummary = Type.Object(
  {
    qr_id: qrCodeId(),
    period: Period,
    ...withSums,
    summary: Type.Object(summary, strict),
    ...tops,
    not_redirected: counts(
      'Requests that were not redirected, by reason: paused, draft, suspended, held, not_begun, ended or used_up. They are not scans. Only reasons that occurred are listed, for the days of the period in UTC; filters do not apply.',
    ),
    targets: Type.Array(TargetFigures, {
      description:
        'Scans by where they were redirected to: destination_url first, then the targets of the rules in their order, then earlier targets that have scans. The scans add up to total_scans.',
    }),
    placements: Type.Array(PlacementFigures, {
      description:
        'Scans by placement, those without one first. A deleted placement keeps its scans, without its name, at the end. The scans add up to total_scans. Empty for a code that never had a placement.',
    }),
  },
  { title: 'AnalyticsSummary', ...strict },
);

export const ScanRecord = Type.Object(
  {
    id: Type.String({ pattern: '^scan_[0-9a-hjkmnp-tv-z]{26}$', 'x-form': 'an id that looks like scan_…' }),
    timestamp: instant('When the code was scanned. ISO 8601, UTC, with milliseconds.'),
    country: Type.String({ description: 'ISO 3166 country code, XX if unknown.' }),
    region: Type.String({ description: 'Empty if unknown.' }),
    city: Type.String({ description: 'Empty if unknown.' }),
    device: Type.String({ description: 'ios, android, desktop or other.' }),
    browser: Type.String({ description: 'safari, chrome, samsung_browser, firefox, edge or other.' }),
    is_unique: Type.Boolean({
      description: 'Whether this is the first scan of this code by this visitor in the visitor window.',
    }),
    language: Type.String({
      description:
        'The language that the scanner prefers, by its code of two or three letters, such as de. Empty if unknown.',
    }),
    target_id: Type.String({
      description: 'The target of a rule that the scan was redirected to. Empty for destination_url.',
    }),
    rule_id: Type.String({ description: 'The rule that decided. Empty if none did.' }),
    placement: Type.String({ description: 'Key of the placement. Empty for none.' }),
  },
  { title: 'Scan', ...strict },
);

const { id: scanId, ...scanFields } = ScanRecord.properties;

export const AccountScan = Type.Object(
  { id: scanId, qr_id: qrCodeId(), ...scanFields },
  { title: 'AccountScan', ...strict },
);

export const AccountScanList = Type.Object(
  {
    data: Type.Array(AccountScan),
    next_cursor: Type.String({ description: 'Send it as `after` to go on from here, now or later.' }),
    has_more: Type.Boolean({ description: 'Whether more scans are there already.' }),
  },
  { title: 'AccountScanList', ...strict },
);

export const ScanList = Type.Object(
  { data: Type.Array(ScanRecord), pagination: Pagination, ...withoutSums },
  { title: 'ScanList', ...strict },
);

export const SeriesEntry = Type.Object(
  {
    date: Type.String({
      description:
        'Start of the entry: YYYY-MM-DDTHH:00:00Z for hours (in UTC); YYYY-MM-DD for days, weeks (the Monday) and months (the first day).',
    }),
    total_scans: count(),
    unique_visitors: count('Distinct visitors in this entry. Visitors of several entries do not add up.'),
  },
  { title: 'SeriesEntry', ...strict },
);

const series = Type.Array(SeriesEntry, {
  description: 'All entries of the period, including those without scans.',
});

export const Timeseries = Type.Object(
  { qr_id: qrCodeId(), interval: words(intervals), ...seriesWithSums, data: series },
  { title: 'Timeseries', ...strict },
);

export const WeekHour = Type.Object(
  {
    weekday: Type.Integer({
      minimum: 1,
      maximum: 7,
      description: 'Day of the week, from 1 (Monday) to 7 (Sunday).',
    }),
    hour: Type.Integer({ minimum: 0, maximum: 23, description: 'Hour of the day in `timezone`.' }),
    total_scans: count(),
  },
  { title: 'WeekHour', ...strict },
);

export const WeekHours = Type.Object(
  {
    data: Type.Array(WeekHour, {
      minItems: 168,
      maxItems: 168,
      description:
        'Every hour of the week, starting with Monday at midnight. The counts add up to the scans in the period.',
    }),
  },
  { title: 'WeekHours', ...strict },
);

export const ScanExport = Type.Object(
  { qr_id: qrCodeId(), period: Period, ...withoutSums, total: count(), data: Type.Array(ScanRecord) },
  { title: 'ScanExport', ...strict },
);

export const AccountScanExport = Type.Object(
  { period: Period, ...withoutSums, total: count(), data: Type.Array(AccountScan) },
  { title: 'AccountScanExport', ...strict },
);

export const AggregateAnalytics = Type.Object(
  {
    period: Period,
    ...withSums,
    summary: Type.Object(
      {
        ...summary,
        qr_codes: count('Number of codes in the account, or of those with the tag, with or without scans.'),
      },
      strict,
    ),
    top_qr_codes: Type.Array(
      Type.Object({ qr_id: qrCodeId(), name: Type.String(), scans: count() }, strict),
      {
        maxItems: 10,
        description: 'Sorted by scans, then by id.',
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
export type AccountScan = Type.Static<typeof AccountScan>;
export type ScanList = Type.Static<typeof ScanList>;
export type SeriesEntry = Type.Static<typeof SeriesEntry>;
export type Timeseries = Type.Static<typeof Timeseries>;
export type WeekHour = Type.Static<typeof WeekHour>;
export type WeekHours = Type.Static<typeof WeekHours>;
export type ScanExport = Type.Static<typeof ScanExport>;
export type AggregateAnalytics = Type.Static<typeof AggregateAnalytics>;
