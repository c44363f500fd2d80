import { expect, test } from 'vitest';
import type { ImportedLink } from './imported-link.ts';
import { planImport, toCreate } from './plan.ts';
import { importReport } from './report.ts';

const link = (row: number, shortCode: string, more: Partial<ImportedLink> = {}): ImportedLink => ({
  row,
  shortCode,
  host: 'go.example.com',
  destinationUrl: 'https://example.com',
  name: 'x',
  tags: [],
  routing: {},
  notes: [],
  ...more,
});
const free = { taken: new Set<string>(), rule: () => undefined };

test('a link keeps its short code or is skipped with a reason; it never gets another short code', () => {
  const links = [
    link(1, 'Menu'),
    link(2, 'menu'),
    link(3, 'old'),
    link(4, ''),
    link(5, 'bad'),
    link(6, 'locked', { refusal: 'a password' }),
  ];
  const { create, skip } = planImport(links, {
    taken: new Set(['/old']),
    rule: ({ shortCode }) => (shortCode === 'bad' ? 'it is bad' : undefined),
  });
  expect(create.map(({ row }) => row)).toEqual([1]);
  expect(skip.map(({ link: { row }, reason }) => [row, reason])).toEqual([
    [2, 'row 1 has the same short code; short codes ignore case'],
    [3, 'the account already has this short code'],
    [4, 'it has no short code'],
    [5, 'it is bad'],
    [6, 'a password'],
  ]);
});

test('links of several hosts are not mixed: one host must be chosen', () => {
  const links = [link(1, 'abc'), link(2, 'abc', { host: 'other.example' }), link(3, 'def', { host: '' })];
  expect(() => planImport(links, free)).toThrow('go.example.com, other.example. Choose one with --host');
  const { create, skip } = planImport(links, { ...free, host: 'GO.example.com' });
  expect(create.map(({ row }) => row)).toEqual([1, 3]);
  expect(skip[0]!.reason).toBe('it belongs to other.example');
});

test('each link goes on the active domain of its host, where that is asked for', () => {
  const links = [
    link(1, 'abc', { host: 'go.a.example' }),
    link(2, 'ABC', { host: 'go.b.example' }),
    link(3, 'abc', { host: 'GO.A.example.' }),
    link(4, 'def', { host: 'elsewhere.example' }),
    link(5, 'ghi', { host: '' }),
    link(6, 'old', { host: 'go.a.example' }),
  ];
  const domains = new Set(['go.a.example', 'go.b.example']);
  const { create, skip } = planImport(links, {
    ...free,
    taken: new Set(['go.a.example/old', '/abc']),
    domains,
  });
  expect(create.map(one => toCreate(one, false))).toMatchObject([
    { short_code: 'abc', domain: 'go.a.example' },
    { short_code: 'ABC', domain: 'go.b.example' },
  ]);
  expect(skip.map(({ link: { row }, reason }) => [row, reason])).toEqual([
    [3, 'row 1 has the same short code; short codes ignore case'],
    [4, 'elsewhere.example is not an active domain of the account'],
    [5, 'the file does not say its host'],
    [6, 'the account already has this short code'],
  ]);
  expect(toCreate(links[0]!, false)).not.toHaveProperty('domain');
});

test('a report counts the created codes and lists those that were skipped, refused or are incomplete', () => {
  const plan = planImport([link(1, 'abc', { notes: ['it expires'] }), link(2, 'abc'), link(3, 'def')], free);
  expect(importReport(plan, [{ link: link(3, 'def'), reason: 'def is in use' }], false).slice(0, -1)).toEqual(
    [
      '1 codes were created.',
      '1 skipped:',
      '  row 2  abc: row 1 has the same short code; short codes ignore case',
      '1 refused by the service:',
      '  row 3  def: def is in use',
      '1 created, but without some features:',
      '  row 1  abc: it expires',
    ],
  );
  expect(importReport(plan, [], true)[0]).toBe('2 codes would be created; nothing was changed.');
});
