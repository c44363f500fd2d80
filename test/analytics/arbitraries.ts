import fc from 'fast-check';
import { zeroId } from '../../apps/server/src/kernel/ids.ts';
import { browsers, devices, type Scan } from '../../apps/server/src/scans/scan.ts';
import { toWindowName } from '../../apps/server/src/scans/visitor.ts';
import { placementKeys } from './dataset.ts';
import type { AnalyticsFilters, AnalyticsRequest } from './model.ts';

const dayMs = 86_400_000;

/** With whole and partial hours, with and without summer time, some that change their clocks at midnight, the first and the last. */
const zones = [
  'UTC',
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'Africa/Cairo',
  'Asia/Beirut',
  'America/Santiago',
  'Africa/Casablanca',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
];

/** Most bugs occur around these: clocks change, months and years end, a day is a leap day. */
const moments = [
  '2023-12-31T23:00:00Z',
  '2024-01-01T00:00:00Z',
  '2024-02-28T23:59:59Z',
  '2024-02-29T12:00:00Z',
  '2024-03-01T00:00:00Z',
  '2024-03-10T07:00:00Z',
  '2024-03-31T01:00:00Z',
  '2024-04-06T15:00:00Z',
  '2024-04-25T22:00:00Z',
  '2024-09-08T04:00:00Z',
  '2024-10-27T01:00:00Z',
  '2024-11-03T06:00:00Z',
].map(text => Date.parse(text));

const [firstMs, lastMs] = [Date.parse('2023-12-20T00:00:00Z'), Date.parse('2024-11-20T00:00:00Z')];

/** Near one of the moments, at the edge of a quarter hour, or anywhere. */
const atMs = fc.oneof(
  fc
    .tuple(fc.constantFrom(...moments), fc.integer({ min: -36 * 3_600_000, max: 36 * 3_600_000 }))
    .map(([at, off]) => at + off),
  fc
    .tuple(fc.constantFrom(...moments), fc.integer({ min: -150, max: 150 }), fc.constantFrom(-1, 0, 1))
    .map(([at, quarters, off]) => Math.floor(at / 900_000) * 900_000 + quarters * 900_000 + off),
  fc.integer({ min: firstMs, max: lastMs }),
);

const locations = [
  ['DE', 'Bavaria', 'Munich'],
  ['DE', 'Bavaria', 'Augsburg'],
  ['FR', 'Île-de-France', 'Paris'],
  ['US', 'Texas', 'Paris'],
  ['GB', 'England', '=cmd|London'],
  ['XX', '', ''],
  ['IN', '', 'Bengaluru'],
] as const;

/** More countries and cities than a top list shows. */
const location = fc.oneof(
  fc.constantFrom(...locations),
  fc.nat({ max: 14 }).map(n => [`${'ABCDE'[n % 5]}${'QXY'[n % 3]}`, `R${n}`, `City "${n}", ünïq`] as const),
);

/** Scans of some codes by few visitors, so that many return. */
export const anyScans = (
  codes: readonly { id: string; accountId: string; targets?: readonly { id: string; ruleId: string }[] }[],
): fc.Arbitrary<Scan[]> =>
  fc.array(
    fc
      .record({
        id: fc.uuid({ version: 7 }),
        code: fc.nat({ max: codes.length - 1 }),
        atMs,
        location,
        device: fc.constantFrom(...devices),
        browser: fc.constantFrom(...browsers),
        visitor: fc.nat({ max: 60 }),
        language: fc.constantFrom('', 'de', 'fr', 'gsw'),
        target: fc.nat({ max: 4 }),
        placement: fc.constantFrom('', '', ...placementKeys),
      })
      .map(({ code, location: [country, region, city], visitor, target, ...rest }) => ({
        ...rest,
        sandbox: false,
        qrCodeId: codes[code]!.id,
        accountId: codes[code]!.accountId,
        mode: 'live' as const,
        country,
        region,
        city,
        visitor: visitor.toString(16).padStart(32, '0'),
        window: toWindowName(rest.atMs, 'month'),
        ruleId: codes[code]!.targets?.[target]?.ruleId ?? zeroId,
        targetId: codes[code]!.targets?.[target]?.id ?? zeroId,
      })),
    { minLength: 250, maxLength: 500, size: 'max' },
  );

