import { performance } from 'node:perf_hooks';
import { accountOperations, type Operation, operations } from '@signpost/contract';
import { createTestApi, type TestApi } from '@signpost/testing/api.ts';
import {
  type Browser,
  createBrowser,
  dashboardEnv,
  goodPassword,
  newEmail,
  signUp,
} from '@signpost/testing/people.ts';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { sql } from '../../platform/postgres/postgres.ts';

let api: TestApi;
/** It hashes passwords at full cost. */
let timed: TestApi;
beforeAll(async () => {
  api = await createTestApi(dashboardEnv);
  timed = await createTestApi(dashboardEnv, { realPasswords: true });
});
afterAll(() => Promise.all([api.close(), timed.close()]));

const signIn = (
  on: Pick<TestApi, 'call' | 'config'>,
  email: string,
  password = goodPassword,
  address?: string,
) =>
  createBrowser(on).call({
    method: 'POST',
    url: '/auth/sign-in',
    body: { email, password },
    ...(address ? { address } : {}),
  });

describe('a request from another site', () => {
  const changing = [
    ...Object.values<Operation>(accountOperations).map(({ method, path }) => ({ method, path })),
    ...Object.values<Operation>(operations).map(({ method, path }) => ({ method, path: `/account${path}` })),
  ].filter(({ method }) => method !== 'GET');

  const foreign: readonly (readonly [string, Record<string, string>])[] = [
    ['another origin', { origin: 'https://evil.example' }],
    ['an origin that begins like ours', { origin: 'https://api.signpost.example.evil.example' }],
    ['our host without encryption', { origin: 'http://api.signpost.example', host: 'api.signpost.example' }],
    ['no origin at all', { origin: '' }],
    ['an opaque origin', { origin: 'null' }],
    ['a browser that says cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['a subdomain beside ours', { 'sec-fetch-site': 'same-site' }],
    ['a link that was typed', { 'sec-fetch-site': 'none' }],
  ];

  test.each(foreign)('is refused on every path that changes something: %s', async (_what, headers) => {
    const browser = await signUp(api);
    for (const { method, path } of changing) {
      const reply = await browser.call({
        method: method as 'POST',
        url: path.replace('{id}', 'x'),
        body: {},
        headers,
      });
      expect([path, reply.status, reply.body.error.code]).toEqual([path, 403, 'forbidden']);
    }
    expect((await browser.call({ url: '/account/me' })).status).toBe(200);
  });

  test('our own page is let in by what the browser says of it', async () => {
    const browser = await signUp(api);
    const rename = (headers: Record<string, string>) =>
      browser.call({ method: 'PATCH', url: '/account/me', body: { name: 'Me' }, headers });
    expect((await rename({ 'sec-fetch-site': 'same-origin', origin: '' })).status).toBe(200);
    expect((await rename({ origin: 'https://beside.example', host: 'beside.example' })).status).toBe(200);
  });

  test('no answer may be read by another site', async () => {
    const browser = await signUp(api);
    const { headers } = await browser.call({
      url: '/account/me',
      headers: { origin: 'https://evil.example' },
    });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
    expect(headers['cache-control']).toBe('no-store');
  });
});

describe('sessions', () => {
  test('a session that somebody else planted is not the one that signing in makes', async () => {
    const [attacker, { email }] = [await signUp(api), await signUp(api)];
    const victim = createBrowser(api);
    for (const [name, value] of attacker.cookies) victim.cookies.set(name, value);
    const planted = [...victim.cookies.values()];
    await victim.call({ method: 'POST', url: '/auth/sign-in', body: { email, password: goodPassword } });
    expect([...victim.cookies.values()]).not.toEqual(planted);
    expect((await victim.call({ url: '/account/me' })).body.user.email).toBe(email);
    expect((await attacker.call({ url: '/account/me' })).body.user.email).toBe(attacker.email);
  });

  test('a cookie that was changed or made up opens nothing', async () => {
    const browser = await signUp(api);
    const [[name, value]] = [...browser.cookies] as [[string, string]];
    const [token] = decodeURIComponent(value).split('.');
    for (const forged of [token!, `${token}.AAAA`, `x${value}`, 'undefined', '']) {
      browser.cookies.set(name, forged);
      expect((await browser.call({ url: '/account/me' })).status).toBe(401);
    }
  });

  test('are listed, and each can be ended from another', async () => {
    const here = await signUp(api);
    const there = createBrowser(api);
    await there.call({
      method: 'POST',
      url: '/auth/sign-in',
      body: { email: here.email, password: goodPassword },
      headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
    });
    const listed = (await here.call({ url: '/auth/sessions' })).body.data;
    expect(listed).toMatchObject([{ current: false, device: 'Firefox on a computer' }, { current: true }]);
    const url = `/auth/sessions/${listed[0].id}`;
    expect((await (await signUp(api)).call({ method: 'DELETE', url })).status).toBe(404);
    expect((await there.call({ url: '/account/me' })).status).toBe(200);
    expect((await here.call({ method: 'DELETE', url })).status).toBe(200);
    expect((await there.call({ url: '/account/me' })).status).toBe(401);
    expect((await here.call({ url: '/account/me' })).status).toBe(200);
  });

  test('a changed password ends all other sessions and keeps this one', async () => {
    const here = await signUp(api);
    const there = createBrowser(api);
    const body = { email: here.email, password: goodPassword };
    await there.call({ method: 'POST', url: '/auth/sign-in', body });
    const change = (current: string) =>
      here.call({
        method: 'POST',
        url: '/auth/change-password',
        body: { current_password: current, new_password: 'another good one' },
      });
    expect(await change('a wrong one indeed')).toMatchObject({
      status: 400,
      body: { error: { param: 'current_password' } },
    });
    expect((await there.call({ url: '/account/me' })).status).toBe(200);
    expect((await change(goodPassword)).status).toBe(200);
    expect((await there.call({ url: '/account/me' })).status).toBe(401);
    expect((await here.call({ url: '/account/me' })).status).toBe(200);
    expect((await signIn(api, here.email)).status).toBe(401);
    expect((await signIn(api, here.email, 'another good one')).status).toBe(200);
  });

  test('neither an address nor a user agent is kept', async () => {
    await createBrowser(api).call({
      method: 'POST',
      url: '/auth/sign-up',
      body: { name: 'A', email: newEmail(), password: goodPassword },
      address: '203.0.113.77',
      headers: { 'user-agent': 'PlantedAgent/1.0', 'x-forwarded-for': '198.51.100.9' },
    });
    const rows = await api.api.db.query(sql('all-sessions', 'select * from auth_sessions'));
    expect(JSON.stringify(rows)).not.toMatch(/PlantedAgent|203\.0\.113|198\.51\.100/);
    expect(rows.length).toBeGreaterThan(0);
  });
});

describe('guessing', () => {
  let strict: TestApi;
  beforeAll(async () => {
    strict = await createTestApi({ ...dashboardEnv, SIGN_IN_ATTEMPTS: '3' });
  });
  afterAll(() => strict.close());

  test('wrong passwords for one e-mail are limited from one address, also for nobody’s e-mail', async () => {
    const { email } = await signUp(strict);
    for (const [index, one] of [email, newEmail()].entries()) {
      const tries = [];
      for (let n = 0; n < 4; n++) tries.push(await signIn(strict, one, 'wrong', `203.0.113.${index}`));
      expect(tries.map(({ status }) => status)).toEqual([401, 401, 401, 429]);
      expect(Number(tries[3]!.headers['retry-after'])).toBeGreaterThan(600);
    }
    expect((await signIn(strict, email, goodPassword, '203.0.113.0')).status).toBe(429);
    expect((await signIn(strict, email, goodPassword, '203.0.113.99')).status).toBe(200);
  });

  test('wrong passwords for one e-mail from everywhere together are limited to ten times as many', async () => {
    const email = newEmail();
    const statuses = [];
    for (let n = 0; n < 33; n++)
      statuses.push((await signIn(strict, email, 'wrong', `192.0.2.${Math.floor(n / 3)}`)).status);
    expect(statuses).toEqual([...Array(30).fill(401), 429, 429, 429]);
  });

  test('wrong passwords from one address are limited whoever they are for, IPv6 by /64', async () => {
    const from = (n: number) => `2001:db8:7:7::${n}`;
    const statuses = [];
    for (let n = 0; n < 13; n++) statuses.push((await signIn(strict, newEmail(), 'wrong', from(n))).status);
    expect(statuses).toEqual([...Array(12).fill(401), 429]);
    expect((await signIn(strict, newEmail(), 'wrong', '2001:db8:7:8::1')).status).toBe(401);
  });

  test('right passwords use nothing up', async () => {
    const { email } = await signUp(strict);
    for (let n = 0; n < 6; n++) expect((await signIn(strict, email)).status).toBe(200);
  });

  test('many at once get no further than one after another', async () => {
    const { email } = await signUp(strict);
    const tries = Array.from({ length: 12 }, () => signIn(strict, email, 'wrong', '198.51.100.7'));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter(status => status === 401)).toHaveLength(3);
  });

  test('without Redis nobody may try, and sessions go on', async () => {
    const browser = await signUp(strict);
    const cut = await createTestApi({
      ...dashboardEnv,
      DATABASE_URL: strict.config.databaseUrl,
      REDIS_URL: 'redis://127.0.0.1:9',
    });
    const beside = createBrowser(cut);
    for (const [name, value] of browser.cookies) beside.cookies.set(name, value);
    expect((await signIn(cut, browser.email)).status).toBe(503);
    const reset = { method: 'POST', url: '/auth/request-reset', body: { email: browser.email } } as const;
    expect((await beside.call(reset)).status).toBe(503);
    expect((await beside.call({ url: '/account/me' })).body.user.email).toBe(browser.email);
    expect((await beside.call({ method: 'POST', url: '/auth/sign-out' })).status).toBe(200);
    expect((await browser.call({ url: '/account/me' })).status).toBe(401);
    await cut.close();
  });
});

