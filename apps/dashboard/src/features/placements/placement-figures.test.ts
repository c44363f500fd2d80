import { expect, test } from 'vitest';
import { chooseLines, linesOf, type orders } from './placement-figures.ts';

const placement = (key: string, name: string, note: string | null = null) => ({
  key,
  name,
  note,
  short_url: `https://go.example/m.${key}`,
  created_at: '2026-11-01T00:00:00Z',
});
const places = [
  placement('t10', 'Table 10', 'by the door'),
  placement('t2', 'Table 2'),
  placement('bar', 'Bar'),
];
const figure = (key: string, scans: number) => ({ key, name: '', scans, unique_visitors: scans });
const figures = [figure('', 4), figure('t10', 1), figure('t2', 7), figure('bar', 0), figure('old', 2)];

test('every place has its figures; scans without one, and of removed ones, have a line as well', () => {
  expect(linesOf(places, figures).map(({ name, scans }) => [name, scans])).toEqual([
    ['Table 10', 1],
    ['Table 2', 7],
    ['Bar', 0],
    ['No placement', 4],
    ['old (removed)', 2],
  ]);
  expect(linesOf(places, undefined).map(({ scans }) => scans)).toEqual([null, null, null]);
});

test('lines are found by name, ending and note, and ordered as asked', () => {
  const lines = linesOf(places, figures);
  const names = (search: string, order: (typeof orders)[number]) =>
    chooseLines(lines, search, order).map(({ name }) => name);
  expect(names('DOOR', 'added')).toEqual(['Table 10']);
  expect(names('t2', 'added')).toEqual(['Table 2']);
  expect(names('', 'scans').slice(0, 2)).toEqual(['Table 2', 'No placement']);
  expect(names('table', 'name')).toEqual(['Table 2', 'Table 10']);
});
