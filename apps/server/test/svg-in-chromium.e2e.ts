import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { launchChromium } from '@signpost/testing/chromium.ts';
import { ciScale } from '@signpost/testing/ci-scale.ts';
import fc from 'fast-check';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rebuildSvg, SvgRefusal } from '../src/designs/assets/svg-allow-list.ts';
import { hostileSvg } from './hostile-svg.ts';

/** Documents that are shown, by their path. Whatever else a page asks for is written down. */
const shown = new Map<string, { readonly type: string; readonly body: string }>();
const asked: string[] = [];
let server: Server;
let browser: Browser;
let page: Page;
let ran = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    const found = shown.get(request.url!);
    if (!found && request.url !== '/favicon.ico') asked.push(request.url!);
    response.writeHead(found ? 200 : 404, { 'content-type': found?.type ?? 'text/plain' }).end(found?.body);
  });
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready));
  browser = await launchChromium();
  page = await browser.newPage();
  page.on('request', request => {
    if (!shown.has(new URL(request.url()).pathname)) asked.push(request.url());
  });
  page.on('dialog', dialog => void dialog.dismiss());
  await page.exposeFunction('ran', () => {
    ran++;
  });
});
afterAll(async () => {
  await browser?.close();
  await new Promise(closed => server?.close(closed));
});

async function show(path: string, type: string, body: string): Promise<void> {
  shown.set(path, { type, body });
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, { waitUntil: 'load' });
  // What a click or a hover would start runs too.
  await page.mouse.click(40, 40);
}

/** Inside of a page, where most can run, without the policy that pages of the service have. */
const inPage = (svgs: readonly string[]) =>
  `<!doctype html><meta charset="utf-8"><body>${svgs.join('\n')}</body>`;

test('a browser that is shown the files as they were sent does run and fetch: the test can fail', async () => {
  const hostile =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" onload="parent.ran()"><script>parent.ran()</script><image href="/fetched.png" width="9" height="9"/></svg>';
  await show('/control', 'text/html', inPage([hostile]));
  await expect.poll(() => ran).toBeGreaterThan(0);
  expect(asked.some(url => url.includes('fetched.png'))).toBe(true);
  ran = 0;
  asked.length = 0;
});

test('of hostile files that pass the allow-list none runs or fetches anything', async () => {
  const count = ciScale(10_000, 200);
  const files = fc.sample(hostileSvg, { numRuns: count, seed: 20261117 });
  const passed: string[] = [];
  for (const [at, file] of files.entries()) {
    try {
      passed.push(rebuildSvg(file, `a${at}-`));
    } catch (error) {
      expect(error).toBeInstanceOf(SvgRefusal);
    }
  }
  for (let at = 0; at < passed.length; at += 100)
    await show(`/page-${at}`, 'text/html', inPage(passed.slice(at, at + 100)));
  // And as documents of their own, some of them: that is how a browser opens a downloaded file.
  const opened = passed.filter((_, at) => at % 20 === 0);
  for (const [at, svg] of opened.entries()) await show(`/file-${at}.svg`, 'image/svg+xml', svg);
  console.log(
    `hostile SVG ${count}: passed ${passed.length}, shown in pages ${passed.length}, opened as files ${opened.length}; ran ${ran}, fetched ${asked.length}`,
  );
  expect(passed.length).toBeGreaterThan(count / 50);
  expect({ ran, asked }).toEqual({ ran: 0, asked: [] });
}, 1_200_000);
