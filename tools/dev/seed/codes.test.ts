import { gradeStyle } from '@signpost/qr';
import { expect, test } from 'vitest';
import { exampleCodes } from './codes.ts';
import { createRandom } from './random.ts';
import { scansOf } from './scans.ts';

test.each(exampleCodes.map(code => [code.name, code] as const))(
  '%s has a style that scans well',
  (_, code) => {
    expect(gradeStyle(code.style).level).toBe('good');
  },
);

const owner = {
  accountId: '0190a5d2-7c1e-7abc-8def-ba9876543210',
  mode: 'live',
  windowKind: 'month',
} as const;
const nowMs = Date.UTC(2026, 10, 15, 12);
const menu = exampleCodes[0]!;
const made = () => scansOf(menu, '0190a5d2-7c1e-7abc-8def-0123456789ab', owner, nowMs, createRandom(1));

test('the scans are the same every time, in order, up to now, some by returning visitors', () => {
  const scans = made();
  const withoutIds = (some: typeof scans) => some.map(({ id: _id, ...rest }) => rest);
  expect(withoutIds(made())).toEqual(withoutIds(scans));
  expect(scans.map(({ atMs }) => atMs)).toEqual(scans.map(({ atMs }) => atMs).toSorted((a, b) => a - b));
  expect(scans.at(-1)!.atMs).toBeLessThan(nowMs);
  const visitors = new Set(scans.map(({ visitor }) => visitor)).size;
  expect(visitors / scans.length).toBeGreaterThan(0.5);
  expect(visitors / scans.length).toBeLessThan(0.9);
});

test('a café is scanned more on Saturdays than on Mondays', () => {
  const on = (day: number) => made().filter(({ atMs }) => new Date(atMs).getUTCDay() === day).length;
  expect(on(6)).toBeGreaterThan(1.5 * on(1));
});
