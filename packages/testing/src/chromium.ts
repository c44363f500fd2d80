import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { Raster } from './raster.ts';

/** The system's Chromium, with these arguments besides its own; nothing is downloaded. */
export async function launchChromium(more: readonly string[] = []): Promise<Browser> {
  const executablePath = execFileSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).trim();
  return await chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...more,
    ],
  });
}

// Types of the browser that are used here and that Node does not have.
declare const Image: new () => { src: string; width: number; height: number; decode(): Promise<void> };
declare const OffscreenCanvas: new (
  width: number,
  height: number,
) => {
  getContext(kind: '2d'): {
    drawImage(image: object, x: number, y: number): void;
    getImageData(x: number, y: number, width: number, height: number): { data: Uint8ClampedArray };
  };
};

const origin = 'http://qr.test';
const sources = new URL('../../qr/src/', import.meta.url);

/**
 * A page that holds this package as `qr`. Only its types are stripped, so that the page runs the same code
 * as Node. All other requests of the page are refused.
 */
export async function openPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage();
  await page.route('**/*', async route => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/') {
      const importMap = JSON.stringify({ imports: { qr: '/qr.js' } });
      return await route.fulfill({
        contentType: 'text/html',
        body:
          `<!doctype html><script type="importmap">${importMap}</script>` +
          '<script type="module">import * as qr from "/src/index.ts"; globalThis.qr = qr;</script>',
      });
    }
    if (pathname === '/qr.js') {
      return await route.fulfill({
        path: fileURLToPath(import.meta.resolve('qr')),
        contentType: 'text/javascript',
      });
    }
    if (!/^\/src\/[a-z0-9-]+\.ts$/.test(pathname)) return await route.abort();
    const source = await readFile(new URL(pathname.slice('/src/'.length), sources), 'utf8');
    await route.fulfill({ contentType: 'text/javascript', body: stripTypeScriptTypes(source) });
  });
  await page.goto(`${origin}/`);
  await page.waitForFunction(() => 'qr' in globalThis);
  return page;
}

/** Renders an image file in Chromium, given as bytes or as text. */
export async function rasterInChromium(page: Page, file: Uint8Array | string, type: string): Promise<Raster> {
  const url = `data:${type};base64,${Buffer.from(file).toString('base64')}`;
  const drawn = await page.evaluate(async source => {
    const image = new Image();
    image.src = source;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    let bytes = '';
    for (let at = 0; at < data.length; at += 0x8000) {
      bytes += String.fromCharCode(...data.subarray(at, at + 0x8000));
    }
    return { width: image.width, height: image.height, base64: btoa(bytes) };
  }, url);
  const { width, height, base64 } = drawn;
  return { width, height, data: new Uint8ClampedArray(Buffer.from(base64, 'base64')) };
}
