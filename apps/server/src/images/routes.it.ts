import { createTestApi, type TestAccount, type TestApi } from '@signpost/testing/api.ts';
import { zbar, zxing } from '@signpost/testing/decoders.ts';
import { rasterOfPng, rasterOfSvg } from '@signpost/testing/raster.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let api: TestApi;
let owner: TestAccount;
let code: { id: string; short_code: string; short_url: string; image_url: string };

beforeAll(async () => {
  api = await createTestApi();
  owner = await api.account();
  code = await create({ short_code: 'Front-Door', style: { dotsType: 'rounded', dotsColor: '#0B3D2E' } });
});
afterAll(() => api.close());

async function create(more: object = {}, key = owner.live) {
  const body = { name: 'Menu', destination_url: 'https://example.com/menu', ...more };
  return (await api.call({ method: 'POST', url: '/v1/qrcodes', key, body })).body;
}

async function fetchImage(url: string, headers: Record<string, string> = {}) {
  const response = await api.api.app.inject({ url, headers });
  return { status: response.statusCode, headers: response.headers, bytes: response.rawPayload };
}

const download = (query = '', headers = {}, id = code.id, key = owner.live) =>
  fetchImage(`/v1/qrcodes/${id}/download${query}`, { authorization: `Bearer ${key}`, ...headers });
const pathOf = (url: string) => url.replace('https://api.signpost.example', '');

/** Width and height in the header of the PNG. */
const sizeOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)];

const textIn = (png: Buffer) => zxing(rasterOfPng(png));

describe('download', () => {
  test('is a PNG of 512 pixels that scans to the short link', async () => {
    const { status, headers, bytes } = await download();
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': 'attachment; filename="Front-Door.png"',
      'cache-control': 'private, max-age=3600',
      vary: 'Authorization',
      etag: expect.stringMatching(/^"[\w-]{22}"$/),
      'x-content-type-options': 'nosniff',
    });
    expect(headers['x-ratelimit-remaining']).toMatch(/^\d+$/);
    expect(sizeOf(bytes)).toEqual([512, 512]);
    expect(await textIn(bytes)).toBe('https://sign.example/Front-Door');
  });

  test('as SVG must not run scripts or load anything', async () => {
    const { headers, bytes } = await download('?format=svg&size=300');
    expect(headers).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'content-disposition': 'attachment; filename="Front-Door.svg"',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    });
    expect(bytes.toString()).toMatch(/^<svg [^>]*width="300"/);
    expect(bytes.toString()).toContain('#0B3D2E');
  });

  test.each([64, 65, 200, 1024, 2047, 2048])('has the requested size: %i', async size => {
    const { status, bytes } = await download(`?size=${size}`);
    expect(status).toBe(200);
    expect(sizeOf(bytes)).toEqual([size, size]);
    if (size >= 128) expect(await textIn(bytes)).toBe(code.short_url);
  });

  // From the shortest link to the longest, so that images have several numbers of modules.
  test.each([
    ['abc', 'w'],
    ['abd', 'table-12'],
    ['Shop-Window', 'window'],
    ['a'.repeat(30), '-9'],
    ['m'.repeat(64), 'x'.repeat(24)],
  ])(
    'of %s at the placement %s scans to its exact link, as PNG and as SVG, by two decoders',
    async (shortCode, key) => {
      const { id, short_url } = await create({ short_code: shortCode });
      const { body: placement } = await api.call({
        method: 'POST',
        url: `/v1/qrcodes/${id}/placements`,
        key: owner.live,
        body: { key, name: 'Here' },
      });
      const link = `https://sign.example/${shortCode}.${key}`;
      expect([placement.short_url, `${short_url}.${key}`]).toEqual([link, link]);
      const [png, svg] = [
        await download(`?size=1024&placement=${key}`, {}, id),
        await download(`?format=svg&size=1024&placement=${key}`, {}, id),
      ];
      for (const image of [rasterOfPng(png.bytes), rasterOfSvg(svg.bytes.toString())])
        expect([await zxing(image), await zbar(image)]).toEqual([link, link]);
      expect(await textIn((await download('?size=1024', {}, id)).bytes)).toBe(short_url);
      const upper = await download(`?size=1024&placement=${key.toUpperCase()}`, {}, id);
      expect(upper.bytes.equals(png.bytes)).toBe(true);
      expect(upper.headers['content-disposition']).toBe(png.headers['content-disposition']);
    },
  );

  test.each([
    'size=63',
    'size=2049',
    'size=0',
    'size=-1',
    'size=abc',
    'size=',
    'size=512.5',
    'size=1e3',
    'format=gif',
    'format=',
    'size=512&size=600',
  ])('%s is refused by name', async query => {
    const { status, headers, bytes } = await download(`?${query}`);
    expect(status).toBe(400);
    expect(headers['x-ratelimit-remaining']).toMatch(/^\d+$/);
    expect(JSON.parse(bytes.toString()).error).toMatchObject({
      code: 'invalid_request',
      param: query.split('=')[0],
    });
  });

  test('a caller that has the image gets a 304, with the headers of the rate limit', async () => {
    const { headers } = await download();
    const etag = String(headers.etag);
    for (const ifNoneMatch of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await download('', { 'if-none-match': ifNoneMatch });
      expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, etag]);
      expect(again.headers['x-ratelimit-remaining']).toMatch(/^\d+$/);
    }
    expect((await download('', { 'if-none-match': '"other"' })).status).toBe(200);
    expect((await download('?size=513', { 'if-none-match': etag })).status).toBe(200);
    expect((await download('?format=svg', { 'if-none-match': etag })).status).toBe(200);
  });

  test('is for the owner only', async () => {
    const other = await api.account();
    for (const key of [owner.test, other.live]) {
      const { status, bytes } = await download('', {}, code.id, key);
      expect(status).toBe(404);
      expect(JSON.parse(bytes.toString()).error.code).toBe('not_found');
    }
    expect((await fetchImage(`/v1/qrcodes/${code.id}/download`)).status).toBe(401);
  });

  test('takes no style: it is always that of the code', async () => {
    const plain = await download();
    const { status, bytes } = await download('?dotsColor=%23FF0000&style=dots');
    expect(status).toBe(200);
    expect(bytes.equals(plain.bytes)).toBe(true);
  });

  test('a colour that got past the first check is stopped by the renderer', async () => {
    const bad = await create();
    await api.api.db.query(
      {
        name: 'spoil-style',
        text: `update qr_codes set style = '{"dotsColor": "#fff\\"/><script>"}' where lower(short_code) = $1`,
      },
      [bad.short_code],
    );
    const { status, bytes } = await download('?format=svg', {}, bad.id);
    expect(status).toBe(500);
    expect(bytes.toString()).not.toContain('script');
  });
});

