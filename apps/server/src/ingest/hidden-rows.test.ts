import { expect, test } from 'vitest';
import { chooseMonth } from './hidden-rows.ts';

const day = 86_400;

test('a month is rewritten when one row in a hundred is hidden, the worst one first', () => {
  const months = [
    { month: '202601', rows: 10_000, hidden: 100 },
    { month: '202602', rows: 10_000, hidden: 101 },
    { month: '202603', rows: 100, hidden: 50 },
  ];
  expect(chooseMonth(months.slice(0, 1), new Map())).toBeNull();
  expect(chooseMonth(months.slice(0, 2), new Map())).toBe('202602');
  expect(chooseMonth(months, new Map())).toBe('202603');
  expect(chooseMonth([], new Map())).toBeNull();
});

test('rows that have been hidden for a fortnight go first, however few they are', () => {
  const months = [
    { month: '202601', rows: 1_000_000, hidden: 1 },
    { month: '202602', rows: 1_000_000, hidden: 1 },
    { month: '202603', rows: 100, hidden: 50 },
  ];
  const ages = (first: number, second: number) =>
    new Map([
      ['202601', first * day],
      ['202602', second * day],
    ]);
  expect(chooseMonth(months, ages(13, 14))).toBe('202603');
  expect(chooseMonth(months, ages(15, 16))).toBe('202602');
});