const day = (at: number) => new Date(at).toISOString().slice(0, 10);
const second = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`;

/** Periods by dates, by timestamps, and by one of each; few of them longer than a series allows. */
export const anyRequest: fc.Arbitrary<AnalyticsRequest> = fc
  .record({
    from: atMs,
    days: fc.constantFrom(0, 0, 1, 2, 6, 7, 28, 29, 30, 31, 59, 80, 365),
    timezone: fc.constantFrom(...zones),
    interval: fc.constantFrom<AnalyticsRequest['interval']>('hour', 'day', 'week', 'month'),
    form: fc.constantFrom('dates', 'dates', 'dates', 'moments', 'mixed'),
    extraMs: fc.constantFrom(0, 900_000, 1_800_000, 59_000, 12_345_678),
  })
  .map(({ from, days, timezone, interval, form, extraMs }) => {
    const to = from + (interval === 'hour' ? Math.min(days, 80) : days) * dayMs;
    return {
      start_date:
        form === 'dates' ? day(from) : second(form === 'mixed' ? from : Math.floor(from / 900_000) * 900_000),
      // A time zone can be a day ahead of UTC, so a mixed period ends two days later.
      end_date: form === 'moments' ? second(to + extraMs) : day(form === 'mixed' ? to + 2 * dayMs : to),
      timezone,
      interval: interval === 'hour' && days > 79 ? 'day' : interval,
    };
  });

const monthStart = fc.integer({ min: -2, max: 11 }).map(month => Date.UTC(2024, month));

/** Whole months in UTC, for which there are sums where the scans are gone; some with more days at the end. */
export const anyMonths: fc.Arbitrary<AnalyticsRequest> = fc
  .record({ one: monthStart, other: monthStart, extraDays: fc.constantFrom(0, 0, 0, 9, 200) })
  .map(({ one, other, extraDays }) => {
    const last = new Date(Math.max(one, other));
    return {
      start_date: day(Math.min(one, other)),
      end_date: day(Date.UTC(last.getUTCFullYear(), last.getUTCMonth() + 1, extraDays)),
      timezone: 'UTC',
      interval: 'month',
    };
  });

/** Places that scans have, alone and together; places that none has; and a city in the wrong country. */
const place: fc.Arbitrary<AnalyticsFilters> = fc.oneof(
  location.map(([country]) => ({ country })),
  location.map(([, , city]) => ({ city })),
  location.map(([country, , city]) => ({ country, city })),
  fc.constantFrom({ country: 'ZZ' }, { city: 'Nowhere' }, { country: 'DE', city: 'Paris' }),
);

const agent: fc.Arbitrary<AnalyticsFilters> = fc.oneof(
  fc.constantFrom(...devices).map(device => ({ device })),
  fc.constantFrom(...browsers, 'netscape').map(browser => ({ browser })),
  fc.record({ device: fc.constantFrom(...devices), browser: fc.constantFrom(...browsers) }),
);

/** Where scans led without a rule, and where they were printed. */
const route: fc.Arbitrary<AnalyticsFilters> = fc.oneof(
  fc.constantFrom('', ...placementKeys, 'nowhere').map(placement => ({ placement })),
  fc.constantFrom({ target_id: 'default' }, { rule_id: 'default' }),
  fc.constant({ target_id: 'default', placement: 'till' }),
);

/** Requests for scans that have certain values. */
export const anyFilteredRequest: fc.Arbitrary<AnalyticsRequest> = fc
  .tuple(
    anyRequest,
    fc.oneof(
      place,
      agent,
      route,
      fc.tuple(agent, route).map(([a, b]) => ({ ...a, ...b })),
      fc.tuple(place, agent).map(([a, b]) => ({ ...a, ...b })),
    ),
  )
  .map(([request, filters]) => ({ ...request, ...filters }));
