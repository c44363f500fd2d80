import { expect, test } from 'vitest';
import type { Bucket } from './buckets.ts';
import { ghostPath, layOut } from './chart-layout.ts';

const bucket = (scans: number, before: number | null): Bucket => ({
  date: '2026-11-15',
  startMs: 0,
  endMs: 1,
  scans,
  visitors: 0,
  before,
  state: 'whole',
});

test('a bar is as high as its scans, against the topmost tick, which is above the period before too', () => {
  const layout = layOut([bucket(5, 18), bucket(10, null)], 'day', { width: 452, height: 240 });
  expect(layout.ticks).toEqual([0, 5, 10, 15, 20]);
  expect([layout.y(0), layout.y(10), layout.y(20)]).toEqual([214, 114, 14]);
  expect([layout.x(0), layout.x(1), layout.x(2)]).toEqual([44, 244, 444]);
});

test('the period before is a line of steps with gaps where there is none', () => {
  const buckets = [bucket(0, 4), bucket(0, 2), bucket(0, null), bucket(0, 0)];
  const path = ghostPath(buckets, layOut(buckets, 'day', { width: 452, height: 240 }));
  expect(path).toBe('M44.0,14.0H144.0L144.0,114.0H244.0M344.0,214.0H444.0');
});

test('an empty frame has a layout', () => {
  expect(layOut([], 'day', { width: 0, height: 240 }).labels).toEqual([]);
});
