import { expect, test } from 'vitest';
import { countFilters, isFiltered, parseCodesSearch, parseNewCodeSearch } from './codes-search.ts';

test('an address without anything is the first page of all, newest first', () => {
  expect(parseCodesSearch({})).toEqual({});
});

test('what the address says holds, and what is no word of ours is left out', () => {
  expect(parseCodesSearch({ page: '3', status: 'paused', search: 'menu', sort: 'name' })).toEqual({
    page: 3,
    status: 'paused',
    search: 'menu',
    sort: 'name',
  });
  expect(parseCodesSearch({ page: '-1', status: 'gone', search: 7, sort: 'worst' })).toEqual({ search: '7' });
});

test('filters are read from the address, one tag or several', () => {
  const search = parseCodesSearch({
    tag: ['Menu', 2026, 'Menu', '', { a: 1 }, 'x'.repeat(51)],
    destination_host: 'www.example.com',
    domain: 'go.brand.example',
    created_from: '2026-01-31',
    created_to: '2026-13-01',
  });
  expect(search).toEqual({
    tag: ['Menu', '2026'],
    destination_host: 'www.example.com',
    domain: 'go.brand.example',
    created_from: '2026-01-31',
  });
  expect(countFilters(search)).toBe(5);
  expect(parseCodesSearch({ tag: 'Menu' })).toEqual({ tag: ['Menu'] });
  expect([isFiltered({ page: 2, sort: 'name' }), isFiltered({ tag: ['a'] })]).toEqual([false, true]);
});

test('the address of a new code names the code to copy, and nothing else', () => {
  expect(parseNewCodeSearch({ from: 'qr_1', more: 2 })).toEqual({ from: 'qr_1' });
  expect(parseNewCodeSearch({ from: 7 })).toEqual({});
});
