import { createHmac, randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchChromium } from '@signpost/testing/chromium.ts';
import { createFixture, type Fixture } from '@signpost/testing/fixture.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type * as Sdk from '../src/index.ts';
import { buildSdk } from '../tools/build.ts';

let world: Fixture;

beforeAll(async () => {
  world = await createFixture();
});
afterAll(() => world.close());

test('in Chromium the built modules make, list, download and verify as they are', async () => {
  const dist = buildSdk(mkdtempSync(join(tmpdir(), 'signpost-sdk-browser-')));
  const server = await world.server();
  const { test: apiKey } = await world.account();
  const browser = await launchChromium();
  const userAgents = new Set<string | undefined>();
  try {
    const page = await browser.newPage();
    // The page and the API share an origin, as behind one proxy.
    await page.route('**/*', async route => {
      const request = route.request();
      const { pathname, search } = new URL(request.url());
      if (pathname === '/') return route.fulfill({ contentType: 'text/html', body: html });
      if (/^\/sdk\/[a-z-]+\.js$/.test(pathname))
        return route.fulfill({ path: join(dist, pathname.slice(5)) });
      userAgents.add(request.headers()['user-agent']);
      const response = await fetch(server.url + pathname + search, {
        method: request.method(),
        headers: request.headers(),
        body: request.postData(),
      });
      return route.fulfill({
        status: response.status,
        contentType: response.headers.get('content-type')!,
        body: Buffer.from(await response.arrayBuffer()),
      });
    });
    // A page without TLS has less of WebCrypto; the API must work there too.
    await page.goto('http://sdk.test/');
    expect(await page.evaluate(() => globalThis.isSecureContext)).toBe(false);
    const calls = await page.evaluate(async key => {
      const signpost = new sdk.Signpost({ apiKey: key, baseUrl: 'http://sdk.test' });
      const made = await signpost.qrcodes.create({ name: 'Menu', destination_url: 'https://example.com' });
      const ids: string[] = [];
      for await (const code of signpost.qrcodes.list()) ids.push(code.id);
      const svg = await (await signpost.qrcodes.download(made.id, { format: 'svg' })).text();
      const refused = await signpost.qrcodes.get('qr_none').catch((error: Error) => error.name);
      return { isListed: ids.length === 1 && ids[0] === made.id, isSvg: svg.startsWith('<svg'), refused };
    }, apiKey);
    expect(calls).toEqual({ isListed: true, isSvg: true, refused: 'NotFoundError' });

    expect([...userAgents]).toEqual([expect.stringMatching(/^Mozilla\//)]);

    await page.goto('http://localhost/');
    const webhook = signedWebhook();
    const event = await page.evaluate(
      async ({ body, headers, secret }) => (await sdk.webhooks.verify(body, headers, secret)).event,
      webhook,
    );
    expect(event).toBe('scan.created');
  } finally {
    await browser.close();
  }
});

// What the page holds.
declare const sdk: typeof Sdk;
declare global {
  var isSecureContext: boolean;
}

const html =
  '<!doctype html><script type="module">import * as sdk from "/sdk/index.js"; globalThis.sdk = sdk;</script>';

function signedWebhook() {
  const key = randomBytes(32);
  const at = Math.floor(Date.now() / 1000);
  const body = '{"event":"scan.created"}';
  const signature = createHmac('sha256', key).update(`msg_1.${at}.${body}`).digest('base64');
  return {
    body,
    secret: `whsec_${key.toString('base64')}`,
    headers: {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(at),
      'webhook-signature': `v1,${signature}`,
    },
  };
}
