import { expect, test } from 'vitest';
import { queryOf, searchOfView } from './view-query.ts';

test('a view is read as it was saved, without the page', () => {
  const search = {
    tag: ['Menü & more', '123'],
    search: 'a=b',
    status: 'paused',
    sort: 'scans',
    destination_host: 'www.example.com',
    created_from: '2026-01-01',
  } as const;
  const query = queryOf({ ...search, page: 3 });
  expect(query).toMatch(/^[!-~]*$/);
  expect(searchOfView(query)).toEqual(search);
  expect(queryOf(searchOfView(query))).toBe(query);
});

test('the order of the parts does not matter', () => {
  expect(queryOf({ status: 'draft', sort: 'name' })).toBe(queryOf({ sort: 'name', status: 'draft' }));
});

test('what this dashboard does not know is left out', () => {
  expect(searchOfView('future=1&status=paused&sort=weight')).toEqual({ status: 'paused' });
  expect(searchOfView('%E0%A4%A')).toEqual({});
});
