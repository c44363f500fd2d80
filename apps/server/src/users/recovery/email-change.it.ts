import { createTestApi, roomyPlan, type TestApi } from '@signpost/testing/api.ts';
import {
  type Browser,
  createBrowser,
  dashboardEnv,
  goodPassword,
  newEmail,
  signUp,
} from '@signpost/testing/people.ts';
import { type SmtpSink, startSmtpSink } from '@signpost/testing/smtp-sink.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../platform/postgres/postgres.ts';

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

const ask = (browser: Browser, email: string, current_password = goodPassword) =>
  browser.call({ method: 'POST', url: '/account/email', body: { email, current_password } });
const confirm = (browser: Browser, token: string) =>
  browser.call({ method: 'POST', url: '/account/email/confirm', body: { token } });
const pendingOf = async (browser: Browser) =>
  (await browser.call({ url: '/account/email' })).body.pending as { email: string } | null;
const userOf = async (browser: Browser) => (await browser.call({ url: '/account/me' })).body.user;
const signIn = (email: string, browser = createBrowser(api)) =>
  browser.call({ method: 'POST', url: '/auth/sign-in', body: { email, password: goodPassword } });

const tokenIn = (mail: string) => /confirm-email#token=(\S+)/.exec(mail)![1]!;
const tokenFor = async (email: string) =>
  tokenIn(await sink.mail(`To: ${email}`, 'Confirm your new e-mail address'));

