import { zbar, zxing } from '@signpost/testing/decoders.ts';
import { onWhite, pixelsPerMetreOf, rasterOfPng, rasterOfSvg } from '@signpost/testing/raster.ts';
import { describe, expect, test } from 'vitest';
import { link } from '../test/support/styles.ts';
import { nodeDeflate } from './node.ts';
import { pixelsOf, printRangeMm, renderPrintPng, renderPrintSvg, smallestSafeMm } from './print.ts';

const shapes = [{}, { dotsType: 'rounded' }, { dotsType: 'classy', cornersSquareType: 'extra-rounded' }];

const print = (style: object, isClear: boolean, widthMm = 30, dpi = 300) =>
  renderPrintPng(link, style, { sizePx: pixelsOf(widthMm, dpi), dpi, isClear }, nodeDeflate);

describe('a picture for print', () => {
  test('says its resolution, and has as many pixels as its width asks for', async () => {
    for (const [dpi, perMetre] of [
      [300, 11_811],
      [600, 23_622],
    ] as const) {
      const png = await print({}, false, 30, dpi);
      expect(pixelsPerMetreOf(png)).toBe(perMetre);
      expect(rasterOfPng(png).width).toBe(Math.round((30 / 25.4) * dpi));
    }
    expect(
      pixelsPerMetreOf(await renderPrintPng(link, {}, { sizePx: 256, isClear: false }, nodeDeflate)),
    ).toBeNull();
  });

  test('is read by two decoders, and without a background on white paper too', async () => {
    for (const shape of shapes) {
      for (const isClear of [false, true]) {
        const picture = onWhite(rasterOfPng(await print({ ...shape, dotsColor: '#0C4A6E' }, isClear)));
        expect([await zxing(picture), await zbar(picture)]).toEqual([link, link]);
      }
    }
  });

  test('without a background it lets the corner of the paper through, and keeps full ink', async () => {
    const { data } = rasterOfPng(await print({ dotsType: 'dots', dotsColor: '#0C4A6E' }, true));
    expect(data[3]).toBe(0);
    const alphas = new Set(data.filter((_, at) => at % 4 === 3));
    expect(alphas.has(255)).toBe(true);
    expect(alphas.size).toBeGreaterThan(2);
  });

  test('as SVG it has its width in millimetres and is read without a background', async () => {
    const svg = renderPrintSvg(link, {}, { widthMm: 30, isClear: true });
    expect(svg).toContain('width="30mm" height="30mm"');
    expect(svg).not.toContain('<rect');
    const picture = onWhite(rasterOfSvg(svg, 512));
    expect([await zxing(picture), await zbar(picture)]).toEqual([link, link]);
  });

  test('at the smallest safe size a module is at least 0.4 mm wide', () => {
    // 25 to 33 modules with four free ones on each side.
    expect(smallestSafeMm(link)).toBeGreaterThanOrEqual(14);
    expect(smallestSafeMm(link)).toBeLessThanOrEqual(17);
    expect(smallestSafeMm(`${link}/${'x'.repeat(60)}`)).toBeGreaterThan(smallestSafeMm(link));
  });

  test('the largest width has the pixels that a browser can draw', async () => {
    const { least, most } = printRangeMm(link, 600);
    expect(pixelsOf(most, 600)).toBeLessThanOrEqual(8_192);
    expect(rasterOfPng(await print({}, false, least, 600)).width).toBeGreaterThanOrEqual(64);
  });
});
