import { expect, test } from 'vitest';
import type { ImportedLink } from './imported-link.ts';
import { planImport } from './plan.ts';
import { importReport } from './report.ts';

const link = (row: number, shortCode: string, more: Partial<ImportedLink> = {}): ImportedLink => ({
  row,
  shortCode,
  host: 'go.example.com',
  destinationUrl: 'https://example.com',
  name: 'x',
  notes: [],
  ...more,
});
const free = { taken: new Set<string>(), rule: () => undefined };

test('a short code is kept or the link is left out with its reason; it never gets another', () => {
  const links = [
    link(1, 'Menu'),
    link(2, 'menu'),
    link(3, 'old'),
    link(4, ''),
    link(5, 'bad'),
    link(6, 'locked', { refusal: 'a password' }),
  ];
  const { make, leave } = planImport(links, {
    taken: new Set(['old']),
    rule: ({ shortCode }) => (shortCode === 'bad' ? 'it is bad' : undefined),
  });
  expect(make.map(({ row }) => row)).toEqual([1]);
  expect(leave.map(({ link: { row }, why }) => [row, why])).toEqual([
    [2, 'row 1 has the same short code; case does not tell codes apart'],
    [3, 'the account has this short code already'],
    [4, 'it has no short code'],
    [5, 'it is bad'],
    [6, 'a password'],
  ]);
});

test('links of several hosts are not mixed: one host must be chosen', () => {
  const links = [link(1, 'abc'), link(2, 'abc', { host: 'other.example' }), link(3, 'def', { host: '' })];
  expect(() => planImport(links, free)).toThrow('go.example.com, other.example. Choose one with --host');
  const { make, leave } = planImport(links, { ...free, host: 'GO.example.com' });
  expect(make.map(({ row }) => row)).toEqual([1, 3]);
  expect(leave[0]!.why).toBe('it is of other.example');
});

test('a report counts what is made and names all that is not, or not whole', () => {
  const plan = planImport([link(1, 'abc', { notes: ['it ends'] }), link(2, 'abc'), link(3, 'def')], free);
  expect(importReport(plan, [{ link: link(3, 'def'), why: 'def is in use' }], false).slice(0, -1)).toEqual([
    '1 codes were made.',
    '1 left out:',
    '  row 2  abc: row 1 has the same short code; case does not tell codes apart',
    '1 refused by the service:',
    '  row 3  def: def is in use',
    '1 made, but not all of it comes along:',
    '  row 1  abc: it ends',
  ]);
  expect(importReport(plan, [], true)[0]).toBe('2 codes would be made; nothing was.');
});
