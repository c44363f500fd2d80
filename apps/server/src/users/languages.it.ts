import { createTestApi, roomyPlan, type TestApi } from '@signpost/testing/api.ts';
import { createBrowser, dashboardEnv, goodPassword, newEmail, signUp } from '@signpost/testing/people.ts';
import { type SmtpSink, startSmtpSink } from '@signpost/testing/smtp-sink.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let api: TestApi;
let sink: SmtpSink;

beforeAll(async () => {
  sink = await startSmtpSink();
  api = await createTestApi({ ...dashboardEnv, DEFAULT_PLAN: roomyPlan, SMTP_URL: sink.url });
});
afterAll(async () => {
  await api.close();
  sink.close();
});

async function signUpIn(language?: string) {
  const browser = createBrowser(api);
  const email = newEmail();
  const body = { name: 'Somebody', email, password: goodPassword, ...(language ? { language } : {}) };
  const reply = await browser.call({ method: 'POST', url: '/auth/sign-up', body });
  return { ...browser, email, reply };
}

const languageOf = async (browser: Pick<Awaited<ReturnType<typeof signUpIn>>, 'call'>) =>
  (await browser.call({ url: '/account/me' })).body.language;

test('the first mail is in the language of the dashboard in which somebody signed up', async () => {
  const person = await signUpIn('de');
  expect(person.reply.status).toBe(201);
  expect(await languageOf(person)).toBe('de');
  await sink.mail(`To: ${person.email}`, 'Wenn Sie dieses Konto nicht erstellt haben');
});

test('without a choice mails are in English, and no language is reported', async () => {
  const person = await signUpIn();
  expect(await languageOf(person)).toBeNull();
  await sink.mail(`To: ${person.email}`, "If you didn't create this account");
});

test('a person chooses another language, and mails follow', async () => {
  const person = await signUp(api);
  const choose = (body: object) => person.call({ method: 'PATCH', url: '/account/me', body });
  const changed = await choose({ language: 'es' });
  expect(changed).toMatchObject({ status: 200, body: { language: 'es', user: { name: 'Somebody' } } });
  expect((await choose({ name: 'Ada' })).body).toMatchObject({ language: 'es', user: { name: 'Ada' } });
  await person.call({
    method: 'POST',
    url: '/auth/change-password',
    body: { current_password: goodPassword, new_password: `${goodPassword} 2` },
  });
  await sink.mail(`To: ${person.email}`, 'Si no fue usted, defina ahora');
});

test.each([{ language: 'tlh' }, { language: null }, {}])('%j is refused', async body => {
  const person = await signUp(api);
  expect((await person.call({ method: 'PATCH', url: '/account/me', body })).status).toBe(400);
});

test('an invitation to an unknown address is in the language of the person who invites', async () => {
  const owner = await signUpIn('fr');
  const confirmation = await sink.mail(`To: ${owner.email}`, 'Confirmez');
  const token = /verify-email#token=(\S+)/.exec(confirmation)![1]!;
  await owner.call({ method: 'POST', url: '/auth/verify-email', body: { token } });
  const email = newEmail();
  const invited = await owner.call({
    method: 'POST',
    url: '/account/invitations',
    body: { email, role: 'viewer' },
  });
  expect(invited.status, invited.text).toBe(201);
  await sink.mail(`To: ${email}`, 'vous invite');
});
