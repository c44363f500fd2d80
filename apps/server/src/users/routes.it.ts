import { createTestApi, type TestApi } from '@signpost/testing/api.ts';
import {
  createBrowser,
  dashboardEnv,
  goodPassword,
  newEmail,
  setCookies,
  signUp,
} from '@signpost/testing/people.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi(dashboardEnv);
});
afterAll(() => api.close());

describe('sign-up', () => {
  test('makes an ordinary user with the default plan, also of the first', async () => {
    const first = await signUp(api);
    const me = await first.call({ url: '/account/me' });
    expect(me.status).toBe(200);
    expect(me.body).toMatchObject({
      user: { email: first.email, name: 'Somebody', is_operator: false },
      account: {
        plan: 'free',
        code_quota: 100,
        codes_used: 0,
        quota_scope: 'api',
        webhooks: false,
        test_short_base_url: expect.stringMatching(
          /^https:\/\/sign\.example\/t\/[23456789bcdfghjkmnpqrstvwxyz]{8}$/,
        ),
      },
      service: { short_base_url: 'https://sign.example', visitor_window: 'month' },
    });
  });

  test('the cookie is HttpOnly, Secure and SameSite=Strict where the address is https', async () => {
    const browser = createBrowser(api);
    const reply = await browser.call({
      method: 'POST',
      url: '/auth/sign-up',
      body: { name: 'A', email: newEmail(), password: goodPassword },
    });
    expect(reply.status).toBe(201);
    expect(setCookies(reply)).toEqual([
      expect.stringMatching(/^__Secure-signpost\.session_token=.*HttpOnly.*Secure.*SameSite=Strict/i),
      expect.stringMatching(/^__Host-signpost\.known\.\w+=.*Path=\/; HttpOnly; SameSite=Strict; Secure$/),
    ]);
    // The session is in the cookie alone: no script can read it, nor pass it on.
    const token = decodeURIComponent(setCookies(reply)[0]!.split(/[=;]/)[1]!).split('.')[0]!;
    expect(reply.text).not.toContain(token);
  });

  test('a password has 10 to 128 characters', async () => {
    const tries = ['123456789', 'x'.repeat(129)];
    for (const password of tries) {
      const reply = await createBrowser(api).call({
        method: 'POST',
        url: '/auth/sign-up',
        body: { name: 'A', email: newEmail(), password },
      });
      expect(reply).toMatchObject({ status: 400, body: { error: { param: 'password' } } });
    }
  });
});

describe('sign-in', () => {
  test('opens the account again, and signing out ends the session at once', async () => {
    const { email } = await signUp(api);
    const browser = createBrowser(api);
    const signedIn = await browser.call({
      method: 'POST',
      url: '/auth/sign-in',
      body: { email: email.toUpperCase(), password: goodPassword },
    });
    expect(signedIn).toMatchObject({ status: 200, body: { user: { email } } });
    const stolen = new Map(browser.cookies);
    expect((await browser.call({ url: '/account/me' })).status).toBe(200);
    expect((await browser.call({ method: 'POST', url: '/auth/sign-out' })).status).toBe(200);
    for (const [name, value] of stolen) browser.cookies.set(name, value);
    expect(await browser.call({ url: '/account/me' })).toMatchObject({
      status: 401,
      body: { error: { code: 'unauthorized' } },
    });
  });
});

describe('keys in the settings', () => {
  test('are made, shown once, listed, work, and stop working when revoked', async () => {
    const browser = await signUp(api);
    const made = await browser.call({
      method: 'POST',
      url: '/account/keys',
      body: { name: 'CI', mode: 'test', current_password: goodPassword },
    });
    expect(made).toMatchObject({ status: 201, body: { name: 'CI', mode: 'test', last_used_at: null } });
    const { key, id } = made.body;
    expect((await api.call({ url: '/v1/qrcodes', key })).status).toBe(200);
    await api.api.uses.flush();
    const listed = await browser.call({ url: '/account/keys' });
    expect(listed.text).not.toContain(key);
    expect(listed.body.data).toEqual([
      expect.objectContaining({
        id,
        name: 'CI',
        mode: 'test',
        prefix: 'sk_test_',
        last_four: key.slice(-4),
        last_used_at: expect.stringMatching(/^20/),
      }),
    ]);
    expect((await browser.call({ method: 'DELETE', url: `/account/keys/${id}` })).status).toBe(200);
    expect((await api.call({ url: '/v1/qrcodes', key })).status).toBe(401);
    expect((await browser.call({ url: '/account/keys' })).body.data).toEqual([]);
  });
});

describe('the API by session', () => {
  test('answers for the account and the mode of the header, by the same handlers', async () => {
    const browser = await signUp(api);
    const made = await browser.call({
      method: 'POST',
      url: '/account/v1/qrcodes',
      body: { name: 'Menu', destination_url: 'https://example.com' },
      mode: 'test',
    });
    expect(made.status).toBe(201);
    const url = `/account/v1/qrcodes/${made.body.id}`;
    expect(await browser.call({ url, mode: 'test' })).toMatchObject({ status: 200, body: { name: 'Menu' } });
    expect((await browser.call({ url: `${url}?mode=test` })).status).toBe(200);
    expect((await browser.call({ url })).status).toBe(404);
    expect((await browser.call({ url, headers: { 'x-signpost-mode': 'both' } })).status).toBe(400);
  });
});
