import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { labelPlace, labelSheetOf, sheetFault } from '@signpost/qr/labels';
import { createTestApi, type TestAccount, type TestApi } from '@signpost/testing/api.ts';
import { isFullSize } from '@signpost/testing/ci-scale.ts';
import { zxing } from '@signpost/testing/decoders.ts';
import { type Raster, rasterOfPng, rasterOfPpm } from '@signpost/testing/raster.ts';
import { solidPng } from '@signpost/testing/solid-png.ts';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let api: TestApi;
let owner: TestAccount;
let stranger: TestAccount;
let folder: string;
let codes: { id: string; short_url: string; short_code: string }[];

beforeAll(async () => {
  api = await createTestApi();
  owner = await api.account();
  stranger = await api.account();
  folder = await mkdtemp(join(tmpdir(), 'signpost-sheets-'));
  const items = Array.from({ length: 21 }, (_, n) => ({
    name: `Table ${n + 1}`,
    destination_url: `https://example.com/table/${n + 1}`,
  }));
  const { body } = await post('/v1/qrcodes/bulk', { items });
  codes = body.data.map(({ qr_code }: { qr_code: object }) => qr_code);
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await api.close();
});

const post = (url: string, body: object, key = owner.live) => api.call({ method: 'POST', url, key, body });

describe.each(['avery-l7160', 'avery-5160'] as const)('a sheet for %s', layout => {
  test('has every code on its label, within a tenth of a millimetre, and each is read', async () => {
    const ids = codes.map(({ id }) => id);
    const made = await post('/v1/sheets', { qr_ids: ids, layout, caption: 'short_url' });
    expect(made.headers['content-type']).toBe('application/pdf');
    const sheet = labelSheetOf(layout);
    const dpi = 300;
    const page = await shown(made.bytes, dpi);
    expect(Math.abs((page.width / dpi) * 25.4 - sheet.page.width)).toBeLessThan(0.1);
    for (const [index, code] of codes.slice(0, sheet.rows * sheet.columns).entries()) {
      if (!isFullSize && index % 3 !== 0) continue;
      const place = labelPlace(sheet, index);
      const label = cut(page, dpi, place.x, place.y, sheet.label.x, sheet.label.y);
      expect(await zxing(label)).toBe(code.short_url);
      // The code with its quiet zone fills the height of the label but for its edge.
      const heightMm = sheet.label.y - 3;
      const modules = 29 + 8;
      const first = firstDark(label);
      const quietMm = (4 * heightMm) / modules + 1.5;
      expect(Math.abs((first.y / dpi) * 25.4 - quietMm), `label ${index}`).toBeLessThan(0.1 + 25.4 / dpi);
      expect(Math.abs((first.x / dpi) * 25.4 - quietMm), `label ${index}`).toBeLessThan(0.1 + 25.4 / dpi);
    }
  });
});

test('copies, a design with a logo and a sheet of one’s own', async () => {
  const image = Buffer.from(solidPng(128, 0x0d47a1)).toString('base64');
  const { id: asset } = (await post('/v1/assets', { image })).body;
  const style = { logo: { asset_id: asset }, dotsType: 'rounded' };
  const { id: design } = (await post('/v1/designs', { name: 'Labels', style })).body;
  const layout = {
    page: 'a4',
    rows: 3,
    columns: 2,
    margin_mm: { x: 20, y: 20 },
    pitch_mm: { x: 85, y: 85 },
    label_mm: { x: 60, y: 70 },
  };
  const body = { qr_ids: [codes[0]!.id], layout, copies: 7, caption: 'name', design };
  const made = await post('/v1/sheets', body);
  expect(made.status).toBe(200);
  const file = await save(made.bytes);
  expect(execFileSync('pdfinfo', [file], { encoding: 'utf8' })).toMatch(/Pages: +2\n/);
  const page = await shown(made.bytes, 200);
  expect(await zxing(cut(page, 200, 105, 190, 60, 70))).toBe(codes[0]!.short_url);
});

test('a label is in the file once, however many copies, and so is each letter and each logo', async () => {
  const image = Buffer.from(solidPng(128, 0x0d47a1)).toString('base64');
  const { id: asset } = (await post('/v1/assets', { image })).body;
  const { id: design } = (await post('/v1/designs', { name: 'Once', style: { logo: { asset_id: asset } } }))
    .body;
  const qr_ids = codes.map(({ id }) => id);
  const made = await post('/v1/sheets', {
    qr_ids,
    layout: 'avery-l7160',
    copies: 3,
    caption: 'name',
    design,
  });
  const pdf = made.bytes.toString('latin1');
  const letters = new Set('Table0123456789').size;
  expect(pdf.match(/\/Subtype\/Form/g)).toHaveLength(codes.length + letters);
  expect(pdf.match(/\/Subtype\/Image/g)).toHaveLength(1);
  expect(execFileSync('pdfinfo', [await save(made.bytes)], { encoding: 'utf8' })).toMatch(/Pages: +3\n/);
  const page = await shown(made.bytes, 200);
  const place = labelPlace(labelSheetOf('avery-l7160'), 4);
  expect(await zxing(cut(page, 200, place.x, place.y, 63.5, 38.1))).toBe(codes[1]!.short_url);
});

test('a sheet has 5,000 labels at the most, with all copies', async () => {
  const many = Array.from({ length: 60 }, (_, n) => ({
    name: `Box ${n}`,
    destination_url: 'https://example.com',
  }));
  const { body } = await post('/v1/qrcodes/bulk', { items: many });
  const qr_ids = body.data.map(({ qr_code }: { qr_code: { id: string } }) => qr_code.id);
  const refused = await post('/v1/sheets', { qr_ids, layout: 'avery-5160', copies: 84 });
  expect(refused).toMatchObject({ status: 400, body: { error: { param: 'copies' } } });
  expect(refused.body.error.message).toContain('5040 labels');
  expect((await post('/v1/sheets', { qr_ids, layout: 'avery-5160', copies: 83 })).status).toBe(200);
});

