import { createTestApi, type TestAccount, type TestApi } from '@signpost/testing/api.ts';
import { zxing } from '@signpost/testing/decoders.ts';
import { rasterOfPng } from '@signpost/testing/raster.ts';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLinkNames } from '../kernel/addresses/link-names.ts';
import { formatId } from '../kernel/ids.ts';

let api: TestApi;
let owner: TestAccount;

beforeAll(async () => {
  api = await createTestApi();
  owner = await api.account();
});
afterAll(() => api.close());

const menu = { name: 'Menu', destination_url: 'https://example.com/menu' };
const post = (url: string, body: object, key = owner.live) => api.call({ method: 'POST', url, key, body });
const create = async (body: object, key = owner.live) => post('/v1/qrcodes', { ...menu, ...body }, key);
const read = async (url: string, key?: string) => {
  const { status, bytes } = await api.call({ url, ...(key ? { key } : {}) });
  expect(status).toBe(200);
  return await zxing(rasterOfPng(bytes));
};
const download = (id: string, query = '') => `/v1/qrcodes/${id}/download${query}`;
const compact = { style: { compact: true } };

describe('a compact code', () => {
  test('is read as its short link in upper case after the scheme, which itself stays as it is', async () => {
    const { status, body } = await create({ short_code: 'Lunch-1', ...compact });
    expect(status).toBe(201);
    expect(body).toMatchObject({ short_url: 'https://sign.example/Lunch-1', style: { compact: true } });
    expect(body).not.toHaveProperty('warnings');
    const twin = 'https://SIGN.EXAMPLE/LUNCH-1';
    expect(await read(download(body.id), owner.live)).toBe(twin);
    expect(await read(`/images/${body.id}/public`)).toBe(twin);
  });

  test('of a test code, of a placement and on a domain too', async () => {
    const tested = await create({ short_code: 'Lunch-1', ...compact }, owner.test);
    const twin = tested.body.short_url.slice('https://'.length).toUpperCase();
    expect(await read(download(tested.body.id), owner.test)).toBe(`https://${twin}`);

    const placed = await create({ short_code: 'Lunch-2', ...compact });
    await post(`/v1/qrcodes/${placed.body.id}/placements`, { key: 'window', name: 'Window' });
    const image = await read(download(placed.body.id, '?placement=window'), owner.live);
    expect(image).toBe('https://SIGN.EXAMPLE/LUNCH-2.WINDOW');

    await api.admin('add-domain', 'go.brand.example', '--account', formatId('acct', owner.id));
    const branded = await create({ short_code: 'Lunch-1', domain: 'go.brand.example', ...compact });
    expect(await read(download(branded.body.id), owner.live)).toBe('https://GO.BRAND.EXAMPLE/LUNCH-1');
  });

  test('with a logo keeps its budget, counted on the smaller matrix', async () => {
    const short_code = 'a-long-name-for-the-lunch-menu';
    const { solidPng } = await import('@signpost/testing/solid-png.ts');
    const image = Buffer.from(solidPng(128, 0x0d47a1)).toString('base64');
    const logo = { asset_id: (await post('/v1/assets', { image })).body.id };
    const usual = await create({ short_code, style: { logo } });
    const { body } = await create({ short_code: `${short_code}2`, style: { logo, compact: true } });
    expect(body.scannability.logo.of).toBeLessThan(usual.body.scannability.logo.of);
    expect(body.scannability.logo.used).toBeLessThanOrEqual(0.5);
    expect(await read(download(body.id), owner.live)).toMatch(/^https:\/\/SIGN\.EXAMPLE\//);
  });

  test('keeps its style: an import of the same style is no change, and of another one is refused', async () => {
    const put = (style: object) =>
      api.call({
        method: 'PUT',
        url: '/v1/qrcodes/ext:compact-1',
        key: owner.live,
        body: { ...menu, style },
      });
    expect((await put({ compact: true })).status).toBe(201);
    expect((await put({ compact: true })).status).toBe(200);
    expect((await put({ compact: false })).body.error.param).toBe('style');
  });
});

describe('a link that cannot be compact', () => {
  test('is refused where the style asks for it by name, alone and in bulk', async () => {
    const refused = await create({ short_code: 'lunch_menu', ...compact });
    expect([refused.status, refused.body.error.param]).toEqual([400, 'style.compact']);
    expect(refused.body.error.message).toContain('underscore');
    const items = [
      { ...menu, short_code: 'lunch_menu', ...compact },
      { ...menu, ...compact },
    ];
    const { body } = await post('/v1/qrcodes/bulk', { items });
    expect(body.data.map(({ status }: { status: string }) => status)).toEqual(['failed', 'created']);
    expect((await create({ short_code: 'lunch_menu', style: { compact: false } })).status).toBe(201);
  });

  test('gets the usual image from a design, with a warning in the response, on sheets and in ZIP files', async () => {
    const design = (await post('/v1/designs', { name: 'Small', ...compact })).body;
    expect(design.style).toEqual({ compact: true });
    const { status, body: code } = await create({ short_code: 'dinner_menu', design_id: design.id });
    expect([status, code.warnings]).toEqual([201, [expect.stringContaining('usual')]]);
    expect(await read(download(code.id), owner.live)).toBe('https://sign.example/dinner_menu');

    const other = (await create({ short_code: 'dinner' })).body;
    const inDesign = await api.call({ url: download(other.id, `?design_id=${design.id}`), key: owner.live });
    expect(await zxing(rasterOfPng(inDesign.bytes))).toBe('https://SIGN.EXAMPLE/DINNER');
    expect(inDesign.headers).not.toHaveProperty('x-signpost-warning');
    const usual = await api.call({ url: download(code.id, `?design_id=${design.id}`), key: owner.live });
    expect(usual.headers['x-signpost-warning']).toContain('dinner_menu');

    const wanted = { qr_ids: [code.id, other.id], design_id: design.id };
    const zip = await post('/v1/images/zip', wanted);
    expect(zip.headers['x-signpost-warning']).toMatch(/: dinner_menu$/);
    const files = unzipSync(zip.bytes);
    expect(await zxing(rasterOfPng(files['dinner_menu.png']!))).toBe('https://sign.example/dinner_menu');
    expect(await zxing(rasterOfPng(files['dinner.png']!))).toBe('https://SIGN.EXAMPLE/DINNER');
    const sheet = await post('/v1/sheets', { ...wanted, layout: 'avery-l7160' });
    expect([sheet.status, sheet.headers['x-signpost-warning']]).toEqual([
      200,
      expect.stringMatching(/: dinner_menu$/),
    ]);
  });
});

test('every part that is given a short link takes it in upper case', () => {
  const names = createLinkNames('https://go.acme.com');
  expect(names.parseKey('https://GO.ACME.COM/MENU')).toBe('menu');
  expect(names.parseKey('https://GO.ACME.COM/MENU+')).toBe('menu');
  expect(names.parseKey('https://GO.ACME.COM/MENU.WINDOW-2')).toBe('menu');
  expect(names.parseKey('GO.ACME.COM/T/8H3KQ2XW/MENU')).toBe('t/8h3kq2xw/menu');
  expect(names.parseOnDomain('https://GO.BRAND.EXAMPLE/MENU')).toEqual({
    host: 'go.brand.example',
    key: 'menu',
  });
});
