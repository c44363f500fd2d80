import { expect, test } from 'vitest';
import { countOf, createFaultFinder, isFaulty } from './faults.ts';
import type { ImportRow } from './import-row.ts';

const row = (number: number, more: Partial<ImportRow> = {}): ImportRow => ({
  number,
  name: 'Menu',
  destination: 'https://a.example',
  ending: '',
  ...more,
});

test('what a code cannot have besides is said for its row, and an external id is of one row', () => {
  const faulty = [
    { tags: Array.from({ length: 21 }, (_, at) => `t${at}`) },
    { tags: ['x'.repeat(51)] },
    { externalId: 'x'.repeat(256) },
    { note: 'x'.repeat(2001) },
    { metadata: { 'a b': '1' } },
    { metadata: { a: 'x'.repeat(501) } },
  ];
  const find = createFaultFinder(3);
  for (const found of find(faulty.map((more, at) => row(at + 1, { more }))))
    expect(Object.keys(found)).toEqual(['row']);
  const [first, second, other] = find([
    row(1, { more: { externalId: 'a' } }),
    row(2, { more: { externalId: 'a' } }),
    row(3, { more: { externalId: 'A' } }),
  ]);
  expect([first, second!.row, other]).toEqual([{}, 'Row 1 has the same external ID', {}]);
});

test('each fault stands at its cell', () => {
  const find = createFaultFinder(4);
  const [good, name, noUrl, badUrl, spaces, long, ending, both] = find([
    row(1, { ending: 'menu' }),
    row(2, { name: ' ' }),
    row(3, { destination: '' }),
    row(4, { destination: 'ftp://a.example' }),
    row(5, { destination: 'https://a.example/a b' }),
    row(6, { destination: `https://a.example/${'a'.repeat(4096)}`, name: 'a'.repeat(256) }),
    row(7, { ending: 'abc' }),
    row(8, { name: '', ending: '-x-' }),
  ]);
  expect(isFaulty(good!)).toBe(false);
  expect(Object.keys(name!)).toEqual(['name']);
  for (const faults of [noUrl!, badUrl!, spaces!]) expect(Object.keys(faults)).toEqual(['destination']);
  expect(Object.keys(long!)).toEqual(['name', 'destination']);
  expect(ending!.ending).toContain('4 to 64');
  expect(countOf(both!)).toBe(2);
});

test('of equal endings the first stays, whatever its case', () => {
  const find = createFaultFinder(3);
  const rows = [row(1, { ending: 'menu' }), row(2, { ending: 'MENU' }), row(3), row(4)];
  expect(find(rows).map(isFaulty)).toEqual([false, true, false, false]);
  expect(find(rows)[1]!.ending).toContain('Row 1');
  expect(find(rows.slice(1)).map(isFaulty)).toEqual([false, false, false]);
});

test('an ending of a code that was made before is taken', () => {
  const find = createFaultFinder(3);
  const [faults] = find([row(1, { ending: 'Menu' })], new Set(['/menu']));
  expect(faults!.ending).toContain('taken');
});

test('the same ending on two domains is two codes', () => {
  const on = (number: number, domain: string) => row(number, { ending: 'menu', more: { domain } });
  const rows = [
    on(1, 'go.a.example'),
    on(2, 'go.b.example'),
    on(3, 'GO.A.example'),
    row(4, { ending: 'menu' }),
  ];
  const found = createFaultFinder(3)(rows, new Set(['go.b.example/menu']));
  expect(found.map(isFaulty)).toEqual([false, true, true, false]);
});

test('words that are no address are told so, and spaces in an address too', () => {
  const [words, spaces] = createFaultFinder(3)([
    row(1, { destination: 'ask the kitchen' }),
    row(2, { destination: 'https://a.example/a b' }),
  ]);
  expect(words!.destination).not.toContain('%20');
  expect(spaces!.destination).toContain('%20');
});

test('what the server refused stays until the cell changes', () => {
  const [faults] = createFaultFinder(3)([row(1, { refused: { ending: 'Taken', row: 'Other' } })]);
  expect(faults).toEqual({ ending: 'Taken', row: 'Other' });
});

test('ten thousand rows follow each key', () => {
  const find = createFaultFinder(3);
  const rows = Array.from({ length: 10_000 }, (_, at) => row(at + 1, { ending: `menu-${at}` }));
  const first = timed(() => find(rows));
  const edited = rows.with(5000, row(5001, { name: '' }));
  const second = timed(() => find(edited));
  expect(second).toBeLessThan(first + 50);
});

function timed(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}
