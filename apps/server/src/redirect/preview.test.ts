import { someLink } from '@signpost/testing/links.ts';
import { describe, expect, test } from 'vitest';
import { createSlidingWindows } from '../limits/sliding-windows.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import { createLookupGate } from './links/lookup-gate.ts';
import { createPreviews, parsePreviewKey } from './preview.ts';

describe('the path of a preview', () => {
  test.each([
    ['/Menu-7+', 'menu-7'],
    ['/menu-7%2B', 'menu-7'],
    ['/menu-7%2b/', 'menu-7'],
    ['/menu-7+?x=+#y', 'menu-7'],
    ['/t/BCDFGHJK/menu-7+', 't/bcdfghjk/menu-7'],
  ])('%s is one of %s', (url, key) => expect(parsePreviewKey(url)).toBe(key));

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
  ])('%s is none', url => expect(parsePreviewKey(url)).toBeNull());

  test('a long path is parsed quickly', () => {
    const begin = performance.now();
    for (const piece of ['+', '%2b', '/', 'a+']) parsePreviewKey(`/${piece.repeat(8_000)}x`);
    expect(performance.now() - begin).toBeLessThan(1000);
  });
});

const link = someLink({ location: '', host: '' });

const previewsOf = (query: () => Promise<object[]>, silentMs = 0) =>
  createPreviews({
    db: { query } as unknown as Database,
    watch: { track: question => question(), silentMs: () => silentMs },
    gate: createLookupGate(),
    windows: createSlidingWindows({ windowMs: 60_000, maxKeys: 10 }),
    perMinute: 2,
    lookupTimeoutMs: 50,
    publicUrl: 'https://api.example',
    onLookupError: () => {},
  });

const row = (more: object) => ({
  updated_at: new Date('2026-03-01T23:59:59Z'),
  hosts: ['xn--bcher-kva.example'],
  ...more,
});

describe('a preview', () => {
  const lookAt = async (more: object) => {
    const previews = previewsOf(async () => [row(more)]);
    const preview = await previews.lookUp(link, '203.0.113.1');
    if (typeof preview === 'string') throw new Error(preview);
    return { preview, page: previews.present(preview, 'abcdef', {}).body, previews };
  };

  test('names the hosts of the code in punycode, and the day of its last change', async () => {
    const { preview, page } = await lookAt({});
    expect(preview).toEqual({ hosts: ['xn--bcher-kva.example'], hasMore: false, updatedOn: '2026-03-01' });
    expect(page).toContain('<li>xn--bcher-kva.example</li>');
    expect(page).not.toContain('bücher');
    expect(page).toContain('1 March 2026');
    expect(page).toContain('href="https://api.example/report?link=abcdef"');
  });

  test('shows at most 20 hosts, as text, and that there are more', async () => {
    const hosts = ['<script>x</script>.example', ...Array.from({ length: 20 }, (_, i) => `h${i}.example`)];
    const { preview, page, previews } = await lookAt({ hosts });
    expect([preview.hosts.length, preview.hasMore]).toEqual([20, true]);
    expect(page).toContain('<li>&lt;script&gt;x&lt;/script&gt;.example</li>');
    expect(page).not.toContain('<script');
    expect(page).toContain('<li>and more</li>');
    const json = previews.present(preview, 'abcdef', { accept: 'application/json', 'accept-language': 'de' });
    expect(JSON.parse(json.body)).toEqual({ hosts: hosts.slice(0, 20), updated_on: '2026-03-01' });
    expect(json.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  test('is in the language of the reader, with its date', async () => {
    const { preview, previews } = await lookAt({});
    const { headers, body } = previews.present(preview, 'abcdef', { 'accept-language': 'de-AT,en;q=0.5' });
    expect(headers).toMatchObject({ 'content-language': 'de', vary: 'Accept, Accept-Language' });
    expect(body).toContain('<html lang="de" dir="ltr">');
    expect(body).toContain('1. März 2026');
    const japanese = previews.present(preview, 'abcdef', { 'accept-language': 'ja' }).body;
    expect(japanese).toContain('2026年3月1日');
  });

  test('is limited per minute and address, and by how many wait', async () => {
    const waiting = Promise.withResolvers<object[]>();
    const previews = previewsOf(() => waiting.promise);
    expect([1, 2, 3].map(() => previews.take('a'))).toEqual([true, true, false]);
    expect(previews.take('b')).toBe(true);
    const first = Array.from({ length: 5 }, () => previews.lookUp(link, 'a'));
    expect(await previews.lookUp(link, 'a')).toBe('busy');
    waiting.resolve([]);
    expect(await Promise.all(first)).toEqual(Array(5).fill('none'));
  });

  test('does not wait for a silent database', async () => {
    expect(await previewsOf(() => new Promise(() => {})).lookUp(link, 'a')).toBe('away');
    expect(await previewsOf(() => Promise.reject(new Error('away'))).lookUp(link, 'a')).toBe('away');
    expect(await previewsOf(async () => [row({})], 60).lookUp(link, 'a')).toBe('away');
  });
});
