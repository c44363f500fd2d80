import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestApi, type TestApi } from '@signpost/testing/api.ts';
import { dashboardEnv } from '@signpost/testing/people.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = join(mkdtempSync(join(tmpdir(), 'signpost-dashboard-')), 'dist');
mkdirSync(join(root, 'assets'), { recursive: true });
writeFileSync(join(root, 'index.html'), '<!doctype html><title>Signpost</title>');
writeFileSync(join(root, 'index.de.html'), '<!doctype html><html lang="de"><title>Signpost</title>');
writeFileSync(join(root, 'assets/main-4f3a.js'), 'export {};');
writeFileSync(join(root, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
writeFileSync(join(root, '../secret.txt'), 'not yours');

describe('the files of the dashboard', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await createTestApi(dashboardEnv, { dashboardRoot: root });
  });
  afterAll(() => api.close());

  test('files with a hash in their name are kept for ever, the page is asked for every time', async () => {
    const script = await api.call({ url: '/app/assets/main-4f3a.js' });
    expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(script.headers['content-type']).toMatch(/javascript/);
    const page = await api.call({ url: '/app/' });
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('<title>Signpost') });
    expect(page.headers['cache-control']).toBe('no-store');
    expect((await api.call({ url: '/app/favicon.svg' })).headers['content-type']).toMatch(/svg/);
  });

  test('every other path below is the page, but never a script that is gone', async () => {
    const page = await api.call({ url: '/app/codes/qr_1?x=1' });
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('<title>Signpost') });
    expect((await api.call({ url: '/app/assets/main-old.js' })).status).toBe(404);
  });

  test.each([
    ['what the browser prefers', { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' }, true],
    [
      'what somebody chose in it, whatever it prefers',
      { cookie: 'a=b; signpost-language=de', 'accept-language': 'en' },
      true,
    ],
    ['English, chosen', { cookie: 'signpost-language=en', 'accept-language': 'de' }, false],
    [
      'English, where there is no such language',
      { cookie: 'signpost-language=tlh', 'accept-language': 'tlh' },
      false,
    ],
    ['English, where that language is not built', { cookie: 'signpost-language=fr' }, false],
    ['English, where a cookie only ends like ours', { cookie: 'x-signpost-language=de' }, false],
    ['English, by default', {}, false],
  ])('the page is in the language of the browser: %s', async (_, headers, isGerman) => {
    for (const url of ['/app/', '/app/codes/qr_1'])
      expect((await api.call({ url, headers })).text.includes('lang="de"')).toBe(isGerman);
  });

  test('no script may stand in the page, no other page may frame it, nothing is guessed of a type', async () => {
    for (const url of ['/app/', '/app/assets/main-4f3a.js', '/app/elsewhere']) {
      const { headers } = await api.call({ url });
      const policy = headers['content-security-policy']!;
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'same-origin',
      });
    }
  });

  test.each(['/app/../secret.txt', '/app/..%2Fsecret.txt', '/app/%2e%2e/secret.txt', '/app/..%5Csecret.txt'])(
    'nothing outside of it is read: %s',
    async url => {
      expect((await api.call({ url })).text).not.toContain('not yours');
    },
  );

  test('the root leads there', async () => {
    for (const url of ['/', '/app']) {
      expect(await api.call({ url })).toMatchObject({ status: 302, headers: { location: '/app/' } });
    }
  });
});

test('without a build a page says how to make one', async () => {
  const api = await createTestApi(dashboardEnv, { dashboardRoot: join(root, 'nowhere') });
  for (const url of ['/', '/app/', '/app/codes']) {
    expect(await api.call({ url, headers: { accept: 'text/html,*/*' } })).toMatchObject({
      status: 404,
      text: expect.stringContaining('npm run build'),
    });
  }
  expect(await api.call({ url: '/' })).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  await api.close();
});

test('without AUTH_SECRET the dashboard is off and says so, and the API works', async () => {
  const api = await createTestApi({}, { dashboardRoot: root });
  expect(await api.call({ url: '/app/' })).toMatchObject({
    status: 404,
    text: expect.stringContaining('AUTH_SECRET'),
  });
  for (const url of ['/auth/sign-in', '/account/me', '/account/v1/qrcodes']) {
    const reply = await api.call({ method: 'POST', url, body: {} });
    expect(reply).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } });
    expect(reply.body.error.message).toContain('AUTH_SECRET');
  }
  expect(api.log.join('')).toContain('the dashboard is off');
  const { live } = await api.account();
  expect((await api.call({ url: '/v1/qrcodes', key: live })).status).toBe(200);
  await api.close();
});