describe('the public image', () => {
  test('needs no key, is a PNG of 512 pixels, and takes format and size', async () => {
    const { status, headers, bytes } = await fetchImage(pathOf(code.image_url));
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=3600, stale-while-revalidate=86400',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
    expect(headers).not.toHaveProperty('content-disposition');
    expect(sizeOf(bytes)).toEqual([512, 512]);
    expect(bytes.equals((await download()).bytes)).toBe(true);
    const svg = await fetchImage(`${pathOf(code.image_url)}?format=svg&size=100`);
    expect(svg.headers['content-security-policy']).toBe("default-src 'none'; sandbox");
    expect(svg.bytes.toString()).toContain('width="100"');
    expect((await fetchImage(pathOf(code.image_url), { 'if-none-match': String(headers.etag) })).status).toBe(
      304,
    );
  });

  test.each([
    '?size=9999',
    '?size=1',
    '?size=large',
    '?size=64&size=128',
    '?format=gif&format=png',
    '?format=webp&size=',
    '?utm_source=mail&from=x&__proto__=1',
    '?%00=%0d%0aX-Evil:1',
    '?%ff',
  ])('is never refused for what is behind its address: %s', async query => {
    const plain = await fetchImage(pathOf(code.image_url));
    const { status, headers, bytes } = await fetchImage(`${pathOf(code.image_url)}${query}`);
    expect(status).toBe(200);
    expect(bytes.equals(plain.bytes)).toBe(true);
    expect(headers).not.toHaveProperty('x-signpost-warning');
    expect(headers).not.toHaveProperty('x-evil');
  });

  test('ignores invalid query parameters and uses the valid ones', async () => {
    const { bytes } = await fetchImage(`${pathOf(code.image_url)}?format=webp&size=100&utm_source=mail`);
    expect(sizeOf(bytes)).toEqual([100, 100]);
  });

  test('exists for a draft, a paused and a test code too: they are printed before they are published', async () => {
    const draft = await create({ status: 'draft' });
    const testing = await create({}, owner.test);
    const paused = await create();
    await api.call({
      method: 'PATCH',
      url: `/v1/qrcodes/${paused.id}`,
      key: owner.live,
      body: { active: false },
    });
    for (const { image_url, short_url } of [draft, testing, paused]) {
      const { status, bytes } = await fetchImage(pathOf(image_url));
      expect(status).toBe(200);
      expect(await textIn(bytes)).toBe(short_url);
    }
  });

  test('is 410 after the code is deleted, and 404 for an id that never existed', async () => {
    const doomed = await create();
    expect((await fetchImage(pathOf(doomed.image_url))).status).toBe(200);
    await api.call({ method: 'DELETE', url: `/v1/qrcodes/${doomed.id}`, key: owner.live });
    const gone = await fetchImage(pathOf(doomed.image_url));
    expect([gone.status, JSON.parse(gone.bytes.toString()).error.code]).toEqual([410, 'gone']);
    expect((await download('', {}, doomed.id)).status).toBe(404);
    for (const id of ['qr_00000000000000000000000000', 'junk']) {
      expect((await fetchImage(`/images/${id}/public`)).status).toBe(404);
    }
  });
});

test('a short link with more modules than the image has pixels is refused with a hint', async () => {
  const long = await createTestApi({ SHORT_BASE_URL: `https://${'a'.repeat(60)}.${'b'.repeat(60)}.example` });
  const { live } = await long.account();
  const made = await long.call({
    method: 'POST',
    url: '/v1/qrcodes',
    key: live,
    body: { name: 'x', destination_url: 'https://example.com', short_code: 'c'.repeat(64) },
  });
  const url = `/v1/qrcodes/${made.body.id}/download`;
  expect(await long.call({ url: `${url}?size=64`, key: live })).toMatchObject({
    status: 400,
    body: { error: { code: 'invalid_request', param: 'size' } },
  });
  expect((await long.call({ url: `${url}?size=512`, key: live })).status).toBe(200);
  // The public image is drawn in the default size: a page that embeds it must not lose it.
  const shown = await long.api.app.inject({ url: `${pathOf(made.body.image_url)}?size=64` });
  expect([shown.statusCode, ...sizeOf(shown.rawPayload)]).toEqual([200, 512, 512]);
  await long.close();
});
