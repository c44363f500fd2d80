import { createHash } from 'node:crypto';
import { difference, rasterOfPng, rasterOfSvg } from '@signpost/testing/raster.ts';
import { describe, expect, test } from 'vitest';
import { link, links, shapes, threeColors } from '../test/support/styles.ts';
import { renderPng } from './node.ts';
import { paint } from './painter.ts';
import { renderSvg } from './svg.ts';
import { rendererVersion } from './version.ts';

describe('the painter and the SVG agree', () => {
  test.each([128, 300, 512, 1024])(
    'at %i px, but for the shade of pixels on a curve',
    async sizePx => {
      for (const shape of shapes) {
        // Black on white, where a difference in coverage shows most.
        const painted = rasterOfPng(await renderPng(link, shape, sizePx));
        const drawn = rasterOfSvg(renderSvg(link, shape, sizePx));
        const found = difference(painted, drawn);
        expect(found.share(32), JSON.stringify(shape)).toBeLessThanOrEqual(0.0005);
        expect(found.largest, JSON.stringify(shape)).toBeLessThanOrEqual(64);
      }
    },
    60_000,
  );

  test('in all three colours and at every length of link', async () => {
    for (const text of links) {
      for (const shape of shapes) {
        const style = { ...shape, ...threeColors, backgroundColor: '#FDF6E3' };
        const painted = rasterOfPng(await renderPng(text, style, 400));
        expect(difference(painted, rasterOfSvg(renderSvg(text, style, 400))).share(32)).toBeLessThanOrEqual(
          0.0005,
        );
      }
    }
  }, 60_000);

  test('to the pixel where everything is square', async () => {
    for (const sizePx of [128, 333, 512]) {
      const painted = rasterOfPng(await renderPng(link, threeColors, sizePx));
      expect(difference(painted, rasterOfSvg(renderSvg(link, threeColors, sizePx))).largest).toBe(0);
    }
  });
});

test('a picture that changes raises the version of the renderer', () => {
  const hash = createHash('sha256');
  for (const shape of shapes) {
    const style = { ...shape, ...threeColors };
    const { palette, pixels } = paint(link, style, 300);
    hash
      .update(palette.join())
      .update(pixels)
      .update(renderSvg(link, style, 300));
  }
  expect({ rendererVersion, pictures: hash.digest('hex').slice(0, 16) }).toMatchInlineSnapshot(`
    {
      "pictures": "52416172d6e7b860",
      "rendererVersion": "1",
    }
  `);
});
