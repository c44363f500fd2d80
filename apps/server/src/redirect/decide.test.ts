import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decide, shortCodeOf } from './decide.ts';
import type { Link } from './link.ts';

const link: Link = {
  qrCodeId: 'q',
  accountId: 'a',
  mode: 'live',
  status: 'active',
  location: 'https://example.com',
};

describe('a short link', () => {
  test('of an active code redirects, of any other shows a page', () => {
    expect(decide(link)).toEqual({ kind: 'redirect', link });
    expect(decide({ ...link, status: 'paused' })).toEqual({ kind: 'page', page: 'paused' });
    expect(decide({ ...link, status: 'deleted' })).toEqual({ kind: 'page', page: 'deleted' });
  });

  test('of a draft answers like one that never was', () => {
    expect(decide({ ...link, status: 'draft' })).toEqual(decide(null));
  });
});

describe('the short code in a path', () => {
  test.each([
    ['/menu', 'menu'],
    ['/Menu-2026/', 'menu-2026'],
    ['/menu?utm_source=print', 'menu'],
    ['/menu#top', 'menu'],
    ['/a_b', 'a_b'],
  ])('%s is %s', (url, code) => {
    expect(shortCodeOf(url)).toBe(code);
  });

  test.each([
    '/',
    '/ab',
    '/-abc',
    '/a/b',
    '/menu//',
    '//menu',
    '/men%75',
    '/größe',
    `/${'a'.repeat(65)}`,
    '/a.b',
    '*',
    '',
  ])('%s has none', url => {
    expect(shortCodeOf(url)).toBeNull();
  });

  test('whatever comes, what is found is a folded code', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        expect(shortCodeOf(`/${text}`) ?? 'abc').toMatch(/^[a-z0-9][a-z0-9_-]{1,62}[a-z0-9]$/);
      }),
      { numRuns: 2000 },
    );
  });
});