test.each([
  [{ layout: 'avery-l7160' }, 'qr_ids'],
  [{ layout: 'avery-l7160', filter: { status: 'paused' } }, 'filter'],
  [{ layout: 'avery-l7160', filter: {}, qr_ids: ['ID'] }, 'filter'],
  [
    {
      qr_ids: ['ID'],
      layout: {
        page: 'a4',
        rows: 9,
        columns: 2,
        margin_mm: { x: 0, y: 0 },
        pitch_mm: { x: 60, y: 60 },
        label_mm: { x: 50, y: 50 },
      },
    },
    'layout',
  ],
])('a sheet that cannot be printed is refused: %j', async (body, param) => {
  const given = JSON.parse(JSON.stringify(body).replaceAll('"ID"', `"${codes[0]!.id}"`));
  const refused = await post('/v1/sheets', given);
  expect(refused.status).toBe(400);
  if (param !== 'qr_ids') expect(refused.body.error.param).toBe(param);
});

test('a caption with a letter that the font lacks is refused with its code and the letter, or replaced by the short link', async () => {
  const made = await post('/v1/qrcodes', { name: 'Menu 菜单', destination_url: 'https://example.com' });
  const { id } = made.body;
  const body = { qr_ids: [codes[0]!.id, id], layout: 'avery-5160', caption: 'name' };
  const refused = await post('/v1/sheets', body);
  expect(refused).toMatchObject({ status: 400, body: { error: { param: 'caption' } } });
  expect(refused.body.error.message).toMatch(new RegExp(`${id}, "Menu 菜单".*"菜".*caption_fallback`));
  const label = async (body: object, index: number) => {
    const place = labelPlace(labelSheetOf('avery-5160'), index);
    const page = await shown((await post('/v1/sheets', body)).bytes, 150);
    return Buffer.from(cut(page, 150, place.x, place.y, 66, 25).data);
  };
  const fallback = { ...body, caption_fallback: 'short_url' };
  const short = { ...body, caption: 'short_url' };
  expect((await label(fallback, 1)).equals(await label(short, 1))).toBe(true);
  expect((await label(fallback, 0)).equals(await label(short, 0))).toBe(false);
});

test('codes and designs of others are not found', async () => {
  const qr_ids = [codes[0]!.id];
  expect((await post('/v1/sheets', { qr_ids, layout: 'avery-5160' }, stranger.live)).status).toBe(404);
  expect((await post('/v1/images/zip', { qr_ids }, owner.test)).status).toBe(404);
  const { id: design } = (await post('/v1/designs', { name: 'x', style: {} }, stranger.live)).body;
  expect((await post('/v1/sheets', { qr_ids, layout: 'avery-5160', design })).status).toBe(404);
  expect((await post('/v1/images/zip', { qr_ids, design })).status).toBe(404);
});

test('a ZIP holds the image of every code, the same as its download, and a list of them', async () => {
  const qr_ids = codes.slice(0, 5).map(({ id }) => id);
  const made = await post('/v1/images/zip', { qr_ids, format: 'png', size: 300 });
  expect(made.headers['content-type']).toBe('application/zip');
  const files = unzipSync(made.bytes);
  const names = codes.slice(0, 5).map(({ short_code }) => `${short_code}.png`);
  expect(Object.keys(files)).toEqual([...names, 'manifest.csv']);
  for (const code of codes.slice(0, 5)) {
    const image = files[`${code.short_code}.png`]!;
    expect(await zxing(rasterOfPng(image))).toBe(code.short_url);
    const download = await api.call({ url: `/v1/qrcodes/${code.id}/download?size=300`, key: owner.live });
    expect(Buffer.compare(download.bytes, image)).toBe(0);
  }
  const rows = Buffer.from(files['manifest.csv']!).toString().trim().split('\r\n');
  expect(rows[0]).toBe('file,id,name,short_code,short_url');
  expect(rows[1]).toBe(`${names[0]},${codes[0]!.id},Table 1,${codes[0]!.short_code},${codes[0]!.short_url}`);
});

test('the named sheets fit onto their pages', () => {
  for (const layout of ['avery-l7160', 'avery-5160'] as const)
    expect(sheetFault(labelSheetOf(layout))).toBeNull();
});

async function save(pdf: Buffer): Promise<string> {
  const file = join(folder, 'sheet.pdf');
  await writeFile(file, pdf);
  return file;
}

async function shown(pdf: Buffer, dpi: number): Promise<Raster> {
  const file = await save(pdf);
  return rasterOfPpm(
    execFileSync('pdftoppm', ['-r', String(dpi), '-singlefile', file], { maxBuffer: 256e6 }),
  );
}

function cut(page: Raster, dpi: number, xMm: number, yMm: number, widthMm: number, heightMm: number): Raster {
  const px = (mm: number) => Math.round((mm / 25.4) * dpi);
  const [left, top, width, height] = [px(xMm), px(yMm), px(widthMm), px(heightMm)];
  const data = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y++) {
    const from = ((top + y) * page.width + left) * 4;
    data.set(page.data.subarray(from, from + width * 4), y * width * 4);
  }
  return { width, height, data };
}

/** The first column and the first row in which something dark is, of the left half: the caption is on the right. */
function firstDark({ width, height, data }: Raster): { x: number; y: number } {
  const found = { x: width, y: height };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width / 2; x++) {
      if (data[(y * width + x) * 4]! >= 128) continue;
      found.x = Math.min(found.x, x);
      found.y = Math.min(found.y, y);
    }
  }
  return found;
}
