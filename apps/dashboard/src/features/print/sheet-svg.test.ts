import { labelPlace, labelSheetOf } from '@signpost/qr/labels';
import { zxing } from '@signpost/testing/decoders.ts';
import { type Raster, rasterOfSvg } from '@signpost/testing/raster.ts';
import { expect, test } from 'vitest';
import { orderOf, sheetSvg } from './sheet-svg.ts';

const links = ['https://go.example.com/k7m2q9xw', 'https://go.example.com/bcdfghjk'];
const labels = links.map(link => ({ link, style: {}, scene: {}, caption: 'Table 4' }));

test('the preview has each code in the place of its label, as often as asked for', async () => {
  const sheet = labelSheetOf('avery-l7160');
  const order = orderOf(sheet, labels.length, 2, 2);
  expect(order).toEqual([0, 0, 1, 1]);
  const page = rasterOfSvg(sheetSvg(sheet, labels, order));
  const perMm = page.width / sheet.page.width;
  for (const [index, link] of [links[0], links[0], links[1], links[1], null].entries()) {
    const { x, y } = labelPlace(sheet, index);
    const label = cut(
      page,
      [x, y, sheet.label.x, sheet.label.y].map(mm => Math.round(mm * perMm)),
    );
    expect(await zxing(label)).toBe(link);
  }
});

test('a sheet is filled up, and never more', () => {
  const sheet = labelSheetOf('avery-5160');
  expect(orderOf(sheet, 25, 400, 1)).toHaveLength(30);
  expect(orderOf(sheet, 25, 3, 1)).toEqual([0, 1, 2]);
  expect(orderOf(sheet, 0, 3, 1)).toEqual([]);
});

function cut(page: Raster, [left, top, width, height]: readonly number[]): Raster {
  const data = new Uint8ClampedArray(width! * height! * 4);
  for (let y = 0; y < height!; y++) {
    const from = ((top! + y) * page.width + left!) * 4;
    data.set(page.data.subarray(from, from + width! * 4), y * width! * 4);
  }
  return { width: width!, height: height!, data };
}
