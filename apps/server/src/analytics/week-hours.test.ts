import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { timeZoneNamed } from './time-zone.ts';
import { listOffsets, presentWeekHours } from './week-hours.ts';

const hourMs = 3_600_000;

const offsetsOf = (name: string, from: string, to: string) =>
  listOffsets(timeZoneNamed(name)!, { fromMs: Date.parse(from), toMs: Date.parse(to) }).map(
    ({ startMs, offsetMs }) => [new Date(startMs).toISOString(), offsetMs / hourMs],
  );

describe('the offsets of a time zone', () => {
  test('change where its clocks do, to the second', () => {
    expect(offsetsOf('Europe/Berlin', '2024-03-01T00:00:00Z', '2024-12-01T00:00:00Z')).toEqual([
      ['2024-03-01T00:00:00.000Z', 1],
      ['2024-03-31T01:00:00.000Z', 2],
      ['2024-10-27T01:00:00.000Z', 1],
    ]);
    expect(offsetsOf('Australia/Lord_Howe', '2024-04-06T00:00:00Z', '2024-04-07T00:00:00Z')).toEqual([
      ['2024-04-06T00:00:00.000Z', 11],
      ['2024-04-06T15:00:00.000Z', 10.5],
    ]);
    expect(offsetsOf('Asia/Kathmandu', '2020-01-01T00:00:00Z', '2100-01-01T00:00:00Z')).toEqual([
      ['2020-01-01T00:00:00.000Z', 5.75],
    ]);
    // The shortest summer time that any rules foresee: six days.
    expect(offsetsOf('Asia/Gaza', '2054-03-25T00:00:00Z', '2054-04-10T00:00:00Z')).toHaveLength(3);
  });

  test('hold at every moment, in every zone', () => {
    const zones = Intl.supportedValuesOf('timeZone');
    const moment = fc.integer({ min: Date.UTC(2020) / 1000, max: Date.UTC(2060) / 1000 });
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        moment,
        fc.integer({ min: 1, max: 90 * 24 }),
        (name, at, hours) => {
          const zone = timeZoneNamed(name)!;
          const range = { fromMs: at * 1000, toMs: at * 1000 + hours * hourMs };
          const offsets = listOffsets(zone, range);
          for (let atMs = range.fromMs; atMs < range.toMs; atMs += (range.toMs - range.fromMs) / 7) {
            const offset = offsets.findLast(({ startMs }) => startMs <= atMs)!;
            expect(offset.offsetMs).toBe(zone.offsetAt(atMs));
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

test('all 168 hours are there, from Monday at midnight', () => {
  const entries = presentWeekHours([
    { hourOfWeek: 0, scans: 3 },
    { hourOfWeek: 167, scans: 5 },
  ]);
  expect(entries).toHaveLength(168);
  expect(entries[0]).toEqual({ weekday: 1, hour: 0, total_scans: 3 });
  expect(entries[25]).toEqual({ weekday: 2, hour: 1, total_scans: 0 });
  expect(entries[167]).toEqual({ weekday: 7, hour: 23, total_scans: 5 });
});
