import { expect, test } from 'vitest';
import type { HiddenMonthRecord } from './hidden-months.ts';
import { chooseMonth } from './hidden-rows.ts';

const day = 86_400;
const monthOf = (month: string, rows: number, hidden: number, rowsWithoutRollUps = 0) => ({
  month,
  rows,
  hidden,
  rowsWithoutRollUps,
  version: 1,
});
const noted = (...all: readonly (readonly [month: string, days: number, askedDays?: number])[]) =>
  new Map<string, HiddenMonthRecord>(
    all.map(([month, days, askedDays]) => [
      month,
      {
        month,
        seconds: days * day,
        requestedSecondsAgo: askedDays === undefined ? null : askedDays * day,
        isPending: askedDays !== undefined && askedDays < days,
      },
    ]),
  );

test('a month is rewritten when one row in a hundred is hidden, the worst one first', () => {
  const months = [monthOf('202601', 10_000, 100), monthOf('202602', 10_000, 101), monthOf('202603', 100, 50)];
  expect(chooseMonth(months.slice(0, 1), new Map())).toBeNull();
  expect(chooseMonth(months.slice(0, 2), new Map())).toBe('202602');
  expect(chooseMonth(months, new Map())).toBe('202603');
  expect(chooseMonth([], new Map())).toBeNull();
});

test('rows that have been hidden for two weeks go first, however few they are', () => {
  const months = [
    monthOf('202601', 1_000_000, 1),
    monthOf('202602', 1_000_000, 1),
    monthOf('202603', 100, 50),
  ];
  expect(chooseMonth(months, noted(['202601', 13], ['202602', 14]))).toBe('202603');
  expect(chooseMonth(months, noted(['202601', 15], ['202602', 16]))).toBe('202602');
});

test('a month whose rewrite fails comes after all others', () => {
  const old = [monthOf('202601', 1_000_000, 1), monthOf('202602', 1_000_000, 1)];
  expect(chooseMonth(old, noted(['202601', 40, 1], ['202602', 15]))).toBe('202602');
  expect(chooseMonth(old, noted(['202601', 40, 2], ['202602', 16, 1]))).toBe('202601');
  const many = [monthOf('202601', 100, 50), monthOf('202602', 100, 2)];
  expect(chooseMonth(many, noted(['202601', 2, 1], ['202602', 1]))).toBe('202602');
  expect(chooseMonth(many.slice(0, 1), noted(['202601', 2, 1]))).toBe('202601');
});

test('parts that lost their roll-ups and have no hidden rows come last', () => {
  const months = [monthOf('202601', 0, 0, 10), monthOf('202602', 0, 0, 20), monthOf('202603', 100, 2)];
  expect(chooseMonth(months, noted(['202603', 1]))).toBe('202603');
  expect(chooseMonth(months.slice(0, 2), new Map())).toBe('202602');
});
