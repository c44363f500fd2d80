import { expect, test } from 'vitest';
import { parseCodesSearch, parseNewCodeSearch } from './codes-search.ts';

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

test('the address of a new code names the code to copy, and nothing else', () => {
  expect(parseNewCodeSearch({ from: 'qr_1', more: 2 })).toEqual({ from: 'qr_1' });
  expect(parseNewCodeSearch({ from: 7 })).toEqual({});
});
