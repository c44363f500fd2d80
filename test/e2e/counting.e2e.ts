import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { launchChromium } from '@signpost/testing/chromium.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Counting, countScan } from '../../apps/server/src/scans/counting-rule.ts';

/** What a real browser sends when it navigates to a short link, prefetches it, or embeds it. */
describe('counting in Chromium', () => {
  let server: Server;
  let origin: string;
  let browser: Browser;
  let context: BrowserContext;
  /** The result of the counting rule for each request of the short link, in order. */
  let results: Counting[] = [];
  let landed = 0;

  beforeAll(async () => {
    server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://signpost.test');
      if (pathname === '/menu') {
        results.push(countScan({ method: request.method, headers: request.headers }));
        response.writeHead(302, { location: '/landing', 'cache-control': 'private, no-store' }).end();
        return;
      }
      if (pathname === '/landing') landed++;
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(`<!doctype html><title>${pathname}</title>${searchParams.get('html') ?? ''}`);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    server.close();
    server.closeAllConnections();
  });
  beforeEach(async () => {
    results = [];
    landed = 0;
    context = await browser.newContext();
  });
  afterEach(() => context.close());

  async function open(html: string) {
    const page = await context.newPage();
    await page.goto(`${origin}/page?html=${encodeURIComponent(html)}`);
    return page;
  }
  const rules = (kind: 'prefetch' | 'prerender') =>
    `<script type="speculationrules">{"${kind}":[{"urls":["/menu"],"eagerness":"immediate"}]}</script>`;
  const counted = () => results.filter(result => result === 'counted').length;

  test('a navigation counts, typed or clicked', async () => {
    const page = await context.newPage();
    await page.goto(`${origin}/menu`);
    expect(results).toEqual(['counted']);
    const other = await open('<a href="/menu">Menu</a>');
    await other.click('a');
    await other.waitForURL('**/landing');
    expect(results).toEqual(['counted', 'counted']);
  });

  test('a prefetch by link does not count, and the navigation after it counts once', async () => {
    const page = await open('<link rel="prefetch" href="/menu"><a href="/menu">Menu</a>');
    await waitUntil('the prefetch', () => results.length > 0);
    expect(results).toEqual(['prefetch']);
    await page.click('a');
    await page.waitForURL('**/landing');
    expect(counted()).toBe(1);
  });

  test.each(['prefetch', 'prerender'] as const)(
    'a %s by speculation rules does not count, and going there after it counts at most once',
    async kind => {
      const page = await open(`${rules(kind)}<a href="/menu">Menu</a>`);
      await waitUntil('the prefetch', () => landed > 0);
      expect(results).toEqual(['prefetch']);
      await page.click('a');
      await page.waitForURL('**/landing');
      // Chromium shows what it has and sends no further request, so such a visit is not seen at all. A browser that
      // sent another request would be counted then, once.
      expect(counted()).toBeLessThanOrEqual(1);
    },
  );

  test('an image, a script and a style sheet do not count', async () => {
    await open('<img src="/menu"><script src="/menu"></script><link rel="stylesheet" href="/menu">');
    await waitUntil('three requests', () => results.length === 3);
    expect(results).toEqual(['embed', 'embed', 'embed']);
  });

  test('an object and an embed do not count', async () => {
    await open('<object data="/menu"></object><embed src="/menu">');
    await waitUntil('two requests', () => results.length === 2);
    expect(results).toEqual(['embed', 'embed']);
  });

  test('a frame counts, since the destination is shown in it', async () => {
    await open('<iframe src="/menu"></iframe>');
    await waitUntil('the frame', () => landed > 0);
    expect(results).toEqual(['counted']);
  });

  test('a fetch by a script counts, as any HTTP client does', async () => {
    await open('<script>fetch("/menu")</script>');
    await waitUntil('the fetch', () => landed > 0);
    expect(results).toEqual(['counted']);
  });
});
