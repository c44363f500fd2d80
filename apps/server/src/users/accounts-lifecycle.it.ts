import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createTestApi, roomyPlan, type TestApi } from '@signpost/testing/api.ts';
import { redisUrl } from '@signpost/testing/database.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import {
  type Browser,
  createBrowser,
  dashboardEnv,
  goodPassword,
  newEmail,
  setCookies,
  signUp,
} from '@signpost/testing/people.ts';
import { decodeMail, type SmtpSink, startSmtpSink } from '@signpost/testing/smtp-sink.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { formatId } from '../kernel/ids.ts';
import { sql } from '../platform/postgres/postgres.ts';
import { createRedis } from '../platform/redis/redis.ts';
import { rememberBrowser } from './sign-in/known-browsers.ts';

let sink: SmtpSink;
let api: TestApi;

beforeAll(async () => {
  sink = await startSmtpSink();
  api = await createTestApi({
    ...dashboardEnv,
    SMTP_URL: sink.url,
    DEFAULT_PLAN: roomyPlan,
    SIGN_UP: 'open',
    // Here people have live keys before their address is confirmed.
    REQUIRE_VERIFIED_EMAIL: 'off',
  });
  await signUp(api, 'operator@people.example');
});
afterAll(async () => {
  await api.close();
  sink.close();
});

const newPassword = 'a whole new password';
/** Of an account without codes and webhooks. */
const nothingElse = { codes_paused: 0, webhooks_disabled: 0 };

const post = (browser: Browser, url: string, body: unknown, more: object = {}) =>
  browser.call({ method: 'POST', url, body, ...more });

const makeKey = (browser: Browser, current_password = goodPassword, name = 'Key') =>
  post(browser, '/account/keys', { name, mode: 'live', current_password });

const signIn = (email: string, password = goodPassword, more: object = {}, browser = createBrowser(api)) =>
  post(browser, '/auth/sign-in', { email, password }, more);

const requestReset = (email: string) => post(createBrowser(api), '/auth/request-reset', { email });

const reset = (token: string, more: object = {}, browser = createBrowser(api)) =>
  post(browser, '/auth/reset-password', { token, password: newPassword, ...more });

const confirm = (browser: Browser, token: string) => post(browser, '/auth/verify-email', { token });

const changePassword = (browser: Browser, current_password: string, new_password: string) =>
  post(browser, '/auth/change-password', { current_password, new_password });

const tokenIn = (mail: string) => /#token=([\w-]+)/.exec(mail)![1]!;
const mailsTo = (email: string) => sink.mails.map(decodeMail).filter(mail => mail.includes(`To: ${email}`));

const verificationOf = async (email: string) =>
  tokenIn(await sink.mail(`To: ${email}`, 'Confirm your e-mail'));

/** As many links as were asked for, oldest first. */
async function resetTokens(email: string, count: number): Promise<string[]> {
  const before = resetMails(email).length;
  for (let n = 0; n < count; n++) {
    await requestReset(email);
    await waitUntil('the link is there', () => resetMails(email).length === before + n + 1);
  }
  return resetMails(email).slice(before).map(tokenIn);
}
const resetMails = (email: string) => mailsTo(email).filter(mail => mail.includes('Set a new password'));

const isVerified = async (browser: Browser) =>
  (await browser.call({ url: '/account/me' })).body.user.email_verified as boolean;

const opens = async (key: string) => (await api.call({ url: '/v1/qrcodes', key })).status === 200;

