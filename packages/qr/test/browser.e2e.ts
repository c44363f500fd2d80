import { launchChromium, openPage, rasterInChromium } from '@signpost/testing/chromium.ts';
import { difference, rasterOfPng } from '@signpost/testing/raster.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { layOut } from '../src/layout.ts';
import { encode, isDark } from '../src/matrix.ts';
import { renderPng } from '../src/node.ts';
import { renderSvg } from '../src/svg.ts';
import { link, links, shapes, threeColors } from './support/styles.ts';

/** The package as the page holds it. */
declare const qr: typeof import('../src/index.ts');

let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await launchChromium();
  page = await openPage(browser);
});

afterAll(async () => await browser?.close());

describe('in a browser', () => {
  test('every style gives the same SVG as in Node, letter by letter', async () => {
    const wanted = links.flatMap(text =>
      shapes.map(shape => ({ text, style: { ...shape, ...threeColors } })),
    );
    const drawn = await page.evaluate(
      asked => asked.map(({ text, style }) => qr.renderSvg(text, style, 512)),
      wanted,
    );
    expect(drawn).toEqual(wanted.map(({ text, style }) => renderSvg(text, style, 512)));
  });

  test('a PNG made with the compression of the browser shows the same pixels as one made in Node', async () => {
    for (const shape of shapes.filter((_, at) => at % 5 === 0)) {
      const made = await page.evaluate(
        async ({ text, style }) => {
          const deflate = async (bytes: Uint8Array) => {
            const stream = new Blob([bytes as Uint8Array<ArrayBuffer>])
              .stream()
              .pipeThrough(new CompressionStream('deflate'));
            return new Uint8Array(await new Response(stream).arrayBuffer());
          };
          return [...(await qr.renderPng(text, style, 300, deflate))];
        },
        { text: link, style: shape },
      );
      const inNode = rasterOfPng(await renderPng(link, shape, 300));
      expect(difference(rasterOfPng(Uint8Array.from(made)), inNode).largest).toBe(0);
    }
  });

  test('Chromium shows a PNG as it was painted, to the pixel', async () => {
    for (const color of [{}, threeColors]) {
      for (const shape of [shapes[0]!, shapes[9]!, shapes[35]!]) {
        const png = await renderPng(link, { ...shape, ...color }, 333);
        const shown = await rasterInChromium(page, png, 'image/png');
        expect(difference(shown, rasterOfPng(png)).largest).toBe(0);
      }
    }
  });

  test.each([700, 777, 1000])(
    'an SVG of 512 px shown at %i px has no hairline in a dark row',
    async widthPx => {
      const svg = renderSvg(link, {}, 512).replace(
        'width="512" height="512"',
        `width="${widthPx}" height="${widthPx}"`,
      );
      const { data, width } = await rasterInChromium(page, svg, 'image/svg+xml');
      expect(width).toBe(widthPx);
      const matrix = encode(link);
      const { modulePx, offsetPx } = layOut(matrix.size, 512);
      const scale = widthPx / 512;
      let joints = 0;
      for (let y = 0; y < matrix.size; y++) {
        for (let x = 0; x < matrix.size - 1; x++) {
          if (!isDark(matrix, x, y) || !isDark(matrix, x + 1, y)) continue;
          joints++;
          const column = Math.floor((offsetPx + (x + 1) * modulePx) * scale);
          const row = Math.floor((offsetPx + (y + 0.5) * modulePx) * scale);
          for (const near of [column - 1, column, column + 1]) {
            expect(data[(row * width + near) * 4]).toBeLessThanOrEqual(6);
          }
        }
      }
      expect(joints).toBeGreaterThan(100);
    },
  );
});