describe('who is known here', () => {
  const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

  test('is told neither by the words of sign-in nor by its time', async () => {
    const { email } = await signUp(timed);
    const [known, unknown]: [number[], number[]] = [[], []];
    const words = new Set<string>();
    for (let n = 0; n < 11; n++) {
      for (const [one, times] of [
        [email, known],
        [newEmail(), unknown],
      ] as const) {
        const start = performance.now();
        const { status, body } = await signIn(timed, one, 'wrong password');
        times.push(performance.now() - start);
        expect(status).toBe(401);
        words.add(body.error.message);
      }
    }
    expect(words.size).toBe(1);
    // Both work a password out, which takes far longer than all the rest.
    expect(median(unknown) / median(known)).toBeGreaterThan(0.6);
    expect(median(unknown) / median(known)).toBeLessThan(1.7);
  });

  test('is told neither by the words of a reset nor by a wait for the mail', async () => {
    const { email } = await signUp(api);
    const ask = async (one: string) => {
      const { status, text } = await createBrowser(api).call({
        method: 'POST',
        url: '/auth/request-reset',
        body: { email: one },
      });
      return { status, text };
    };
    expect(await ask(email)).toEqual(await ask(newEmail()));
  });
});

test('working passwords out leaves the process free for others', async () => {
  const { email } = await signUp(timed);
  const before = performance.eventLoopUtilization();
  await Promise.all(Array.from({ length: 24 }, () => signIn(timed, email)));
  // On the process's own thread they would keep it busy all the time.
  expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.7);
});

test('calls of a person are limited over all accounts together, and not those of somebody else', async () => {
  const limited = await createTestApi({ ...dashboardEnv, SESSION_CALLS_PER_MINUTE: '20' });
  onTestFinished(() => void limited.close());
  const [person, colleague] = [await signUp(limited), await signUp(limited)];
  const own = (await person.call({ url: '/account/me' })).body.account.id as string;
  const created = await person.call({ method: 'POST', url: '/account/accounts', body: { name: 'Second' } });
  await limited.admin('create-user', colleague.email, '--account', own, '--role', 'editor', '--unconfirmed');
  const call = (browser: Browser, account: string) =>
    browser.call({ url: '/account/v1/account', headers: { 'x-signpost-account': account } });
  for (let n = 0; n < 9; n++)
    for (const id of [own, created.body.id]) expect((await call(person, id)).status).toBe(200);
  for (const id of [own, created.body.id]) expect((await call(person, id)).status).toBe(429);
  expect((await call(colleague, own)).status).toBe(200);
});