/** A connection beside the service's own, to hold a lock, and to see how many wait for one. */
async function beside() {
  const client = new pg.Client({ connectionString: api.config.databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  const waitForWaiting = (count: number) =>
    waitUntil(`${count} wait for a lock`, async () => {
      // Not inside the transaction of the client, whose look at the activity would not change.
      const rows = await api.api.db.query(
        sql(
          'lifecycle-waiting',
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        ),
      );
      return rows.length === count;
    });
  return { client, waitForWaiting };
}

/** Somebody who has signed up and confirmed the address. */
async function confirmed() {
  const person = await signUp(api);
  await confirm(person, await verificationOf(person.email));
  return person;
}

describe('confirming an e-mail address', () => {
  test('a link comes at sign-up and confirms the address once', async () => {
    const person = await signUp(api);
    expect(await isVerified(person)).toBe(false);
    const token = await verificationOf(person.email);
    expect((await confirm(person, 'made-up')).body.error).toMatchObject({
      code: 'invalid_request',
      param: 'token',
    });
    expect(await isVerified(person)).toBe(false);
    expect((await confirm(person, token)).status).toBe(200);
    expect(await isVerified(person)).toBe(true);
    expect((await confirm(person, token)).status).toBe(400);
  });

  test('no GET confirms anything, and a link to set a password does not confirm by itself', async () => {
    const person = await signUp(api);
    const token = await verificationOf(person.email);
    await createBrowser(api).call({ url: `/auth/verify-email?token=${token}` });
    await createBrowser(api).call({ url: `/app/verify-email?token=${token}` });
    const [resetToken] = await resetTokens(person.email, 1);
    expect((await confirm(person, resetToken!)).status).toBe(400);
    expect((await reset(token)).status).toBe(400);
    expect(await isVerified(person)).toBe(false);
  });

  test('the link is sent again on demand, five times an hour at most, and never to who is confirmed', async () => {
    const person = await signUp(api);
    const verifications = () => mailsTo(person.email).filter(mail => mail.includes('Confirm your e-mail'));
    await verificationOf(person.email);
    const statuses = [];
    for (let n = 0; n < 6; n++)
      statuses.push((await post(person, '/account/verification', undefined)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    // Five in all: the first of them came at sign-up.
    await waitUntil('the mails are there', () => verifications().length === 5);
    expect((await confirm(person, tokenIn(verifications()[1]!))).status).toBe(200);
    for (const mail of verifications()) expect((await confirm(person, tokenIn(mail))).status).toBe(400);
    expect((await post(person, '/account/verification', undefined)).status).toBe(200);
    expect(verifications()).toHaveLength(5);
  });

  test('where no mail is set up nobody is asked, and nothing is queued', async () => {
    const silent = await createTestApi({ ...dashboardEnv, SIGN_UP: 'open' });
    const person = await signUp(silent);
    const me = await person.call({ url: '/account/me' });
    expect(me.body).toMatchObject({ user: { email_verified: false }, service: { sends_mail: false } });
    expect((await post(person, '/account/verification', undefined)).status).toBe(200);
    expect((await makeKey(person)).status).toBe(201);
    const rows = await silent.api.db.query(sql('tokens-left', 'select 1 from email_tokens'));
    expect(rows).toEqual([]);
    await silent.close();
  });
});

describe('somebody who signs up with an address that is not theirs', () => {
  test('loses keys, sessions and links when the owner resets the password, from that answer on', async () => {
    const stranger = await signUp(api);
    const keys = [(await makeKey(stranger)).body.key, (await makeKey(stranger)).body.key] as string[];
    // Twice, so that the process remembers them.
    for (const key of [...keys, ...keys]) expect(await opens(key)).toBe(true);
    const [token] = await resetTokens(stranger.email, 1);
    const owner = createBrowser(api);
    const done = await reset(token!, {}, owner);
    expect(done.body).toEqual({ done: true, keys_revoked: 2, email_confirmed: true, ...nothingElse });
    for (const key of keys) expect(await opens(key)).toBe(false);
    expect((await stranger.call({ url: '/account/me' })).status).toBe(401);
    expect((await makeKey(stranger)).status).toBe(401);
    expect((await signIn(stranger.email, goodPassword, {}, stranger)).status).toBe(401);
    expect((await signIn(stranger.email, newPassword, {}, owner)).status).toBe(200);
    expect((await confirm(owner, await verificationOf(stranger.email))).status).toBe(400);
    expect(await isVerified(owner)).toBe(true);
    expect((await owner.call({ url: '/account/keys' })).body.data).toEqual([]);
  });

  test('keeps nothing that was made while the reset was running', async () => {
    const stranger = await signUp(api);
    const [token] = await resetTokens(stranger.email, 1);
    const sessions: Browser[] = [];
    let isOver = false;
    // Calls stay inside this process. Those that are refused at once would leave no turn to anything else.
    const makeKeys = async () => {
      const made: string[] = [];
      for (; !isOver; await nextTurn()) {
        const { status, body } = await makeKey(stranger);
        if (status === 201) made.push(body.key);
      }
      return made;
    };
    const keepSigningIn = async () => {
      for (; !isOver; await nextTurn()) {
        const browser = createBrowser(api);
        if ((await signIn(stranger.email, goodPassword, {}, browser)).status === 200) sessions.push(browser);
      }
    };
    const making = [makeKeys(), makeKeys(), keepSigningIn(), keepSigningIn()] as const;
    try {
      await waitUntil('the stranger is at work', () => sessions.length >= 2);
      expect((await reset(token!)).status).toBe(200);
    } finally {
      isOver = true;
    }
    const [first, second] = await Promise.all(making);
    expect(first.length + second.length).toBeGreaterThan(0);
    for (const key of [...first, ...second]) expect(await opens(key)).toBe(false);
    for (const browser of sessions) expect((await browser.call({ url: '/account/me' })).status).toBe(401);
  });

  test('cannot undo the reset by changing the password that they knew, also when both come at once', async () => {
    const stranger = await signUp(api);
    const [token] = await resetTokens(stranger.email, 1);
    const { client, waitForWaiting } = await beside();
    await client.query('begin');
    await client.query(
      'select 1 from auth_credentials c join auth_users u on u.id = c.user_id where u.email = $1 for update of c',
      [stranger.email],
    );
    // First the reset waits, then the change, which has compared the old password by then.
    const owner = createBrowser(api);
    const resetting = reset(token!, {}, owner);
    await waitForWaiting(1);
    const changing = changePassword(stranger, goodPassword, 'the password of a thief');
    await waitForWaiting(2);
    await client.query('commit');
    expect((await resetting).status).toBe(200);
    expect((await changing).status).toBe(401);
    expect((await stranger.call({ url: '/account/me' })).status).toBe(401);
    expect((await signIn(stranger.email, 'the password of a thief')).status).toBe(401);
    expect((await signIn(stranger.email, newPassword, {}, owner)).status).toBe(200);
  });

  test('loses the keys from before the owner confirmed the address, at any later reset', async () => {
    const stranger = await signUp(api);
    const { key: before } = (await makeKey(stranger)).body;
    expect((await confirm(stranger, await verificationOf(stranger.email))).status).toBe(200);
    const { key: after } = (await makeKey(stranger)).body;
    const [first] = await resetTokens(stranger.email, 1);
    expect((await reset(first!)).body).toEqual({
      done: true,
      keys_revoked: 1,
      email_confirmed: false,
      ...nothingElse,
    });
    expect([await opens(before), await opens(after)]).toEqual([false, true]);
    const [second] = await resetTokens(stranger.email, 1);
    const body = { revoke_keys: true, password: 'yet another password' };
    expect((await reset(second!, body)).body.keys_revoked).toBe(1);
    expect(await opens(after)).toBe(false);
  });

  test('is not whom the operator let in: their keys stay after a reset', async () => {
    const email = newEmail();
    const [key] = /sk_live_\w+/.exec(await api.admin('create-account', 'Shop', '--owner', email))!;
    const [token] = await resetTokens(email, 1);
    expect((await reset(token!)).body).toEqual({
      done: true,
      keys_revoked: 0,
      email_confirmed: false,
      ...nothingElse,
    });
    expect(await opens(key)).toBe(true);
  });

  test('of a confirmed person a reset keeps the keys, and revokes them where it is asked to', async () => {
    const person = await confirmed();
    const { key } = (await makeKey(person)).body;
    const [first] = await resetTokens(person.email, 1);
    expect((await reset(first!)).body).toEqual({
      done: true,
      keys_revoked: 0,
      email_confirmed: false,
      ...nothingElse,
    });
    expect(await opens(key)).toBe(true);
    const [second] = await resetTokens(person.email, 1);
    expect((await reset(second!, { revoke_keys: true })).body.keys_revoked).toBe(1);
    expect(await opens(key)).toBe(false);
  });
});

describe('links to set a new password', () => {
  test('all end when one of them is used', async () => {
    const { email } = await confirmed();
    const [oldest, older, newest] = await resetTokens(email, 3);
    expect((await reset(newest!)).status).toBe(200);
    for (const token of [oldest, older, newest]) expect((await reset(token!)).status).toBe(400);
  });

  test('used at once, only one of them works', async () => {
    const { email } = await confirmed();
    const tokens = await resetTokens(email, 3);
    const replies = await Promise.all([...tokens, ...tokens].map(token => reset(token)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400]);
  });

  test('and to confirm the address end when the password is changed', async () => {
    const person = await signUp(api);
    const verification = await verificationOf(person.email);
    const tokens = await resetTokens(person.email, 2);
    const body = { current_password: goodPassword, new_password: newPassword };
    expect((await post(person, '/auth/change-password', body)).status).toBe(200);
    for (const token of tokens) expect((await reset(token)).status).toBe(400);
    expect((await confirm(person, verification)).status).toBe(400);
    expect((await signIn(person.email, newPassword)).status).toBe(200);
  });

  test('do not end by a change to the same password, which is refused; five changes a day are made', async () => {
    const person = await signUp(api);
    const [token] = await resetTokens(person.email, 1);
    // The second is the same in another form of Unicode, and so the same hash.
    for (const same of [goodPassword, goodPassword.replace('c', '\uFF43')]) {
      const { status, body } = await changePassword(person, goodPassword, same);
      expect([status, body.error.param]).toEqual([400, 'new_password']);
    }
    expect((await reset(token!)).status).toBe(200);
    await signIn(person.email, newPassword, {}, person);
    const passwords = [newPassword, ...Array.from({ length: 6 }, (_, n) => `number ${n} of several`)];
    const statuses = [];
    for (let n = 0; n < 6; n++)
      statuses.push((await changePassword(person, passwords[n]!, passwords[n + 1]!)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });

  test('can be had by the owner whatever somebody with the password asks for and ends', async () => {
    const thief = await signUp(api);
    const { email } = thief;
    await resetTokens(email, 5);
    let password = goodPassword;
    for (let n = 0; n < 5; n++) {
      const next = `number ${n} of a thief`;
      expect((await changePassword(thief, password, next)).status).toBe(200);
      password = next;
      // The links that ended have given their places back; past five that work no more are sent.
      await resetTokens(email, 5);
    }
    expect((await changePassword(thief, password, 'one more of a thief')).status).toBe(429);
    const dropped = () => api.log.filter(line => line.includes('mail dropped: limit reached')).length;
    const before = dropped();
    for (let n = 0; n < 3; n++) expect((await requestReset(email)).status).toBe(200);
    await waitUntil('no more are sent', () => dropped() === before + 3);
    expect(resetMails(email)).toHaveLength(30);
    expect((await reset(tokenIn(resetMails(email).at(-1)!))).status).toBe(200);
    expect((await thief.call({ url: '/account/me' })).status).toBe(401);
  });

  test('end when the account is closed, also for who signs up again with the e-mail', async () => {
    const person = await signUp(api);
    const verification = await verificationOf(person.email);
    const tokens = await resetTokens(person.email, 2);
    const { account } = (await person.call({ url: '/account/me' })).body;
    await api.admin('close-account', account.id, '--yes');
    const again = await signUp(api, person.email);
    for (const token of tokens) expect((await reset(token)).status).toBe(400);
    expect((await confirm(again, verification)).status).toBe(400);
    expect(await isVerified(again)).toBe(false);
  });

  test('end after their time', async () => {
    const { email } = await confirmed();
    const [token] = await resetTokens(email, 1);
    const age = sql('age-tokens', `update email_tokens set expires_at = now() - interval '1 second'`);
    await api.api.db.query(age);
    expect((await reset(token!)).status).toBe(400);
    await api.api.users!.removeExpired(1000);
    expect(await api.api.db.query(sql('any-token', 'select 1 from email_tokens'))).toEqual([]);
  });

  test('can be read nowhere in the database, in the log or in Redis; nor can the cookie of a known browser', async () => {
    const person = await signUp(api);
    const verification = await verificationOf(person.email);
    const [token] = await resetTokens(person.email, 1);
    const known = [...person.cookies].find(([name]) => name.includes('known'))![1];
    // Opened and used, well and badly: none of it may leave a trace of the text.
    for (const url of [`/app/reset-password#token=${token}`, `/app/verify-email#token=${verification}`])
      await createBrowser(api).call({ url: url.slice(0, url.indexOf('#')) });
    expect((await reset(token!, { password: 'short' })).status).toBe(400);
    expect((await reset(verification)).status).toBe(400);
    expect((await confirm(person, verification)).status).toBe(200);
    const [used] = await resetTokens(person.email, 1);
    expect((await reset(used!)).status).toBe(200);
    expect((await reset(used!)).status).toBe(400);
    expect((await signIn(person.email, newPassword, {}, person)).status).toBe(200);
    const tables = await api.api.db.query<{ name: string }>(
      sql(
        'lifecycle-tables',
        `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
      ),
    );
    let everything = '';
    for (const { name } of tables) {
      const rows = await api.api.db.query<{ text: string }>(
        sql(`lifecycle-${name}`, `select r::text as text from ${name} r`),
      );
      everything += rows.map(({ text }) => text).join('\n');
    }
    // Of its own: that of the API gives up after some milliseconds.
    const redis = createRedis({ redisUrl, redisTimeoutMs: 60_000 }, () => {});
    await once(redis, 'ready');
    for (const key of await redis.keys('signpost:*')) {
      const readers: Record<string, () => Promise<unknown>> = {
        string: () => redis.get(key),
        list: () => redis.lrange(key, 0, -1),
        hash: () => redis.hgetall(key),
        set: () => redis.smembers(key),
        zset: () => redis.zrange(key, '0', '-1', 'WITHSCORES'),
        stream: () => redis.xrange(key, '-', '+'),
      };
      const type = await redis.type(key);
      // It may have run out meanwhile.
      if (type !== 'none') everything += `${key} ${JSON.stringify(await readers[type]!())}\n`;
    }
    redis.disconnect();
    expect(everything).toContain('signpost:attempts:');
    everything += api.log.join('');
    expect(everything).toContain(person.email);
    for (const secret of [verification, token!, used!, known]) {
      expect(everything).not.toContain(secret);
      // Nor as the bytes of the text itself.
      expect(everything).not.toContain(Buffer.from(secret).toString('hex'));
    }
  });
});

describe('names', () => {
  const bad = [
    'Ada\r\nBcc: everybody@example.com',
    'Ada\nYour account was hacked',
    'Ada\u2028next line',
    'go to https://evil.example now',
    'ftp://evil.example',
    'WWW.evil.example',
    'Ada\u200BLovelace',
    'Ada\u202Eecalevol',
    'Ada\u0000',
    'Ada\u0007',
    '\uFEFF',
    '   ',
  ];

  test.each(bad)(
    'with a line break, a link or what cannot be seen are refused in plain words: %j',
    async name => {
      const stranger = { name, email: newEmail(), password: goodPassword };
      const person = await signUp(api);
      const replies = [
        await post(createBrowser(api), '/auth/sign-up', stranger),
        await person.call({ method: 'PATCH', url: '/account/me', body: { name } }),
        await makeKey(person, goodPassword, name),
      ];
      for (const { status, body } of replies) {
        expect([status, body.error.param]).toEqual([400, 'name']);
        expect(body.error.message).toMatch(/^name must be 1 to 100 characters in one line/);
      }
    },
  );

  test.each(['Zoë Müller-Łukasz', "D'Arcy O’Neill", '王小明', 'محمد', 'R2-D2 & Söhne, Inc.'])(
    'of people are taken: %s',
    async name => {
      const person = await signUp(api);
      const renamed = await person.call({ method: 'PATCH', url: '/account/me', body: { name } });
      expect(renamed.body.user.name).toBe(name);
    },
  );

  test('of people and keys are in no mail, and every link in a mail is ours', async () => {
    const email = newEmail();
    const planted = { name: 'Planted evil.example', email, password: goodPassword };
    const browser = createBrowser(api);
    expect((await post(browser, '/auth/sign-up', planted)).status).toBe(201);
    await resetTokens(email, 1);
    await makeKey(browser, goodPassword, 'Planted key evil.example');
    await signIn(email);
    const change = { current_password: goodPassword, new_password: newPassword };
    await post(browser, '/auth/change-password', change);
    await waitUntil('all five kinds are there', () => mailsTo(email).length === 5);
    for (const mail of mailsTo(email)) {
      expect(mail).not.toMatch(/planted|evil/i);
      expect(mail).toContain(`\nTo: ${email}\n`);
      expect(mail).toMatch(/Content-Type: text\/plain/);
      for (const [link] of mail.matchAll(/https?:\S+/g))
        expect(link).toMatch(/^https:\/\/api\.signpost\.example\/app\//);
    }
  });
});

describe('a new key', () => {
  test('needs the password once more; a wrong one is refused by name, counted, and makes nothing', async () => {
    const strict = await createTestApi({ ...dashboardEnv, SIGN_UP: 'open', SIGN_IN_ATTEMPTS: '3' });
    const person = await signUp(strict);
    const without = await post(person, '/account/keys', { name: 'Key', mode: 'live' });
    expect(without.body.error).toMatchObject({ code: 'invalid_request', param: 'current_password' });
    for (let n = 0; n < 2; n++) expect((await makeKey(person)).status).toBe(201);
    for (let n = 0; n < 3; n++) {
      const { status, body } = await makeKey(person, 'not my password');
      expect([status, body.error.param]).toEqual([400, 'current_password']);
    }
    expect((await makeKey(person)).status).toBe(429);
    // The limit is this session's: another one of the same person is not kept from it.
    const there = createBrowser(strict);
    await post(there, '/auth/sign-in', { email: person.email, password: goodPassword });
    expect((await makeKey(there)).status).toBe(201);
    expect((await person.call({ url: '/account/keys' })).body.data).toHaveLength(3);
    await strict.close();
  });

  test('of 101 made at once is refused: exactly 100 are there', async () => {
    const { id } = await api.api.accounts.create('Many keys', roomyPlan);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 101 }, () => api.api.accounts.createKey(id as never, 'live')),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(100);
    const [refused] = outcomes.filter(one => one.status === 'rejected');
    expect(refused!.reason.message).toContain('at most 100 keys');
    expect(await api.admin('list-keys', formatId('acct', id))).toMatch(/^(.*active\n){99}.*active$/);
  });
});

describe('what a person is told by mail', () => {
  test('a new key, a changed password and a sign-in from a new browser, with no secret in it', async () => {
    const person = await confirmed();
    const { key } = (await makeKey(person)).body;
    const told = await sink.mail(`To: ${person.email}`, 'API key in your account');
    expect(told).toContain('A new live API key was created');
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 Planted/1';
    await signIn(person.email, goodPassword, { headers: { 'user-agent': agent } });
    expect(await sink.mail(`To: ${person.email}`, 'New sign-in')).toContain('Firefox on a computer');
    const change = { current_password: goodPassword, new_password: newPassword };
    await post(person, '/auth/change-password', change);
    await sink.mail(`To: ${person.email}`, 'password was changed');
    for (const mail of mailsTo(person.email)) {
      for (const secret of [key, key.slice(-8), goodPassword, newPassword, 'Planted'])
        expect(mail).not.toContain(secret);
    }
  });

  test('nothing about a browser that has signed in before, and again about one after a new password', async () => {
    const person = await signUp(api);
    const notices = () => mailsTo(person.email).filter(mail => mail.includes('New sign-in'));
    for (let n = 0; n < 3; n++) {
      await post(person, '/auth/sign-out', undefined);
      expect(setCookies(await signIn(person.email, goodPassword, {}, person))).toHaveLength(1);
    }
    const other = createBrowser(api);
    await signIn(person.email, goodPassword, {}, other);
    await waitUntil('the notice is there', () => notices().length === 1);
    const change = { current_password: goodPassword, new_password: newPassword };
    await post(person, '/auth/change-password', change);
    // The one that changed it is known, every other is not.
    expect(setCookies(await signIn(person.email, newPassword, {}, person))).toHaveLength(1);
    expect(setCookies(await signIn(person.email, newPassword, {}, other))).toHaveLength(2);
    await waitUntil('the second notice is there', () => notices().length === 2);
  });

  test('a browser that is remembered while its person is deleted is forgotten, without a deadlock', async () => {
    const { email } = await signUp(api);
    const { client, waitForWaiting } = await beside();
    const { rows } = await client.query('select id from auth_users where email = $1', [email]);
    const remember = () => rememberBrowser(api.api.db, rows[0].id, new Date(), api.config.publicUrl);
    for (let n = 0; n < 20; n++) await remember();
    await client.query('begin');
    await client.query('select 1 from auth_users where id = $1 for update', [rows[0].id]);
    const remembering = remember();
    await waitForWaiting(1);
    await client.query('delete from members where user_id = $1', [rows[0].id]);
    await client.query('delete from auth_users where id = $1', [rows[0].id]);
    await client.query('commit');
    await remembering;
    const left = await client.query('select 1 from known_browsers where user_id = $1', [rows[0].id]);
    expect(left.rows).toEqual([]);
  });

  test('a cookie of another person, or one that was made up, makes no browser known', async () => {
    const [attacker, { email }] = [await signUp(api), await signUp(api)];
    const planted = createBrowser(api);
    for (const [name, value] of attacker.cookies) planted.cookies.set(name, value);
    planted.cookies.set('__Host-signpost.known.000000000000', 'A'.repeat(27));
    expect(setCookies(await signIn(email, goodPassword, {}, planted))).toHaveLength(2);
  });

  test('no more than 20 notices an hour, however much is done in their name', async () => {
    const person = await signUp(api);
    for (let n = 0; n < 25; n++) expect((await makeKey(person)).status).toBe(201);
    const shed = async () =>
      (await api.metrics()).match(/signpost_mails_total\{kind="new-key",outcome="shed".*\} (\d+)/)?.[1];
    await waitUntil('the last are shed', async () => (await shed()) === '5');
    expect(mailsTo(person.email).filter(mail => mail.includes('API key in your account'))).toHaveLength(20);
    // The limit is that of one kind: what else is done is told.
    await signIn(person.email);
    await sink.mail(`To: ${person.email}`, 'New sign-in');
  });

  test('a mail server that is away is waited for by nobody', async () => {
    const cut = await createTestApi({
      ...dashboardEnv,
      SIGN_UP: 'open',
      SMTP_URL: 'smtp://127.0.0.1:9',
      REQUIRE_VERIFIED_EMAIL: 'off',
    });
    const person = await signUp(cut);
    expect((await makeKey(person)).status).toBe(201);
    await waitUntil('the failure is in the log', () => cut.log.join('').includes('mail not sent'));
    expect(cut.log.join('')).not.toContain(person.email);
    // A link that nobody got takes no place.
    expect(await cut.api.db.query(sql('unsent', 'select 1 from email_tokens'))).toEqual([]);
    await cut.close();
  });
});

describe('strangers who guess', () => {
  let strict: TestApi;
  beforeAll(async () => {
    strict = await createTestApi({
      ...dashboardEnv,
      SIGN_UP: 'open',
      SIGN_IN_ATTEMPTS: '3',
      SMTP_URL: sink.url,
    });
  });
  afterAll(() => strict.close());

  const tryFrom = (address: string, email: string, password: string, browser = createBrowser(strict)) =>
    post(browser, '/auth/sign-in', { email, password }, { address });

  test('from one address keep nobody out who comes from another', async () => {
    const { email } = await signUp(strict);
    for (let n = 0; n < 6; n++) await tryFrom('203.0.113.1', email, 'wrong');
    expect((await tryFrom('203.0.113.1', email, goodPassword)).status).toBe(429);
    expect((await tryFrom('198.51.100.1', email, goodPassword)).status).toBe(200);
  });

  test('from everywhere do not keep out a browser that has signed in before, which has a limit of its own', async () => {
    const owner = await signUp(strict);
    const { email } = owner;
    for (let n = 0; n < 40; n++) await tryFrom(`203.0.113.${n}`, email, 'wrong');
    // A new browser is asked to wait, also at an address that nobody has tried from.
    expect((await tryFrom('198.51.100.9', email, goodPassword)).status).toBe(429);
    await post(owner, '/auth/sign-out', undefined);
    expect((await tryFrom('203.0.113.3', email, goodPassword, owner)).status).toBe(200);
    const tries = [];
    for (let n = 0; n < 4; n++) tries.push((await tryFrom('203.0.113.3', email, 'wrong', owner)).status);
    expect(tries).toEqual([401, 401, 401, 429]);
  });

  test('cannot keep the owner out of a new browser either: a link by mail lets them in', async () => {
    const { email } = await signUp(strict);
    for (let n = 0; n < 40; n++) await tryFrom(`192.0.2.${n}`, email, 'wrong');
    // Strangers may have asked for all the links of this hour: the owner has them.
    for (let n = 0; n < 8; n++)
      expect((await post(createBrowser(strict), '/auth/request-reset', { email })).status).toBe(200);
    await waitUntil('the links are there', () => resetMails(email).length === 5);
    const browser = createBrowser(strict);
    const token = tokenIn(resetMails(email).at(-1)!);
    expect((await reset(token, {}, browser)).status).toBe(200);
    expect((await tryFrom('198.51.100.77', email, newPassword, browser)).status).toBe(200);
  });
});

describe('passwords', () => {
  const common = ['1234567890', 'password123', 'qwertyuiop', 'aaaaaaaaaa', 'signpost2026'];

  test('that everybody guesses first are refused wherever one is set, with what to do', async () => {
    const person = await signUp(api);
    const [token] = await resetTokens(person.email, 1);
    for (const password of [...common, person.email]) {
      const email = password === person.email ? `${person.email}.example` : newEmail();
      const body = { name: 'A', email, password };
      const replies = [
        [await post(createBrowser(api), '/auth/sign-up', body), 'password'],
        [await reset(token!, { password }), 'password'],
        [
          await post(person, '/auth/change-password', {
            current_password: goodPassword,
            new_password: password,
          }),
          'new_password',
        ],
      ] as const;
      for (const [{ status, body: answer }, param] of replies) {
        expect([password, status, answer.error.param]).toEqual([password, 400, param]);
        expect(answer.error.message).toContain('Choose another one, such as four random words');
      }
    }
    // The link was not used up by what was refused.
    expect((await reset(token!)).status).toBe(200);
  });
});
