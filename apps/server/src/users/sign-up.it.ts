import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { createTestApi, type TestApi } from '../../../../test/support/api.ts';
import {
  createBrowser,
  dashboardEnv,
  goodPassword,
  newEmail,
  signUp,
} from '../../../../test/support/people.ts';
import { startSmtpSink } from '../../../../test/support/smtp-sink.ts';
import { waitUntil } from '../../../../tools/engines/wait.ts';

async function anApi(
  env: Record<string, string> = {},
  options: { holdsTwo?: boolean } = {},
): Promise<TestApi> {
  const api = await createTestApi({ ...dashboardEnv, ...env }, options);
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

test('of many who sign up first at once exactly one is the operator', async () => {
  const api = await anApi();
  const replies = await Promise.all(Array.from({ length: 8 }, () => tryToSignUp(api)));
  expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(201));
  expect(replies.filter(({ body }) => body.user.is_operator)).toHaveLength(1);
});

test('where sign-up is closed the first may come in and nobody after, also at once', async () => {
  const api = await anApi({ SIGN_UP: 'closed' }, { holdsTwo: true });
  const options = async () => (await createBrowser(api).call({ url: '/auth/options' })).body;
  expect(await options()).toEqual({ sign_up: true, first_user: true, sends_mail: false });
  const replies = await Promise.all(Array.from({ length: 4 }, () => tryToSignUp(api)));
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 403, 403, 403]);
  expect(await options()).toEqual({ sign_up: false, first_user: false, sends_mail: false });
});

test('an e-mail signs up once, in whatever case it is written, also at once', async () => {
  const api = await anApi();
  const email = newEmail();
  const replies = await Promise.all([email, email.toUpperCase(), email].map(one => tryToSignUp(api, one)));
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
  expect(replies.find(({ status }) => status === 400)!.body.error).toMatchObject({ param: 'email' });
});

test('newcomers get the plan that is set for them', async () => {
  const api = await anApi({ DEFAULT_PLAN: 'pro' });
  await signUp(api);
  const second = await signUp(api);
  expect((await second.call({ url: '/account/me' })).body.account).toMatchObject({
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
  await waitUntil('the mail is there', () => sink.mails.length > 0);
  expect(sink.mails).toHaveLength(1);
  const mail = sink.mails[0]!.replaceAll('=\n', '').replaceAll('=3D', '=');
  expect(mail).toContain(`${browser.email}>`);
  const token = /https:\/\/api\.signpost\.example\/app\/reset-password\?token=(\w+)/.exec(mail)![1]!;
  expect((await setPassword(api, token, 'short')).status).toBe(400);
  expect((await setPassword(api, token, 'a whole new password')).status).toBe(200);
  expect((await setPassword(api, token, 'yet another password')).status).toBe(400);
  expect((await browser.call({ url: '/account/me' })).status).toBe(401);
  expect((await signIn(api, browser.email, goodPassword)).status).toBe(401);
  expect((await signIn(api, browser.email, 'a whole new password')).status).toBe(200);
  // The link is in the mail alone.
  expect(api.log.join('')).not.toContain(token);
});

test('without SMTP the link is in the log, for the operator to hand on', async () => {
  const api = await anApi();
  const { email } = await signUp(api);
  await reset(api, email);
  const line = () => api.log.find(one => one.includes('hand this link'));
  await waitUntil('the link is in the log', () => line() !== undefined);
  const { link } = JSON.parse(line()!) as { link: string };
  const token = new URL(link).searchParams.get('token')!;
  expect((await setPassword(api, token, 'a whole new password')).status).toBe(200);
});
