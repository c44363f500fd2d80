import { Resvg } from '@resvg/resvg-js';
import { createTestApi, type TestAccount, type TestApi } from '@signpost/testing/api.ts';
import { paulmillr, zxing } from '@signpost/testing/decoders.ts';
import { rasterOfPng, rasterOfSvg } from '@signpost/testing/raster.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../platform/postgres/postgres.ts';

let api: TestApi;
let owner: TestAccount;
let stranger: TestAccount;

beforeAll(async () => {
  api = await createTestApi();
  owner = await api.account();
  stranger = await api.account();
});
afterAll(() => api.close());

const svg = (color: string, more = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><rect width="100" height="100" rx="20" fill="${color}"/><circle cx="50" cy="50" r="30" fill="#fff"/>${more}</svg>`;
const pngOf = (color: string, width = 200) =>
  new Resvg(svg(color), { fitTo: { mode: 'width', value: width } }).render().asPng().toString('base64');

const call = (method: string, url: string, body?: object, key = owner.live) =>
  api.call({ method: method as 'POST', url, key, ...(body ? { body } : {}) });
const upload = (body: object, key = owner.live) => call('POST', '/v1/assets', body, key);
const newCode = (style: object, more = {}) =>
  call('POST', '/v1/qrcodes', { name: 'Menu', destination_url: 'https://example.com/menu', style, ...more });

describe('a logo', () => {
  test('is stored once, listed, read as PNG and as SVG, and belongs to one account and mode', async () => {
    const image = pngOf('#c2185b');
    const first = await upload({ image, vector: svg('#c2185b') });
    expect(first).toMatchObject({ status: 201, body: { width: 200, height: 200, has_vector: true } });
    const again = await upload({ image, vector: svg('#c2185b') });
    expect(again.body).toEqual(first.body);
    const { id } = first.body;
    expect((await call('GET', '/v1/assets')).body.data[0]).toEqual(first.body);
    const png = await api.call({ url: `/v1/assets/${id}/download`, key: owner.live });
    expect(png.headers['content-type']).toBe('image/png');
    const asSvg = await api.call({ url: `/v1/assets/${id}/download?format=svg`, key: owner.live });
    expect(asSvg.headers['content-security-policy']).toBe("default-src 'none'; sandbox");
    for (const key of [stranger.live, owner.test]) {
      expect((await call('GET', `/v1/assets/${id}`, undefined, key)).status).toBe(404);
      expect((await call('DELETE', `/v1/assets/${id}`, undefined, key)).status).toBe(404);
      const other = await call(
        'POST',
        '/v1/qrcodes',
        { name: 'x', destination_url: 'https://example.com', style: { logo: { asset_id: id } } },
        key,
      );
      expect(other).toMatchObject({ status: 400, body: { error: { param: 'style.logo.asset_id' } } });
    }
  });

  test('is drawn into every format, read back, and counted in the scannability', async () => {
    const { id } = (await upload({ image: pngOf('#0d47a1'), vector: svg('#0d47a1') })).body;
    for (const size of ['small', 'medium', 'large']) {
      const made = await newCode({ dotsType: 'rounded', logo: { asset_id: id, size, shape: 'circle' } });
      expect(made.status).toBe(201);
      const { short_url: link, scannability, image_url } = made.body;
      const { modules, of, used, budget } = scannability.logo;
      expect(modules / of).toBeGreaterThanOrEqual({ small: 0.15, medium: 0.2, large: 0.3 }[size]!);
      expect(used).toBeLessThanOrEqual(budget);
      const open = await api.call({ url: new URL(image_url).pathname });
      const picture = rasterOfPng(open.bytes);
      expect([await zxing(picture), await paulmillr(picture)]).toEqual([link, link]);
      const download = (query: string) =>
        api.call({ url: `/v1/qrcodes/${made.body.id}/download?${query}`, key: owner.live });
      const drawn = await download('format=svg');
      expect(drawn.headers['content-security-policy']).toBe("default-src 'none'; img-src data:; sandbox");
      expect(await zxing(rasterOfSvg(drawn.bytes.toString()))).toBe(link);
      expect((await download('format=pdf&width_mm=30')).bytes.subarray(0, 8).toString()).toBe('%PDF-1.4');
      expect((await download('format=eps')).bytes.subarray(0, 23).toString()).toBe('%!PS-Adobe-3.0 EPSF-3.0');
    }
  });

  test('in use is not deleted; once nothing uses it, it is', async () => {
    const { id } = (await upload({ image: pngOf('#004d40') })).body;
    const made = await newCode({ logo: { asset_id: id } });
    expect(await call('DELETE', `/v1/assets/${id}`)).toMatchObject({
      status: 409,
      body: { error: { code: 'asset_in_use' } },
    });
    await call('DELETE', `/v1/qrcodes/${made.body.id}`);
    expect((await call('DELETE', `/v1/assets/${id}`)).body).toEqual({ deleted: true, id });
    expect((await call('GET', `/v1/assets/${id}`)).status).toBe(404);
    expect((await newCode({ logo: { asset_id: id } })).status).toBe(400);
  });

  test('too much for the plan is refused with what is used', async () => {
    const small = await api.account();
    await api.api.db.query(
      sql(
        'narrow-assets',
        `update plans set asset_bytes = 3000 where name = (select plan from accounts limit 1)`,
      ),
    );
    const refused = await upload({ image: pngOf('#b71c1c', 400) }, small.live);
    await api.api.db.query(sql('wide-assets', 'update plans set asset_bytes = 50000000'));
    expect(refused).toMatchObject({
      status: 403,
      body: { error: { code: 'quota_exceeded', limit: 3000, used: 0 } },
    });
  });

  test('that is no picture, damaged, too small or too large is refused, and the message says why', async () => {
    const good = Buffer.from(pngOf('#263238', 300), 'base64');
    const bomb = Buffer.from(good);
    bomb.writeUInt32BE(30_000, 16);
    const cases: [Buffer, RegExp][] = [
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"></svg>'), /not a PNG/],
      [good.subarray(0, good.length / 2), /damaged/],
      [Buffer.from(pngOf('#263238', 40), 'base64'), /64 to 2048/],
      [bomb, /30000 × 300/],
      [Buffer.concat([good.subarray(0, 33), Buffer.alloc(500, 7)]), /damaged/],
    ];
    for (const [bytes, why] of cases) {
      const refused = await upload({ image: bytes.toString('base64') });
      expect(refused).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid_asset', param: 'image' } },
      });
      expect(refused.body.error.message).toMatch(why);
    }
    for (const bad of [
      '<script>alert(1)</script>',
      '<image href="http://x/"/>',
      '<rect onload="a()"/>',
      '<use href="#a"/>',
    ]) {
      const refused = await upload({ image: good.toString('base64'), vector: svg('#000', bad) });
      expect(refused).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid_asset', param: 'vector' } },
      });
    }
  });
});

describe('a design', () => {
  test('is copied into codes, whose own fields win; changing it changes no code', async () => {
    const style = { dotsType: 'dots', dotsColor: '#1A3A8A' };
    const made = await call('POST', '/v1/designs', { name: 'House', style, is_default: true });
    expect(made).toMatchObject({
      status: 201,
      body: { name: 'House', style, frame: null, is_default: true },
    });
    const { id } = made.body;
    const code = (await newCode({ dotsColor: '#B71C1C' }, { design_id: id })).body;
    expect(code.style).toEqual({ dotsType: 'dots', dotsColor: '#B71C1C' });
    const before = await api.call({ url: new URL(code.image_url).pathname });
    await call('PATCH', `/v1/designs/${id}`, {
      style: { dotsType: 'classy' },
      frame: { type: 'card', text: 'Scan me' },
    });
    const after = await api.call({ url: new URL(code.image_url).pathname });
    expect(after.bytes.equals(before.bytes)).toBe(true);
    expect((await call('GET', `/v1/qrcodes/${code.id}`)).body.style).toEqual(code.style);
    // Another default takes the place of the first.
    await call('POST', '/v1/designs', { name: 'New', style: {}, is_default: true });
    expect((await call('GET', `/v1/designs/${id}`)).body.is_default).toBe(false);
    expect((await newCode({}, { design_id: id, name: 'x' })).status).toBe(201);
    const foreign = await call(
      'POST',
      '/v1/qrcodes',
      { name: 'x', destination_url: 'https://example.com', design_id: id },
      stranger.live,
    );
    expect(foreign).toMatchObject({ status: 400, body: { error: { param: 'design_id' } } });
    expect((await call('DELETE', `/v1/designs/${id}`)).status).toBe(200);
  });

  test('draws a download, with its frame, and leaves the code as it is', async () => {
    const { id } = (await upload({ image: pngOf('#311b92') })).body;
    const design = (
      await call('POST', '/v1/designs', {
        name: 'Poster',
        style: {
          logo: { asset_id: id, size: 'large' },
          dotsGradient: {
            type: 'radial',
            stops: [
              { offset: 0, color: '#311B92' },
              { offset: 1, color: '#880E4F' },
            ],
          },
        },
        frame: { type: 'bubble', text: 'Σκανάρετε με' },
      })
    ).body;
    const code = (await newCode({})).body;
    const url = `/v1/qrcodes/${code.id}/download`;
    const drawn = await api.call({ url: `${url}?design=${design.id}&size=600`, key: owner.live });
    const picture = rasterOfPng(drawn.bytes);
    expect(picture.height).toBeGreaterThan(picture.width);
    expect([await zxing(picture), await paulmillr(picture)]).toEqual([code.short_url, code.short_url]);
    const plain = await api.call({ url: `${url}?size=600`, key: owner.live });
    expect(plain.headers.etag).not.toBe(drawn.headers.etag);
    expect((await call('GET', `/v1/qrcodes/${code.id}`)).body.style).toEqual({});
    expect((await call('DELETE', `/v1/assets/${id}`)).status).toBe(409);
    const foreign = (await call('POST', '/v1/designs', { name: 'x', style: {} }, stranger.live)).body;
    expect((await api.call({ url: `${url}?design=${foreign.id}`, key: owner.live })).status).toBe(404);
  });

  test('that no scanner could read is refused', async () => {
    const gradient = (colors: string[]) => ({
      dotsGradient: {
        type: 'linear',
        stops: colors.map((color, at) => ({ offset: at / (colors.length - 1), color })),
      },
    });
    expect(
      await call('POST', '/v1/designs', { name: 'x', style: gradient(['#000000', '#FAFAFA']) }),
    ).toMatchObject({
      status: 400,
      body: { error: { code: 'unscannable_style', param: 'style.dotsGradient' } },
    });
    const wrong = {
      dotsGradient: {
        type: 'linear',
        stops: [
          { offset: 1, color: '#000000' },
          { offset: 0, color: '#111111' },
        ],
      },
    };
    expect(await newCode(wrong)).toMatchObject({
      status: 400,
      body: { error: { param: 'style.dotsGradient.stops' } },
    });
    const { id } = (await upload({ image: pngOf('#1b5e20') })).body;
    const long = await newCode(
      { logo: { asset_id: id, size: 'large' } },
      { short_code: `long-${'x'.repeat(58)}` },
    );
    expect(long).toMatchObject({
      status: 400,
      body: { error: { code: 'unscannable_style', param: 'style.logo.size' } },
    });
  });
});

describe('what a download is asked for', () => {
  test.each([
    ['format=pdf&color=k', 200],
    ['format=eps&color=k&width_mm=2000', 200],
    ['format=png&dpi=300&background=transparent', 200],
    ['format=svg&width_mm=40&background=transparent', 200],
    ['frame=card&frame_text=Scan%20me&frame_color=%23B71C1C', 200],
    ['format=png&color=k', 400],
    ['format=pdf&background=transparent', 400],
    ['format=pdf&width_mm=9', 400],
    ['format=pdf&bleed_mm=11', 400],
    ['frame=card', 400],
    ['frame_text=Hello', 400],
    ['frame=card&frame_text=%E6%89%AB', 400],
  ])('%s answers %i', async (query, status) => {
    const { id } = (await newCode({})).body;
    expect((await api.call({ url: `/v1/qrcodes/${id}/download?${query}`, key: owner.live })).status).toBe(
      status,
    );
  });

  test('black ink alone is for codes that are nearly black', async () => {
    const { id } = (await newCode({ dotsColor: '#1A3A8A' })).body;
    const refused = await api.call({ url: `/v1/qrcodes/${id}/download?format=pdf&color=k`, key: owner.live });
    expect(refused).toMatchObject({ status: 400, body: { error: { param: 'color' } } });
  });
});

test('a bulk with one design is proven once, and each item gets its style', async () => {
  const { id } = (await upload({ image: pngOf('#e65100') })).body;
  const design = (await call('POST', '/v1/designs', { name: 'Bulk', style: { logo: { asset_id: id } } }))
    .body;
  const items = Array.from({ length: 60 }, (_, n) => ({
    name: `Table ${n}`,
    destination_url: 'https://example.com',
    design_id: n === 7 ? `${design.id.slice(0, -6)}000000` : design.id,
  }));
  const { body } = await call('POST', '/v1/qrcodes/bulk', { items });
  expect(body).toMatchObject({ created: 59, failed: 1 });
  expect(body.data[7].error.param).toBe('design_id');
  expect(body.data[8].qr_code.style).toEqual({ logo: { asset_id: id } });
});
