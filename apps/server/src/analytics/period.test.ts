import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { listBuckets, parsePeriod, presentPeriod } from './period.ts';
import { timeZoneNamed } from './time-zone.ts';

const now = new Date('2026-11-15T12:34:56Z');
const requested = (more: object) => presentPeriod(parsePeriod(more, now));

describe('a period', () => {
  test('is by default the last 30 days including today', () => {
    expect(requested({})).toEqual({ start: '2026-10-17T00:00:00Z', end: '2026-11-15T23:59:59Z' });
    expect(parsePeriod({}, now).days).toBe(30);
    expect(requested({ end_date: '2024-03-01' })).toEqual({
      start: '2024-02-01T00:00:00Z',
      end: '2024-03-01T23:59:59Z',
    });
  });

  test('has the days of its time zone', () => {
    expect(
      requested({ start_date: '2024-03-31', end_date: '2024-03-31', timezone: 'Europe/Berlin' }),
    ).toEqual({
      start: '2024-03-30T23:00:00Z',
      end: '2024-03-31T21:59:59Z',
    });
    // Clocks there go from midnight to one: the day begins at one.
    expect(requested({ start_date: '2024-04-26', end_date: '2024-04-26', timezone: 'Africa/Cairo' })).toEqual(
      {
        start: '2024-04-25T22:00:00Z',
        end: '2024-04-26T20:59:59Z',
      },
    );
  });

  test('that is echoed requests the same period again', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: Date.UTC(2020), max: Date.UTC(2030) }),
        fc.nat({ max: 400 * 86_400_000 }),
        fc.constantFrom('UTC', 'Asia/Kathmandu', 'America/New_York', 'Australia/Lord_Howe'),
        (from, length, timezone) => {
          const start_date = new Date(from).toISOString();
          const end_date = new Date(from + length).toISOString().slice(0, 10);
          const first = requested({ start_date, end_date: `${end_date}T23:59:59Z`, timezone });
          expect(requested({ start_date: first.start, end_date: first.end, timezone })).toEqual(first);
        },
      ),
    );
  });

  test.each([
    [{ start_date: '2026-02-30' }, 'start_date'],
    [{ end_date: '2025-02-29' }, 'end_date'],
    [{ start_date: '2026-11-02', end_date: '2026-11-01' }, 'end_date'],
    [{ start_date: '2026-11-16' }, 'start_date'],
    [{ timezone: 'Mars/Olympus' }, 'timezone'],
  ])('%o is refused, naming %s', (wanted, param) => {
    expect(() => parsePeriod(wanted, now)).toThrow(
      expect.objectContaining({ code: 'invalid_request', details: { param } }),
    );
  });

  test('accepts a plus that was not encoded', () => {
    expect(requested({ start_date: '2026-11-01T02:00:00 02:00' }).start).toBe('2026-11-01T00:00:00Z');
  });
});

describe('a series', () => {
  test('of more than 2,000 entries is refused, one of 2,000 is not', () => {
    const days = (end_date: string) =>
      listBuckets(parsePeriod({ start_date: '2020-01-01', end_date }, now), 'day');
    expect(days('2025-06-22')).toHaveLength(2_000);
    expect(() => days('2025-06-23')).toThrow(expect.objectContaining({ code: 'invalid_request' }));
    const long = parsePeriod({ start_date: '1970-01-01', end_date: '2099-12-31' }, now);
    expect(() => listBuckets(long, 'hour')).toThrow('2000');
    expect(listBuckets(long, 'month')).toHaveLength(1_560);
  });

  test('begins weeks on Monday and months on their first day, even if the period begins later', () => {
    const period = parsePeriod({ start_date: '2024-02-29', end_date: '2024-03-05' }, now);
    expect(listBuckets(period, 'week').map(cut => cut.date)).toEqual(['2024-02-26', '2024-03-04']);
    expect(listBuckets(period, 'month').map(cut => cut.date)).toEqual(['2024-02-01', '2024-03-01']);
  });
});

describe('a time zone', () => {
  test('begins every day at the first moment with its date, in every zone', () => {
    const zones = Intl.supportedValuesOf('timeZone');
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer({ min: 18_262, max: 29_000 }), (name, day) => {
        const zone = timeZoneNamed(name)!;
        const start = zone.toStartMs(day);
        expect([zone.toDay(start), zone.toDay(start - 1)]).toEqual([day, day - 1]);
      }),
      { numRuns: 5_000 },
    );
  });
});
