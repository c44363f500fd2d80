import { expect, test } from 'vitest';
import { busiestHour, hoursName, weekTable } from './week-hours.ts';

const hours = [
  { weekday: 1, hour: 0, total_scans: 1 },
  { weekday: 6, hour: 10, total_scans: 9 },
  { weekday: 7, hour: 23, total_scans: 9 },
];

test('the week is a table of seven days and 24 hours, from Monday on', () => {
  const table = weekTable(hours);
  expect(table.map(row => row.length)).toEqual(Array(7).fill(24));
  expect([table[0]![0], table[5]![10], table[6]![23], table[3]![3]]).toEqual([1, 9, 9, 0]);
});

test('the busiest hour is the earliest of those with most scans', () => {
  expect(busiestHour(hours)).toEqual(hours[1]);
  expect(busiestHour([{ weekday: 1, hour: 0, total_scans: 0 }])).toBeNull();
  expect(hoursName(23)).toBe('23:00–00:00');
});
