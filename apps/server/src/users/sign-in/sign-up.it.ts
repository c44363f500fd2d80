import { randomBytes } from 'node:crypto';
import { createTestApi, type TestApi } from '@signpost/testing/api.ts';
import { createBrowser, dashboardEnv, goodPassword, newEmail, signUp } from '@signpost/testing/people.ts';
import { startSmtpSink } from '@signpost/testing/smtp-sink.ts';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { createResetLink } from '../recovery/reset-links.ts';

async function anApi(env: Record<string, string> = {}): Promise<TestApi> {
  const api = await createTestApi({ ...dashboardEnv, ...env });
  onTestFinished(() => void api.close());
  return api;
}

const tryToSignUp = (api: TestApi, email = newEmail()) =>
  createBrowser(api).call({
    method: 'POST',
    url: '/auth/sign-up',
    body: { name: 'Somebody', email, password: goodPassword },
  });

const reset = (api: TestApi, email: string) =>
  createBrowser(api).call({ method: 'POST', url: '/auth/request-reset', body: { email } });

const setPassword = (api: TestApi, token: string, password: string) =>
  createBrowser(api).call({ method: 'POST', url: '/auth/reset-password', body: { token, password } });

const signIn = (api: TestApi, email: string, password: string) =>
  createBrowser(api).call({ method: 'POST', url: '/auth/sign-in', body: { email, password } });

test('an e-mail signs up once, in whatever case it is written, also at once', async () => {
  const api = await anApi();
  const email = newEmail();
  const replies = await Promise.all([email, email.toUpperCase(), email].map(one => tryToSignUp(api, one)));
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
  expect(replies.find(({ status }) => status === 400)!.body.error).toMatchObject({ param: 'email' });
});

test('newcomers get the plan that is set for them', async () => {
  const api = await anApi({ DEFAULT_PLAN: 'pro' });
  const newcomer = await signUp(api);
  expect((await newcomer.call({ url: '/account/me' })).body.account).toMatchObject({
    plan: 'pro',
    quota_scope: 'pool',
  });
});

test('sign-ups from one address are limited', async () => {
  const api = await anApi({ SIGN_UPS_PER_HOUR: '2', AUTH_SECRET: randomBytes(24).toString('hex') });
  const statuses = [];
  for (let n = 0; n < 3; n++) statuses.push((await tryToSignUp(api)).status);
  expect(statuses).toEqual([201, 201, 429]);
});

test('a reset link comes by mail, works once, and ends every session', async () => {
  const sink = await startSmtpSink();
  onTestFinished(() => sink.close());
  const api = await anApi({ SMTP_URL: sink.url, MAIL_FROM: 'Signpost <post@signpost.example>' });
  const browser = await signUp(api);
  expect((await reset(api, newEmail())).status).toBe(200);
  expect((await reset(api, browser.email.toUpperCase())).status).toBe(200);
  const mail = await sink.mail('Set a new password');
  expect(mail).toContain(`To: ${browser.email}\n`);
  const token = /https:\/\/api\.signpost\.example\/app\/reset-password#token=([\w-]+)/.exec(mail)![1]!;
  expect((await setPassword(api, token, 'short')).status).toBe(400);
  expect((await setPassword(api, token, 'a whole new password')).status).toBe(200);
  expect((await setPassword(api, token, 'yet another password')).status).toBe(400);
  expect((await browser.call({ url: '/account/me' })).status).toBe(401);
  expect((await signIn(api, browser.email, goodPassword)).status).toBe(401);
  expect((await signIn(api, browser.email, 'a whole new password')).status).toBe(200);
  // The link is in the mail alone, and nobody was mailed whom nobody knows.
  expect(api.log.join('')).not.toContain(token);
  expect(sink.mails.filter(one => one.includes('Set a new password'))).toHaveLength(1);
});

test('without SMTP a request for a link answers the same, and the operator can make one', async () => {
  const api = await anApi();
  const { email } = await signUp(api);
  expect((await reset(api, email)).body).toEqual((await reset(api, newEmail())).body);
  const parts = { db: api.api.db, clock: systemClock, publicUrl: api.config.publicUrl };
  expect(await createResetLink(parts, newEmail())).toBeNull();
  const link = (await createResetLink(parts, email.toUpperCase()))!;
  const token = new URLSearchParams(new URL(link).hash.slice(1)).get('token')!;
  expect((await setPassword(api, token, 'a whole new password')).status).toBe(200);
  expect(api.log.join('')).not.toMatch(/token=|reset-password#/);
});
