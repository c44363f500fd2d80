import { nodeDeflate } from '@signpost/qr/node';
import { zbar, zxing } from '@signpost/testing/decoders.ts';
import { onWhite, pixelsPerMetreOf, rasterOfPng, rasterOfSvg } from '@signpost/testing/raster.ts';
import { describe, expect, test } from 'vitest';
import {
  browserDeflate,
  drawFile,
  inFormat,
  isTooSmall,
  safeSize,
  sizeFault,
  styleFault,
  type Wish,
  wishFor,
} from './download-file.ts';

const link = 'https://go.example.com/k7m2q9xw';
const style = { dotsType: 'rounded', dotsColor: '#0C4A6E', backgroundColor: '#FFF7E6' } as const;
const subject = { link, style };
const bytesOf = async (wish: Wish) =>
  new Uint8Array(await (await drawFile(subject, wish, browserDeflate)).arrayBuffer());

describe('a downloaded file', () => {
  test('for print says its resolution and is read by two decoders, on no background too', async () => {
    for (const dpi of [300, 600] as const) {
      for (const background of ['design', 'none', 'color'] as const) {
        const png = await bytesOf({ ...wishFor('print', subject), format: 'png', dpi, background });
        expect(pixelsPerMetreOf(png)).toBe(Math.round(dpi / 0.0254));
        const picture = rasterOfPng(png);
        expect(picture.width).toBe(Math.round((30 / 25.4) * dpi));
        expect(picture.data[3]).toBe(background === 'none' ? 0 : 255);
        expect([await zxing(onWhite(picture)), await zbar(onWhite(picture))]).toEqual([link, link]);
      }
    }
  });

  test('for a screen has the pixels that were asked for and no resolution', async () => {
    const png = await bytesOf({ ...wishFor('screen', subject), size: 3000 });
    expect(rasterOfPng(png).width).toBe(3000);
    expect(pixelsPerMetreOf(png)).toBeNull();
  });

  test('as SVG has its width in millimetres, or in pixels for a screen', async () => {
    const wish = { ...wishFor('print', subject), format: 'svg', unit: 'in', size: 2 } as const;
    const print = await drawFile(subject, wish, nodeDeflate);
    expect(await print.text()).toContain('width="50.8mm"');
    const screen = await drawFile(subject, { ...wishFor('screen', subject), format: 'svg' }, nodeDeflate);
    const svg = await screen.text();
    expect(svg).toContain('width="1024"');
    const picture = rasterOfSvg(svg);
    expect([await zxing(picture), await zbar(picture)]).toEqual([link, link]);
  });
});

test('for a printer is a PDF or an EPS of the size that was asked for', async () => {
  const pdf = Buffer.from(await bytesOf({ ...wishFor('print', subject), size: 50, bleedMm: 3 })).toString(
    'latin1',
  );
  expect(pdf).toMatch(/^%PDF-1\.4/);
  const edge = (mm: number) => (mm / 25.4) * 72;
  const media = /MediaBox\[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf)!;
  expect(Number(media[1])).toBeCloseTo(edge(56), 2);
  const eps = Buffer.from(
    await bytesOf({ ...wishFor('print', subject), format: 'eps', size: 50 }),
  ).toString();
  expect(eps).toMatch(/^%!PS-Adobe-3\.0 EPSF/);
  expect(eps).toMatch(new RegExp(`HiResBoundingBox: 0 0 ${edge(50).toFixed(2).slice(0, 5)}`));
});

describe('what the dialog says', () => {
  test('the smallest safe size goes up, never down, when it is said in inches', () => {
    expect(safeSize(subject, 'mm')).toMatch(/^1[4-7] mm$/);
    const inches = Number.parseFloat(safeSize(subject, 'in'));
    expect(inches * 25.4).toBeGreaterThanOrEqual(Number.parseFloat(safeSize(subject, 'mm')));
    expect(isTooSmall(subject, { ...wishFor('print', subject), size: 10 })).toBe(true);
    expect(isTooSmall(subject, wishFor('print', subject))).toBe(false);
    expect(isTooSmall(subject, wishFor('screen', subject))).toBe(false);
  });

  test('a size that cannot be drawn is refused with what can', () => {
    expect(sizeFault(subject, { ...wishFor('screen', subject), size: 64 })).toContain('128');
    expect(sizeFault(subject, { ...wishFor('print', subject), size: 5_000 })).toContain('mm');
    expect(sizeFault(subject, { ...wishFor('print', subject), size: Number.NaN })).not.toBeNull();
    for (const use of ['screen', 'print', 'office'] as const)
      expect(sizeFault(subject, wishFor(use, subject))).toBeNull();
  });

  test('another background is warned of when the code would not scan on it', () => {
    const on = (color: string) =>
      styleFault(subject, { ...wishFor('print', subject), background: 'color', color });
    expect(on('#FFFFFF')).toBeNull();
    expect(on('#0C4A6E')?.isUnreadable).toBe(true);
    expect(on('#707070')).toMatchObject({ isUnreadable: false });
    const clear = { ...wishFor('print', subject), background: 'none' } as const;
    expect(styleFault(subject, clear)).toBeNull();
    const inverted = { dotsColor: '#FFFFFF', backgroundColor: '#000000' };
    expect(styleFault({ link, style: inverted }, clear)).not.toBeNull();
  });

  test('black ink alone is for codes that are nearly black', () => {
    const wish = { ...wishFor('print', subject), ink: 'k' } as const;
    expect(styleFault({ link, style: {} }, wish)).toBeNull();
    expect(styleFault({ link, style: { dotsColor: '#B91C1C' } }, wish)?.isUnreadable).toBe(true);
  });

  test('a logo that the link has no room for is not left out in silence', () => {
    const long = `https://go.example.com/${'x'.repeat(64)}`;
    const wish = wishFor('print', { link: long, style });
    const logo = { asset_id: 'ast_1', size: 'large' } as const;
    expect(styleFault({ link: long, style: { ...style, logo } }, wish)?.isUnreadable).toBe(true);
  });

  test('another format keeps what it can do, and lets go what it cannot', () => {
    const clear = { ...wishFor('screen', subject), background: 'none' } as const;
    expect(inFormat(clear, 'svg').background).toBe('none');
    expect(inFormat(clear, 'pdf').background).toBe('design');
    const pressed = { ...wishFor('print', subject), bleedMm: 3, ink: 'k' } as const;
    expect(inFormat(pressed, 'eps')).toMatchObject({ bleedMm: 3, ink: 'k' });
    expect(inFormat(pressed, 'svg')).toMatchObject({ bleedMm: 0, ink: 'rgb' });
  });
});