describe('a new e-mail address', () => {
  test('is in use from the moment that its link was opened, and the old one until then', async () => {
    const person = await signUp(api);
    const elsewhere = createBrowser(api);
    await signIn(person.email, elsewhere);
    const email = newEmail();
    const asked = await ask(person, email.toUpperCase());
    expect(asked.body).toEqual({ pending: { email, expires_at: expect.any(String) } });
    expect(await pendingOf(person)).toMatchObject({ email });
    expect(await userOf(person)).toMatchObject({ email: person.email, email_verified: false });
    expect((await signIn(email)).status).toBe(401);
    const notice = await sink.mail(`To: ${person.email}`, 'asked to change the e-mail address');
    expect(notice).not.toContain(email);
    expect((await confirm(person, await tokenFor(email))).status).toBe(200);
    expect(await userOf(person)).toMatchObject({ email, email_verified: true });
    expect(await pendingOf(person)).toBeNull();
    expect((await elsewhere.call({ url: '/account/me' })).status).toBe(401);
    await sink.mail(`To: ${person.email}`, 'was changed on', 'no longer be used to sign in');
    expect((await signIn(person.email)).status).toBe(401);
    expect((await signIn(email)).status).toBe(200);
    expect((await confirm(person, await tokenFor(email))).status).toBe(400);
  });

  test('needs the password, and is another than the present one', async () => {
    const person = await signUp(api);
    const wrong = await ask(person, newEmail(), 'not the password');
    expect([wrong.status, wrong.body.error.param]).toEqual([400, 'current_password']);
    const same = await ask(person, person.email.toUpperCase());
    expect([same.status, same.body.error.param]).toEqual([400, 'email']);
    expect(await pendingOf(person)).toBeNull();
    expect((await ask(createBrowser(api), newEmail())).status).toBe(401);
  });

  test('that another account has is answered like any other, and refused only to who reads its mail', async () => {
    const [person, other] = [await signUp(api), await signUp(api)];
    const free = await ask(person, newEmail());
    const taken = await ask(person, other.email);
    expect([taken.status, Object.keys(taken.body.pending)]).toEqual([
      free.status,
      Object.keys(free.body.pending),
    ]);
    const refused = await confirm(person, await tokenFor(other.email));
    expect([refused.status, refused.body.error.message]).toEqual([
      400,
      expect.stringContaining('Another account on this server already uses this e-mail address'),
    ]);
    expect(await userOf(person)).toMatchObject({ email: person.email, email_verified: false });
    expect(await userOf(other)).toMatchObject({ email: other.email });
  });

  test('is confirmed by nobody but the person who asked, and by their newest link', async () => {
    const [person, stranger] = [await signUp(api), await signUp(api)];
    const [first, second] = [newEmail(), newEmail()];
    await ask(person, first);
    const old = await tokenFor(first);
    await ask(person, second);
    const token = await tokenFor(second);
    expect((await confirm(person, old)).status).toBe(400);
    expect((await confirm(stranger, token)).status).toBe(403);
    expect((await confirm(createBrowser(api), token)).status).toBe(401);
    expect(await userOf(stranger)).toMatchObject({ email: stranger.email });
    expect(await pendingOf(stranger)).toBeNull();
    expect((await confirm(person, token)).status).toBe(200);
  });

  test('that two people confirm at once is that of one of them', async () => {
    for (let round = 0; round < 3; round++) {
      const people = [await signUp(api), await signUp(api)];
      const email = newEmail();
      const tokens: string[] = [];
      for (const person of people) {
        const before = sink.mails.length;
        await ask(person, email);
        await sink.mail(`To: ${person.email}`, 'asked to change');
        await expect
          .poll(() => sink.mails.slice(before).some(mail => mail.includes(`To: ${email}`)))
          .toBe(true);
        const mail = sink.mails.slice(before).find(text => text.includes(`To: ${email}`))!;
        tokens.push(tokenIn(mail.replaceAll('=\n', '').replaceAll('=3D', '=')));
      }
      const replies = await Promise.all(people.map((person, index) => confirm(person, tokens[index]!)));
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
      const emails = await Promise.all(people.map(async person => (await userOf(person)).email));
      expect(emails.filter(one => one === email)).toHaveLength(1);
    }
  });

  test('is cancelled by its owner, and by a new password', async () => {
    const person = await signUp(api);
    const [first, second] = [newEmail(), newEmail()];
    await ask(person, first);
    const cancelled = await person.call({ method: 'DELETE', url: '/account/email' });
    expect(cancelled.body).toEqual({ pending: null });
    expect((await confirm(person, await tokenFor(first))).status).toBe(400);
    await ask(person, second);
    const token = await tokenFor(second);
    const body = { current_password: goodPassword, new_password: `${goodPassword} new` };
    await person.call({ method: 'POST', url: '/auth/change-password', body });
    expect(await pendingOf(person)).toBeNull();
    expect((await confirm(person, token)).status).toBe(400);
    expect(await userOf(person)).toMatchObject({ email: person.email });
  });

  test('releases an account that waited for a confirmed address', async () => {
    const person = await signUp(api);
    await api.api.db.query(
      sql(
        'test-hold-account',
        `update accounts set held_at = now() where id in (
           select account_id from members m join auth_users u on u.id = m.user_id where u.email = $1)`,
      ),
      [person.email],
    );
    const email = newEmail();
    await ask(person, email);
    await confirm(person, await tokenFor(email));
    expect((await person.call({ url: '/account/me' })).body.account.held).toBe(false);
  });

  test('can be asked for five times an hour, and one mailbox gets five links from everybody together', async () => {
    const person = await signUp(api);
    for (let n = 0; n < 5; n++) expect((await ask(person, newEmail())).status).toBe(200);
    expect((await ask(person, newEmail())).status).toBe(429);
    const victim = newEmail();
    for (let n = 0; n < 7; n++) expect((await ask(await signUp(api), victim)).status).toBe(200);
    const last = await signUp(api);
    await ask(last, victim);
    await sink.mail(`To: ${last.email}`, 'asked to change');
    // The link of the last is dropped before the notice to its owner is sent.
    await expect.poll(() => pendingOf(last)).toBeNull();
    expect(sink.mails.filter(mail => mail.includes(`To: ${victim}`))).toHaveLength(5);
  });
});

test('where no mail is sent, the address stays, and the answer says why', async () => {
  const silent = await createTestApi({ ...dashboardEnv, DEFAULT_PLAN: roomyPlan });
  try {
    const person = await signUp(silent);
    const refused = await ask(person, newEmail());
    expect([refused.status, refused.body.error.message]).toEqual([
      403,
      expect.stringContaining('sends no mail'),
    ]);
  } finally {
    await silent.close();
  }
});
