import { rasterOfPng } from '@signpost/testing/raster.ts';
import { describe, expect, test } from 'vitest';
import { link, links, shapes, threeColors } from '../test/support/styles.ts';
import { channelsOf } from './color.ts';
import { renderPng } from './node.ts';
import { paint } from './painter.ts';
import { renderPng as renderPngWith, scanlinesOf } from './png.ts';

/** One, two and three colours: depths of 1, 2, 4 and 8 bits come out of these with the shapes. */
const colors = [{}, { cornersSquareColor: '#B01010' }, threeColors];

describe('a PNG', () => {
  test('read back, shows the very pixels that were painted, at widths that fill no whole byte too', async () => {
    for (const sizePx of [129, 150, 255, 512]) {
      for (const shape of [shapes[0]!, shapes[8]!, shapes[35]!]) {
        for (const color of colors) {
          const { palette, pixels } = paint(link, { ...shape, ...color }, sizePx);
          const { data, width, height } = rasterOfPng(await renderPng(link, { ...shape, ...color }, sizePx));
          expect([width, height]).toEqual([sizePx, sizePx]);
          const expected = new Uint8ClampedArray(pixels.length * 4);
          for (const [at, entry] of pixels.entries())
            expected.set([...channelsOf(palette[entry]!), 255], at * 4);
          expect(Buffer.from(data).equals(Buffer.from(expected))).toBe(true);
        }
      }
    }
  });

  test('leaves the bits beyond the end of a row empty', () => {
    const picture = { sizePx: 3, palette: ['#FFFFFF', '#000000'], pixels: new Uint8Array(9).fill(1) };
    expect([...scanlinesOf(picture, 1)]).toEqual([0, 0b111_00000, 0, 0b111_00000, 0, 0b111_00000]);
    expect([...scanlinesOf(picture, 4)].slice(0, 3)).toEqual([0, 0x11, 0x10]);
  });

  test('black on white and all square is at most 2 kB at 512 px', async () => {
    for (const text of links) expect((await renderPng(text, {}, 512)).length).toBeLessThanOrEqual(2_000);
  });

  test('is at most 12 kB at 512 px in every style and at every length of link', async () => {
    expect(await largest(512)).toBeLessThanOrEqual(12_000);
  });

  test('is at most 96 kB at 2048 px in every style and at every length of link', async () => {
    expect(await largest(2048)).toBeLessThanOrEqual(96_000);
  }, 60_000);

  test('has the same bytes for the same input', async () => {
    for (const shape of shapes) {
      const style = { ...shape, ...threeColors };
      expect(
        Buffer.compare(await renderPng(link, style, 300), await renderPng(link, { ...style }, 300)),
      ).toBe(0);
    }
  });

  test('can be compressed by what a browser has', async () => {
    const png = await renderPngWith(link, shapes[20]!, 512, deflateLikeBrowsers);
    expect(rasterOfPng(png)).toEqual(rasterOfPng(await renderPng(link, shapes[20]!, 512)));
  });
});

async function largest(sizePx: number): Promise<number> {
  let most = 0;
  for (const text of links) {
    for (const shape of shapes) {
      most = Math.max(most, (await renderPng(text, { ...shape, ...threeColors }, sizePx)).length);
    }
  }
  return most;
}

async function deflateLikeBrowsers(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>])
    .stream()
    .pipeThrough(new CompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
