import { describe, expect, test } from 'vitest';
import { createSlidingWindows } from '../kernel/sliding-windows.ts';
import type { Database } from '../platform/postgres.ts';
import { createLookUpGate } from './look-up-gate.ts';
import { createPreviews, previewKeyIn } from './preview.ts';

describe('the path of a preview', () => {
  test.each([
    ['/Menu-7+', 'menu-7'],
    ['/menu-7%2B', 'menu-7'],
    ['/menu-7%2b/', 'menu-7'],
    ['/menu-7+?x=+#y', 'menu-7'],
    ['/t/BCDFGHJK/menu-7+', 't/bcdfghjk/menu-7'],
  ])('%s is one of %s', (url, key) => expect(previewKeyIn(url)).toBe(key));

  test.each([
    '/menu-7',
    '/menu-7++',
    '/+',
    '/menu-7/+',
    '/menu-7?x=+',
    '/menu-7#+',
    '/a+b',
    '/menu-7+x',
    '',
    '+',
  ])('%s is none', url => expect(previewKeyIn(url)).toBeNull());

  test('a long path takes no time', () => {
    const begin = performance.now();
    for (const piece of ['+', '%2b', '/', 'a+']) previewKeyIn(`/${piece.repeat(8_000)}x`);
    expect(performance.now() - begin).toBeLessThan(1000);
  });
});

const link = {
  qrCodeId: 'a',
  accountId: 'b',
  mode: 'live',
  status: 'active',
  suspended: false,
  location: '',
  host: '',
} as const;

const previewsOf = (query: () => Promise<object[]>, silentMs = 0) =>
  createPreviews({
    db: { query } as unknown as Database,
    watch: { ask: question => question(), silentMs: () => silentMs },
    gate: createLookUpGate(),
    windows: createSlidingWindows({ windowMs: 60_000, maxKeys: 10 }),
    perMinute: 2,
    lookUpMs: 50,
    publicUrl: 'https://api.example',
    onAway: () => {},
  });

const row = (more: object) => ({
  destination_url: 'https://bücher.example./x',
  updated_at: new Date('2026-03-01T23:59:59Z'),
  hosts: [],
  ...more,
});

describe('a preview', () => {
  const lookAt = async (more: object) => {
    const previews = previewsOf(async () => [row(more)]);
    const preview = await previews.look(link, '203.0.113.1');
    if (typeof preview === 'string') throw new Error(preview);
    return { preview, page: previews.present(preview, undefined).body, previews };
  };

  test('names the host of the destination, in punycode, where the targets are not filled in yet', async () => {
    const { preview, page } = await lookAt({});
    expect(preview).toEqual({ hosts: ['xn--bcher-kva.example'], hasMore: false, updatedOn: '2026-03-01' });
    expect(page).toContain('<li>xn--bcher-kva.example</li>');
    expect(page).not.toContain('bücher');
    expect(page).toContain('1 March 2026');
  });

  test('shows 20 hosts at most, as text, and says that there are more', async () => {
    const hosts = ['<script>x</script>.example', ...Array.from({ length: 20 }, (_, i) => `h${i}.example`)];
    const { preview, page, previews } = await lookAt({ hosts });
    expect([preview.hosts.length, preview.hasMore]).toEqual([20, true]);
    expect(page).toContain('<li>&lt;script&gt;x&lt;/script&gt;.example</li>');
    expect(page).not.toContain('<script');
    expect(page).toContain('<li>and more</li>');
    const json = previews.present(preview, 'application/json');
    expect(JSON.parse(json.body)).toEqual({ hosts: hosts.slice(0, 20), updated_on: '2026-03-01' });
    expect(json.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  test('is bounded by minute and address, and by how many wait', async () => {
    const waiting = Promise.withResolvers<object[]>();
    const previews = previewsOf(() => waiting.promise);
    expect([1, 2, 3].map(() => previews.take('a'))).toEqual([true, true, false]);
    expect(previews.take('b')).toBe(true);
    const first = Array.from({ length: 5 }, () => previews.look(link, 'a'));
    expect(await previews.look(link, 'a')).toBe('busy');
    waiting.resolve([]);
    expect(await Promise.all(first)).toEqual(Array(5).fill('none'));
  });

  test('does not wait for a silent database', async () => {
    expect(await previewsOf(() => new Promise(() => {})).look(link, 'a')).toBe('away');
    expect(await previewsOf(() => Promise.reject(new Error('away'))).look(link, 'a')).toBe('away');
    expect(await previewsOf(async () => [row({})], 60).look(link, 'a')).toBe('away');
  });
});
