import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { createTestApi, type TestApi } from '@signpost/testing/api.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = join(mkdtempSync(join(tmpdir(), 'signpost-reference-')), 'dist');
const script = `export const text = '${'a'.repeat(5000)}';`;
mkdirSync(join(root, 'assets'), { recursive: true });
writeFileSync(join(root, 'index.html'), '<!doctype html><title>Signpost API reference</title>');
writeFileSync(join(root, 'assets/index-4f3a.js'), script);
writeFileSync(join(root, 'assets/index-4f3a.js.br'), brotliCompressSync(script));
writeFileSync(join(root, '../secret.txt'), 'not yours');

describe('the reference', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await createTestApi({}, { referenceRoot: root });
  });
  afterAll(() => api.close());

  test('lets no script from elsewhere run, and sends nothing elsewhere', async () => {
    const page = await api.call({ url: '/docs' });
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('<title>Signpost API') });
    expect(page.headers['cache-control']).toBe('no-cache');
    const policy = page.headers['content-security-policy']!;
    for (const part of ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "font-src 'self'"])
      expect(policy.split('; ')).toContain(part);
    expect(policy).not.toMatch(/unsafe-eval|https?:|\*/);
    expect(policy.replace("style-src 'self' 'unsafe-inline'", '')).not.toContain('unsafe');
  });

  test('keeps its files for a year, since a changed one has another name, and sends them compressed', async () => {
    const url = '/docs/assets/index-4f3a.js';
    const { headers, rawPayload } = await api.api.app.inject({ url, headers: { 'accept-encoding': 'br' } });
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(headers['content-type']).toMatch(/javascript/);
    expect(headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(rawPayload).toString()).toBe(script);
    expect((await api.call({ url })).text).toBe(script);
  });

  test.each(['index-old.js', '..%2F..%2Fsecret.txt', '%2e%2e/secret.txt', '..', ''])(
    'has no other file: %s',
    async name => {
      const { status, text } = await api.call({ url: `/docs/assets/${name}` });
      expect(status).toBe(404);
      expect(text).not.toContain('not yours');
    },
  );

  test('has the API as text for agents, under the address of the installation', async () => {
    for (const url of ['/llms.txt', '/llms-full.txt']) {
      const { status, headers, text } = await api.call({ url });
      expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
      expect(text).toContain('Base URL: https://api.signpost.example\n');
    }
  });
});

test('before it is built, the reference is there as text', async () => {
  const api = await createTestApi({}, { referenceRoot: join(root, 'nowhere') });
  const { status, text } = await api.call({ url: '/docs' });
  expect(status).toBe(200);
  expect(text).toContain('npm run build');
  expect(text).toContain('POST /v1/qrcodes');
  expect((await api.call({ url: '/docs/assets/index-4f3a.js' })).status).toBe(404);
  await api.close();
});
