import fc from 'fast-check';
import { expect, test } from 'vitest';
import { presentPage, toOffset } from './page.ts';

test('pages follow one another without gaps or overlaps, and the last one ends the list', () => {
  const sizes = [fc.integer({ min: 0, max: 500 }), fc.integer({ min: 1, max: 100 })] as const;
  fc.assert(
    fc.property(...sizes, (total, limit) => {
      const all = Array.from({ length: total }, (_, index) => index);
      const pages = presentPage({ items: [], page: { page: 1, limit }, total }).total_pages;
      const read = Array.from({ length: pages }, (_, index) => {
        const offset = toOffset({ page: index + 1, limit });
        return all.slice(offset, offset + limit);
      });
      expect(read.flat()).toEqual(all);
      expect(read.every(items => items.length > 0)).toBe(true);
    }),
  );
});

test('the pagination object gives the position in the list', () => {
  expect(presentPage({ items: [], page: { page: 3, limit: 20 }, total: 41 })).toEqual({
    page: 3,
    limit: 20,
    total: 41,
    total_pages: 3,
    has_more: false,
  });
});

test('there is more after every page but the last, and none after a page past it', () => {
  const hasMore = (page: number) => presentPage({ items: [], page: { page, limit: 20 }, total: 40 }).has_more;
  expect([1, 2, 3].map(hasMore)).toEqual([true, false, false]);
});
