import { nodeDeflate } from '@signpost/qr/node';
import { zbar, zxing } from '@signpost/testing/decoders.ts';
import { onWhite, pixelsPerMetreOf, rasterOfPng, rasterOfSvg } from '@signpost/testing/raster.ts';
import { describe, expect, test } from 'vitest';
import {
  backgroundFault,
  browserDeflate,
  drawFile,
  isTooSmall,
  safeSize,
  sizeFault,
  type Wish,
  wishFor,
} from './download-file.ts';

const link = 'https://go.example.com/k7m2q9xw';
const style = { dotsType: 'rounded', dotsColor: '#0C4A6E', backgroundColor: '#FFF7E6' } as const;
const bytesOf = async (wish: Wish) =>
  new Uint8Array(await (await drawFile(link, style, wish, browserDeflate)).arrayBuffer());

describe('a downloaded file', () => {
  test('for print says its resolution and is read by two decoders, on no background too', async () => {
    for (const dpi of [300, 600] as const) {
      for (const background of ['design', 'none', 'color'] as const) {
        const png = await bytesOf({ ...wishFor('print', link), format: 'png', dpi, background });
        expect(pixelsPerMetreOf(png)).toBe(Math.round(dpi / 0.0254));
        const picture = rasterOfPng(png);
        expect(picture.width).toBe(Math.round((30 / 25.4) * dpi));
        expect(picture.data[3]).toBe(background === 'none' ? 0 : 255);
        expect([await zxing(onWhite(picture)), await zbar(onWhite(picture))]).toEqual([link, link]);
      }
    }
  });

  test('for a screen has the pixels that were asked for and no resolution', async () => {
    const png = await bytesOf({ ...wishFor('screen', link), size: 3000 });
    expect(rasterOfPng(png).width).toBe(3000);
    expect(pixelsPerMetreOf(png)).toBeNull();
  });

  test('as SVG has its width in millimetres, or in pixels for a screen', async () => {
    const print = await drawFile(
      link,
      style,
      { ...wishFor('print', link), unit: 'in', size: 2 },
      nodeDeflate,
    );
    expect(await print.text()).toContain('width="50.8mm"');
    const screen = await drawFile(link, style, { ...wishFor('screen', link), format: 'svg' }, nodeDeflate);
    const svg = await screen.text();
    expect(svg).toContain('width="1024"');
    const picture = rasterOfSvg(svg);
    expect([await zxing(picture), await zbar(picture)]).toEqual([link, link]);
  });
});

describe('what the dialog says', () => {
  test('the smallest safe size goes up, never down, when it is said in inches', () => {
    expect(safeSize(link, 'mm')).toMatch(/^1[4-7] mm$/);
    const inches = Number.parseFloat(safeSize(link, 'in'));
    expect(inches * 25.4).toBeGreaterThanOrEqual(Number.parseFloat(safeSize(link, 'mm')));
    expect(isTooSmall(link, { ...wishFor('print', link), size: 10 })).toBe(true);
    expect(isTooSmall(link, wishFor('print', link))).toBe(false);
    expect(isTooSmall(link, wishFor('screen', link))).toBe(false);
  });

  test('a size that cannot be drawn is refused with what can', () => {
    expect(sizeFault(link, { ...wishFor('screen', link), size: 64 })).toContain('128');
    expect(sizeFault(link, { ...wishFor('print', link), size: 5_000 })).toContain('mm');
    expect(sizeFault(link, { ...wishFor('print', link), size: Number.NaN })).not.toBeNull();
    for (const use of ['screen', 'print', 'office'] as const)
      expect(sizeFault(link, wishFor(use, link))).toBeNull();
  });

  test('another background is warned of when the code would not scan on it', () => {
    const on = (color: string) =>
      backgroundFault(style, { ...wishFor('print', link), background: 'color', color });
    expect(on('#FFFFFF')).toBeNull();
    expect(on('#0C4A6E')?.isUnreadable).toBe(true);
    expect(on('#707070')).toMatchObject({ isUnreadable: false });
    const clear = { ...wishFor('print', link), background: 'none' } as const;
    expect(backgroundFault(style, clear)).toBeNull();
    expect(backgroundFault({ dotsColor: '#FFFFFF', backgroundColor: '#000000' }, clear)).not.toBeNull();
  });
});
