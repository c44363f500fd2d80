import { createTestApi, type TestAccount, type TestApi } from '@signpost/testing/api.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const limit = 5;
const proxy = '10.1.1.1';
let api: TestApi;
let owner: TestAccount;
let path: string;
let id: string;

beforeAll(async () => {
  api = await createTestApi({ PUBLIC_IMAGES_PER_MINUTE: String(limit), TRUSTED_PROXIES: proxy });
  owner = await api.account();
  const body = { name: 'Menu', destination_url: 'https://example.com/menu' };
  const { image_url, id: qrId } = (
    await api.call({ method: 'POST', url: '/v1/qrcodes', key: owner.live, body })
  ).body;
  path = new URL(image_url).pathname;
  id = qrId;
});
afterAll(() => api.close());

/** Each test draws sizes that no other test draws. */
let size = 64;
const newSize = () => ++size;
const see = (query: string, address: string, headers: Record<string, string> = {}) =>
  api.call({ url: `${path}?${query}`, address, headers });

async function useUp(address: string): Promise<void> {
  for (let i = 0; i < limit; i++) expect((await see(`size=${newSize()}`, address)).status).toBe(200);
}

describe('the limit of public images for an address', () => {
  test('refuses images that would have to be drawn, with the time to wait, and the refusal must not be cached', async () => {
    await useUp('192.0.2.1');
    const refused = await see(`size=${newSize()}`, '192.0.2.1');
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'rate_limit_exceeded' } } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(50);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(refused.headers).not.toHaveProperty('etag');
    expect(refused.headers['cache-control'] ?? '').not.toMatch(/public|max-age/);
    expect((await see(`size=${newSize()}&format=svg`, '192.0.2.1')).status).toBe(429);
    expect((await see(`size=${newSize()}`, '192.0.2.2')).status).toBe(200);
  });

  test('does not apply to images in memory, nor to 304', async () => {
    const [drawn, never] = [newSize(), newSize()];
    const { headers } = await see(`size=${drawn}`, '192.0.2.20');
    const other = await api.call({ url: `/v1/qrcodes/${id}/download?size=${never}`, key: owner.live });
    await useUp('192.0.2.3');
    expect((await see(`size=${newSize()}`, '192.0.2.3')).status).toBe(429);
    for (let i = 0; i < 3 * limit; i++) {
      expect((await see(`size=${drawn}`, '192.0.2.3')).status).toBe(200);
      const known = { 'if-none-match': headers.etag! };
      expect((await see(`size=${drawn}`, '192.0.2.3', known)).status).toBe(304);
    }
    // An image that is not in memory either: a client that has it needs no drawing.
    const fresh = await createTestApi({
      PUBLIC_IMAGES_PER_MINUTE: '1',
      DATABASE_URL: api.config.databaseUrl,
    });
    const ask = (query: string, more = {}) => fresh.call({ url: `${path}?${query}`, ...more });
    try {
      expect((await ask(`size=${newSize()}`)).status).toBe(200);
      expect((await ask(`size=${never}`)).status).toBe(429);
      const known = { 'if-none-match': other.headers.etag! };
      expect((await ask(`size=${never}`, { headers: known })).status).toBe(304);
    } finally {
      await fresh.close();
    }
  });

  test('is not used up by images from memory', async () => {
    const drawn = newSize();
    await see(`size=${drawn}`, '192.0.2.40');
    for (let i = 0; i < 3 * limit; i++) await see(`size=${drawn}`, '192.0.2.4');
    await useUp('192.0.2.4');
  });

  test('is shared by a whole /64 of IPv6, and separate for each address behind a trusted proxy', async () => {
    await useUp('2001:db8:0:7::1');
    expect((await see(`size=${newSize()}`, '2001:db8:0:7:ffff::9')).status).toBe(429);
    expect((await see(`size=${newSize()}`, '2001:db8:0:8::1')).status).toBe(200);
    const from = (address: string) =>
      see(`size=${newSize()}`, proxy, { 'x-forwarded-for': address }).then(({ status }) => status);
    for (let i = 0; i < limit; i++) expect(await from('192.0.2.5')).toBe(200);
    expect([await from('192.0.2.5'), await from('192.0.2.6')]).toEqual([429, 200]);
  });

  test('counts a large image as four', async () => {
    const ask = (query: string) => see(query, '192.0.2.9').then(({ status }) => status);
    expect(await ask('size=1500')).toBe(200);
    expect(await ask('size=1501')).toBe(429);
    expect(await ask('size=1501&format=svg')).toBe(200);
    expect(await ask(`size=${newSize()}`)).toBe(429);
  });

  test('does not apply to owners, nor to images with unknown query parameters', async () => {
    await useUp('192.0.2.7');
    for (let i = 0; i < 2 * limit; i++) {
      const url = `/v1/qrcodes/${id}/download?size=${newSize()}`;
      expect((await api.call({ url, key: owner.live, address: '192.0.2.7' })).status).toBe(200);
    }
    expect((await see(`size=${size}&utm_source=poster&x=%F0`, '192.0.2.7')).status).toBe(200);
  });
});

test('a flood of public requests does not delay an owner', async () => {
  let answered = 0;
  const flood = Array.from({ length: 40 }, (_, i) =>
    see(`size=${1900 + i}`, `198.51.100.${i}`).then(({ status }) => {
      answered++;
      return status;
    }),
  );
  await Promise.race(flood);
  const url = `/v1/qrcodes/${id}/download?size=2047`;
  expect((await api.call({ url, key: owner.live })).status).toBe(200);
  console.log(`images: an owner was answered after ${answered} of ${flood.length} strangers`);
  // In the order of arrival the owner would have been the last.
  expect(answered).toBeLessThan(15);
  expect(new Set(await Promise.all(flood))).toEqual(new Set([200]));
});
