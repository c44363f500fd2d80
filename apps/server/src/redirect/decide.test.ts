import { shortCodePattern } from '@signpost/contract';
import { someLink } from '@signpost/testing/links.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { getKeySpace, parseLinkPath, parsePlacedLink, toLinkKey } from '../kernel/addresses/link-key.ts';
import { createLinkNames } from '../kernel/addresses/link-names.ts';
import { createLinkRules, type StoredLinkRules } from '../rules/link-rules.ts';
import type { StopReason } from './changes/stops/stop.ts';
import { decide, explainNotRedirected } from './decide.ts';
import type { Link } from './links/link.ts';

const link = someLink();

describe('a short link', () => {
  test('that does not redirect has a reason for its owner, unless it is deleted', () => {
    const reasonOf = (status: Link['status'], stop: StopReason | null = null, suspended = false) =>
      explainNotRedirected({ ...link, status, suspended }, stop, 0);
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
    expect(decide(link, null, 0)).toEqual({ kind: 'redirect', link });
    expect(decide({ ...link, status: 'paused' }, null, 0)).toEqual({ kind: 'page', page: 'paused' });
    expect(decide({ ...link, status: 'deleted' }, null, 0)).toEqual({ kind: 'page', page: 'deleted' });
  });

  test('of a draft responds like one that never existed', () => {
    for (const stop of [null, 'suspended', 'held', 'closed', 'blocked'] as const)
      expect(decide({ ...link, status: 'draft', suspended: true }, stop, 0)).toEqual(decide(null, null, 0));
  });

  test.each([
    ['suspended', 'stopped'],
    ['blocked', 'stopped'],
    ['held', 'held'],
    ['closed', 'deleted'],
  ] as const)(
    'of what is %s shows the page %s, active or paused, and 410 once it is deleted',
    (stop, page) => {
      expect(decide(link, stop, 0)).toEqual({ kind: 'page', page });
      expect(decide({ ...link, status: 'paused' }, stop, 0)).toEqual({ kind: 'page', page });
      expect(decide({ ...link, status: 'deleted' }, stop, 0)).toEqual({ kind: 'page', page: 'deleted' });
    },
  );

  test('of a suspended code shows that, whatever its owner has set and whether or not the account is held', () => {
    for (const status of ['active', 'paused'] as const)
      for (const stop of [null, 'held'] as const)
        expect(decide({ ...link, status, suspended: true }, stop, 0)).toEqual({
          kind: 'page',
          page: 'stopped',
        });
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
    expect(parseLinkPath(url)).toBe(code);
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
    expect(parseLinkPath(url)).toBeNull();
  });

  test('is a folded key, whatever the path', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.stringMatching(/^[tT]\/[A-Za-z0-9]{7,9}\/[A-Za-z0-9_/-]{2,6}$/),
    );
    fc.assert(
      fc.property(text, path => {
        expect(parseLinkPath(`/${path}`) ?? 'abc').toMatch(
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
        const name = { keySpace: getKeySpace({ mode, testTag: 'bcdfghjk' }), shortCode: code, domain: null };
        const { pathname } = new URL(createLinkNames('https://go.example').toUrl(name));
        expect(parseLinkPath(pathname)).toBe(toLinkKey(name));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a link with routing', () => {
  const at = Date.UTC(2026, 10, 17, 12);
  const routingOf = (more: Partial<StoredLinkRules>) => {
    const none = { rules: null, fallback: null, startsAtMs: null, expiresAtMs: null, usedUp: false };
    const stored = { shortCode: 'Menu', forward: false, append: null, placements: null, ...none, ...more };
    return createLinkRules(JSON.stringify(stored));
  };
  const routed = (more: Partial<StoredLinkRules>, status: Link['status'] = 'active') => ({
    ...link,
    status,
    routing: routingOf(more),
  });
  const fallback = 'https://fall.example/ü';

  test.each([
    ['not_begun', 'not_begun', { startsAtMs: at + 1 }],
    ['ended', 'ended', { expiresAtMs: at }],
    ['used_up', 'ended', { usedUp: true }],
  ] as const)('that is %s shows the page %s, or leads to its fallback', (reason, page, more) => {
    const bare = routed(more);
    expect(decide(bare, null, at)).toEqual({ kind: 'page', page });
    expect(explainNotRedirected(bare, null, at)).toBe(reason);
    const sent = routed({ ...more, fallback });
    expect(decide(sent, null, at)).toEqual({
      kind: 'fallback',
      location: 'https://fall.example/%C3%BC',
      page,
    });
    expect(explainNotRedirected(sent, null, at)).toBe(reason);
  });

  test('begins with its first moment and ends before its last', () => {
    const period = routed({ startsAtMs: at, expiresAtMs: at + 1 });
    expect(decide(period, null, at)).toEqual({ kind: 'redirect', link: period });
    expect(explainNotRedirected(period, null, at)).toBeNull();
    expect(decide(period, null, at - 1)).toEqual({ kind: 'page', page: 'not_begun' });
    expect(decide(period, null, at + 1)).toEqual({ kind: 'page', page: 'ended' });
  });

  test('that is paused says so whatever its schedule is, and leads to its fallback', () => {
    const paused = routed({ startsAtMs: at + 1, fallback }, 'paused');
    expect(decide(paused, null, at)).toMatchObject({ kind: 'fallback', page: 'paused' });
    expect(explainNotRedirected(paused, null, at)).toBe('paused');
  });

  test('that is stopped, a draft or deleted has no fallback', () => {
    const more = { usedUp: true, fallback };
    expect(decide(routed(more), 'held', at)).toEqual({ kind: 'page', page: 'held' });
    expect(decide(routed(more), 'blocked', at)).toEqual({ kind: 'page', page: 'stopped' });
    expect(decide({ ...routed(more), suspended: true }, null, at)).toEqual({ kind: 'page', page: 'stopped' });
    expect(decide(routed(more, 'draft'), null, at)).toEqual({ kind: 'page', page: 'unknown' });
    expect(decide(routed(more, 'deleted'), null, at)).toEqual({ kind: 'page', page: 'deleted' });
    expect(explainNotRedirected(routed(more), 'held', at)).toBe('held');
    expect(explainNotRedirected(routed(more, 'deleted'), null, at)).toBeNull();
  });
});

describe('a link that names a placement', () => {
  test.each([
    ['/menu.window', 'menu', 'window'],
    ['/Menu.WINDOW/?x=1.5', 'menu', 'window'],
    ['/menu%2Ewindow', 'menu', 'window'],
    ['/menu%2ewindow#a', 'menu', 'window'],
    ['/menu.', 'menu', ''],
    ['/menu.a.b', 'menu', ''],
    ['/menu..a', 'menu', ''],
    ['/menu.a%2Eb', 'menu', ''],
    [`/menu.${'x'.repeat(24)}`, 'menu', 'x'.repeat(24)],
    [`/menu.${'x'.repeat(25)}`, 'menu', ''],
    ['/menu.a_b', 'menu', ''],
    ['/t/bcdfghjk/menu.till', 't/bcdfghjk/menu', 'till'],
    ['/index.html', 'index', 'html'],
  ])('%s is %s at %s', (url, key, placement) => {
    expect(parseLinkPath(url)).toBeNull();
    expect(parsePlacedLink(url)).toEqual({ key, placement });
  });

  test.each([
    '/menu',
    '/ab.window',
    '/.window',
    '/menu.window/x',
    '/menu.win dow',
    '/menu.größe',
    '/menu.a+b',
    '/a/menu.window',
    '//menu.window',
    '/robots.txt',
    '/favicon.ico',
    '/apple-touch-icon-120x120.png',
  ])('%s does not', url => {
    expect(parsePlacedLink(url)).toBeNull();
  });
});
