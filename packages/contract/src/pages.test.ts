import { Ajv2020 } from 'ajv/dist/2020.js';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { Pagination, pageQuery } from './pages.ts';

const ajv = new Ajv2020({ useDefaults: true });
const check = ajv.compile(Type.Object(pageQuery({ defaultLimit: 20, maxLimit: 100 })));

test('who asks for no page gets the first, and as many items as is usual', () => {
  const query = {};
  expect(check(query)).toBe(true);
  expect(query).toEqual({ page: 1, limit: 20 });
});

test.each([{ page: 1 }, { page: 1_000_000_000 }, { limit: 1 }, { limit: 100 }])(
  '%j can be asked for',
  query => {
    expect(check({ ...query })).toBe(true);
  },
);

test.each([
  { page: 0 },
  { page: 1.5 },
  { page: 1_000_000_001 },
  { limit: 0 },
  { limit: 101 },
  { limit: '9' },
])('%j cannot be asked for', query => {
  expect(check({ ...query })).toBe(false);
});

const isPagination = ajv.compile(Pagination);
const pagination = { page: 1, limit: 20, total: 0, total_pages: 0, has_more: false };

test('the pagination of an empty list is one', () => {
  expect(isPagination(pagination)).toBe(true);
});

test.each([
  { page: 0 },
  { limit: 0 },
  { total: -1 },
  { total_pages: -1 },
  { total: undefined },
  { has_more: undefined },
  { more: true },
])('with %j it is none', change => {
  expect(isPagination(JSON.parse(JSON.stringify({ ...pagination, ...change })))).toBe(false);
});
