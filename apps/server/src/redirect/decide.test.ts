import { shortCodePattern } from '@signpost/contract';
import { someLink } from '@signpost/testing/links.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keySpaceOf, linkKeyIn, linkKeyOf, shortUrlOf } from '../kernel/link-key.ts';
import type { StopReason } from '../stops/stop.ts';
import { decide, notRedirectedReasonOf } from './decide.ts';
import type { Link } from './link.ts';

const link = someLink();

describe('a short link', () => {
  test('that does not redirect has a reason for its owner, unless it is deleted', () => {
    const reasonOf = (status: Link['status'], stop: StopReason | null = null, suspended = false) =>
      notRedirectedReasonOf({ ...link, status, suspended }, stop);
    expect([reasonOf('active'), reasonOf('paused'), reasonOf('draft')]).toEqual([null, 'paused', 'draft']);
    expect([reasonOf('paused', null, true), reasonOf('active', 'blocked')]).toEqual([
      'suspended',
      'suspended',
    ]);
    expect([reasonOf('active', 'suspended'), reasonOf('paused', 'held')]).toEqual(['suspended', 'held']);
    expect([reasonOf('deleted'), reasonOf('active', 'closed'), reasonOf('draft', 'closed')]).toEqual([
      null,
      null,
      null,
    ]);
  });

  test('of an active code redirects, of any other shows a page', () => {
    expect(decide(link, null)).toEqual({ kind: 'redirect', link });
    expect(decide({ ...link, status: 'paused' }, null)).toEqual({ kind: 'page', page: 'paused' });
    expect(decide({ ...link, status: 'deleted' }, null)).toEqual({ kind: 'page', page: 'deleted' });
  });

  test('of a draft responds like one that never existed', () => {
    for (const stop of [null, 'suspended', 'held', 'closed', 'blocked'] as const)
      expect(decide({ ...link, status: 'draft', suspended: true }, stop)).toEqual(decide(null, null));
  });

  test.each([
    ['suspended', 'stopped'],
    ['blocked', 'stopped'],
    ['held', 'held'],
    ['closed', 'deleted'],
  ] as const)(
    'of what is %s shows the page %s, active or paused, and 410 once it is deleted',
    (stop, page) => {
      expect(decide(link, stop)).toEqual({ kind: 'page', page });
      expect(decide({ ...link, status: 'paused' }, stop)).toEqual({ kind: 'page', page });
      expect(decide({ ...link, status: 'deleted' }, stop)).toEqual({ kind: 'page', page: 'deleted' });
    },
  );

  test('of a suspended code shows that, whatever its owner has set and whether or not the account is held', () => {
    for (const status of ['active', 'paused'] as const)
      for (const stop of [null, 'held'] as const)
        expect(decide({ ...link, status, suspended: true }, stop)).toEqual({ kind: 'page', page: 'stopped' });
  });
});

describe('the link key in a path', () => {
  test.each([
    ['/menu', 'menu'],
    ['/Menu-2026/', 'menu-2026'],
    ['/menu?utm_source=print', 'menu'],
    ['/menu#top', 'menu'],
    ['/a_b', 'a_b'],
    ['/t/bcdfghjk/menu', 't/bcdfghjk/menu'],
    ['/T/BCDFGHJK/Menu/?utm_source=print', 't/bcdfghjk/menu'],
    ['/t/23456789/t-1', 't/23456789/t-1'],
  ])('%s is %s', (url, code) => {
    expect(linkKeyIn(url)).toBe(code);
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
    '/t',
    '/t/',
    '/t/bcdfghjk',
    '/t/bcdfghjk/',
    '/t/bcdfghjk/ab',
    '/t/bcdfghj/menu',
    '/t/bcdfghjkm/menu',
    '/t/bcdf%67hjk/menu',
    '/t//menu',
    '/t/bcdfghjk//menu',
    '/x/bcdfghjk/menu',
    '/t/bcdfghjk/menu//',
    '/t/bcdfghjk/menu/more',
    '/t/t/bcdfghjk/menu',
    '*',
    '',
  ])('%s has none', url => {
    expect(linkKeyIn(url)).toBeNull();
  });

  test('is a folded key, whatever the path', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.stringMatching(/^[tT]\/[A-Za-z0-9]{7,9}\/[A-Za-z0-9_/-]{2,6}$/),
    );
    fc.assert(
      fc.property(text, path => {
        expect(linkKeyIn(`/${path}`) ?? 'abc').toMatch(
          /^(t\/[a-z0-9]{8}\/)?[a-z0-9][a-z0-9_-]{1,62}[a-z0-9]$/,
        );
      }),
      { numRuns: 2000 },
    );
  });

  test('is the one that its short URL was built from, in either mode', () => {
    const shortCode = fc.stringMatching(new RegExp(shortCodePattern));
    fc.assert(
      fc.property(shortCode, fc.constantFrom('live', 'test'), (code, mode) => {
        const name = { keySpace: keySpaceOf({ mode, testTag: 'bcdfghjk' }), shortCode: code };
        const { pathname } = new URL(shortUrlOf('https://go.example', name));
        expect(linkKeyIn(pathname)).toBe(linkKeyOf(name));
      }),
      { numRuns: 2000 },
    );
  });
});
