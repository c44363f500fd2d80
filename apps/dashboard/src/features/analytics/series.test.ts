import { expect, test } from 'vitest';
import type { Bucket } from './buckets.ts';
import { axisLabel, bucketName, seriesCsv } from './series.ts';

const at = (...parts: [number, number, number, number?]) =>
  new Date(...(parts as [number, number, number])).getTime();
const spanning = (startMs: number, endMs: number) => ({ startMs, endMs });

test('a bar is named as briefly as the axis allows, and in full in its tooltip', () => {
  const day = spanning(at(2026, 10, 15), at(2026, 10, 16));
  expect(axisLabel(day, 'day')).toBe('Nov 15');
  expect(bucketName(day, 'day')).toBe('Sunday, Nov 15, 2026');
  const month = spanning(at(2026, 10, 1), at(2026, 11, 1));
  expect(axisLabel(month, 'month')).toBe('Nov 2026');
  const week = spanning(at(2026, 10, 9), at(2026, 10, 16));
  expect(bucketName(week, 'week')).toBe('Nov 9 – Nov 15, 2026');
});

test('hours follow the clock, and midnight carries the day', () => {
  const noon = new Date(2026, 10, 15, 12).getTime();
  expect(axisLabel({ startMs: noon }, 'hour')).toBe('12:00');
  expect(axisLabel({ startMs: at(2026, 10, 15) }, 'hour')).toBe('Nov 15');
  expect(bucketName(spanning(noon, noon + 3_600_000), 'hour')).toContain('12:00–13:00');
});

test('the file of a series has a header, one line a bar, and a line end at the end', () => {
  const bucket: Bucket = {
    date: '2026-11-15',
    startMs: 0,
    endMs: 1,
    scans: 3,
    visitors: 2,
    before: null,
    state: 'whole',
  };
  expect(seriesCsv([bucket, { ...bucket, date: '2026-11-16', before: 7 }])).toBe(
    'date,total_scans,unique_visitors,total_scans_before\r\n2026-11-15,3,2,\r\n2026-11-16,3,2,7\r\n',
  );
});
