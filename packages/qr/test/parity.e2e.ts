import { fileURLToPath } from 'node:url';
import { launchChromium, openPage, rasterInChromium } from '@signpost/testing/chromium.ts';
import { difference, type Raster, rasterOfPng } from '@signpost/testing/raster.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canvasOf } from '../src/layout.ts';
import type { Matrix } from '../src/matrix.ts';
import { nodeDeflate } from '../src/node.ts';
import { pictureOf } from '../src/painter.ts';
import { pngOf } from '../src/png.ts';
import { type Scene, sceneOfMatrix } from '../src/scene.ts';
import type { Style } from '../src/style.ts';
import { svgOf } from '../src/svg.ts';
import { link, shapes } from './support/styles.ts';

const sizePx = 512;

let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await launchChromium();
  page = await openPage(browser);
  await page.addScriptTag({ path: fileURLToPath(import.meta.resolve('qr-code-styling')) });
});

afterAll(async () => await browser?.close());

/** In CI, which has to stay quick, eight of the 36, among which every kind of dot and of corner is. */
const taken = shapes.filter((_, at) => !process.env.CI || at % 5 === 0);

// Black on white, where a difference shows most. Every mask is legal, so encoders differ: we draw their matrix.
describe('a style looks as qr-code-styling draws it in Chromium', () => {
  test.each(taken)('$dotsType, $cornersSquareType, $cornersDotType', async shape => {
    const { matrix, png } = await drawWithTheirs(shape);
    const theirs = await rasterInChromium(page, Buffer.from(png, 'base64'), 'image/png');
    const scene = sceneOfMatrix(matrix, shape);
    expectSameLook(await painted(scene), theirs);
    expectSameLook(
      await rasterInChromium(page, svgOf(scene, canvasOf(scene, sizePx)), 'image/svg+xml'),
      theirs,
    );
  });

  test('and the comparison tells another style apart', async () => {
    const { matrix, png } = await drawWithTheirs({ dotsType: 'rounded' });
    const theirs = await rasterInChromium(page, Buffer.from(png, 'base64'), 'image/png');
    const other = await painted(sceneOfMatrix(matrix, { dotsType: 'extra-rounded' }));
    expect(() => expectSameLook(other, theirs)).toThrow();
  });
});

async function painted(scene: Scene): Promise<Raster> {
  return rasterOfPng(await pngOf(pictureOf(scene, canvasOf(scene, sizePx)), nodeDeflate));
}

function expectSameLook(ours: Raster, theirs: Raster): void {
  const found = difference(ours, theirs);
  expect(found.largest).toBeLessThanOrEqual(128);
  expect(found.share(64)).toBeLessThanOrEqual(0.0005);
  expect(found.share(32)).toBeLessThanOrEqual(0.02);
}

type Theirs = {
  readonly _qr: { getModuleCount(): number; isDark(row: number, column: number): boolean };
  getRawData(type: string): Promise<Blob>;
};

async function drawWithTheirs(shape: Style): Promise<{ matrix: Matrix; png: string }> {
  const drawn = await page.evaluate(
    async ({ data, size, dotsType, cornersSquareType, cornersDotType }) => {
      const { QRCodeStyling } = globalThis as unknown as { QRCodeStyling: new (options: object) => Theirs };
      const code = new QRCodeStyling({
        type: 'canvas',
        width: size,
        height: size,
        // Chosen so that modules get the width that our quiet zone gives them.
        margin: 64,
        data,
        qrOptions: { errorCorrectionLevel: 'Q' },
        dotsOptions: { type: dotsType, color: '#000000' },
        cornersSquareOptions: { type: cornersSquareType, color: '#000000' },
        cornersDotOptions: { type: cornersDotType, color: '#000000' },
        backgroundOptions: { color: '#FFFFFF' },
      });
      const bytes = new Uint8Array(await (await code.getRawData('png')).arrayBuffer());
      const count = code._qr.getModuleCount();
      const modules: number[] = [];
      for (let y = 0; y < count; y++)
        for (let x = 0; x < count; x++) modules.push(code._qr.isDark(y, x) ? 1 : 0);
      return { count, modules, png: btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join('')) };
    },
    {
      data: link,
      size: sizePx,
      dotsType: 'square',
      cornersSquareType: 'square',
      cornersDotType: 'square',
      ...shape,
    },
  );
  return { matrix: { size: drawn.count, modules: Uint8Array.from(drawn.modules) }, png: drawn.png };
}
