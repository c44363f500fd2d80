import { accountOperations, type Operation } from '@signpost/contract';
import { createTestApi, roomyPlan, type TestApi } from '@signpost/testing/api.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { type Browser, createBrowser, dashboardEnv, goodPassword, signUp } from '@signpost/testing/people.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId } from '../kernel/ids.ts';
import { sql } from '../platform/postgres/postgres.ts';

let api: TestApi;
let closed: TestApi | undefined;
let operator: Browser;
let withoutAccount: Browser;
let withSeveral: Browser;
let owner: Browser & { readonly email: string };
let account: string;

beforeAll(async () => {
  api = await createTestApi({ ...dashboardEnv, DEFAULT_PLAN: roomyPlan });
  const person = await signUp(api);
  await api.admin('set-operator', person.email, 'on', '--unconfirmed');
  operator = person;
  const [none, several] = [await signUp(api), await signUp(api)];
  for (const { email } of [none, several]) await api.admin('set-operator', email, 'on', '--unconfirmed');
  withSeveral = several;
  withoutAccount = await closeAccountOf(none);
  await api.admin('create-account', 'Second', '--owner', several.email, '--unconfirmed');
  owner = await signUp(api);
  account = (await owner.call({ url: '/account/me' })).body.account.id;
});
afterAll(() => Promise.all([api.close(), closed?.close()]));

/** Where sign-up is closed, nobody gets a new account. */
async function closeAccountOf(person: Browser & { readonly email: string }): Promise<Browser> {
  const { databaseUrl } = api.config;
  const same = { DATABASE_URL: databaseUrl, DATABASE_DIRECT_URL: databaseUrl };
  closed = await createTestApi({ ...dashboardEnv, ...same, SIGN_UP: 'closed' });
  const own = (await get(person, '/account/me')).body.account.id;
  await api.admin('close-account', own, '--yes');
  const browser = createBrowser(closed);
  const signedIn = await post(browser, '/auth/sign-in', { email: person.email, password: goodPassword });
  expect(signedIn.status).toBe(200);
  expect((await get(browser, '/account/me')).body.account).toBeNull();
  return browser;
}

const post = (browser: Browser, url: string, body: unknown = {}) =>
  browser.call({ method: 'POST', url, body });
const get = (browser: Browser, url: string) => browser.call({ url });

const makeCode = async (destination = 'https://example.com', browser: Browser = owner) =>
  (await post(browser, '/account/v1/qrcodes', { name: 'Menu', destination_url: destination })).body;
const availability = async (id: string) => (await get(owner, `/account/v1/qrcodes/${id}`)).body.availability;

const ofOperators = Object.values<Operation>(accountOperations).filter(
  ({ tag, path }) => tag === 'Operator' || path.startsWith('/account/operator'),
);

describe.each(ofOperators)('$id', operation => {
  const { method, path } = operation;
  const ask = (browser: Browser, id: string, body: unknown = {}) =>
    browser.call({
      method,
      url: path.replace('{id}', encodeURIComponent(id)),
      ...(method === 'GET' ? {} : { body }),
    });

  test('is behind the guard of operators', () => {
    expect(path).toMatch(/^\/account\/operator\//);
  });

  test('is refused to everybody else in one and the same way, whatever is asked', async () => {
    const asked = [
      await ask(owner, account),
      await ask(owner, 'nothing'),
      await ask(owner, account, { wrong: true }),
      await owner.call({ method, url: `${path.replace('{id}', account)}?page=none&link=` }),
    ];
    for (const { status, body } of asked) {
      expect(status).toBe(403);
      expect(body.error).toMatchObject({
        code: 'forbidden',
        message: 'Only operators of this service may do this.',
      });
    }
  });

  test('asks strangers to sign in, and takes no key', async () => {
    expect((await ask(createBrowser(api), account)).status).toBe(401);
    const { live } = await api.account();
    const headers = { origin: new URL(api.config.publicUrl).origin };
    const url = path.replace('{id}', account);
    expect((await api.call({ method, url, key: live, headers })).status).toBe(401);
    expect((await api.call({ method, url: url.replace('/account', '/v1'), key: live })).status).toBe(404);
  });

  test('is answered to an operator, with an account, without one, and with several of which none is named', async () => {
    for (const browser of [operator, withoutAccount, withSeveral]) {
      const { status } = await ask(browser, 'nothing');
      expect([200, 400, 404, 503]).toContain(status);
      expect(status).toBe((await ask(operator, 'nothing')).status);
    }
  });
});

test('paths of operators that do not exist tell strangers nothing either', async () => {
  expect((await get(owner, '/account/operator/nothing')).status).toBe(403);
  expect((await get(operator, '/account/operator/nothing')).status).toBe(404);
});

test('somebody who is no operator any more is refused at once', async () => {
  const person = await signUp(api);
  await api.admin('set-operator', person.email, 'on', '--unconfirmed');
  expect((await get(person, '/account/operator/reports')).status).toBe(200);
  await api.admin('set-operator', person.email, 'off');
  expect((await get(person, '/account/operator/reports')).status).toBe(403);
});

test('a short link leads to its account, the account to its people and codes', async () => {
  const code = await makeCode('https://shop.example.net/a');
  for (const link of [code.short_code, code.short_url]) {
    const { body } = await get(operator, `/account/operator/codes?link=${encodeURIComponent(link)}`);
    expect(body.data).toHaveLength(1);
    expect(body.data[0]).toMatchObject({ id: code.id, made_by: 'dashboard', account: { id: account } });
  }
  const byHost = await get(
    operator,
    `/account/operator/codes?link=${encodeURIComponent('https://shop.example.net/b')}`,
  );
  expect(byHost.body.data.map(({ id }: { id: string }) => id)).toEqual([code.id]);
  const found = await get(operator, `/account/operator/accounts/${account}`);
  expect(found.body).toMatchObject({
    account: { id: account, suspended: false, held: false, plan: roomyPlan },
    suspension: null,
    people: [{ email: owner.email, role: 'owner', email_verified: false }],
    suspended_codes: 0,
    reports: 0,
  });
  const codes = await get(operator, `/account/operator/accounts/${account}/codes?limit=1`);
  expect(codes.body).toMatchObject({ data: [{ id: code.id }], pagination: { limit: 1 } });
  expect((await get(operator, '/account/operator/accounts/acct_nothing')).status).toBe(404);
});

test('a code is suspended, appealed for and released', async () => {
  const code = await makeCode();
  const made = await post(operator, '/account/operator/suspensions', { id: code.id, reason: 'Phishing' });
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({
    subject: 'code',
    qr_code: { id: code.id, short_url: code.short_url },
    url: 'https://example.com',
    cause: 'operator',
    reason: 'Phishing',
    released_at: null,
  });
  expect(await availability(code.id)).toMatchObject({ state: 'suspended', reason: 'Phishing' });
  const again = await post(operator, '/account/operator/suspensions', { id: code.id, reason: 'Phishing' });
  expect([again.status, again.body.id]).toEqual([201, made.body.id]);
  await post(owner, `/account/qrcodes/${code.id}/appeal`, { text: '<b>It is ours</b>' });
  const appealed = await get(operator, '/account/operator/suspensions?state=appealed');
  expect(appealed.body.data[0]).toMatchObject({ id: made.body.id, appeal: { text: '<b>It is ours</b>' } });
  const released = await post(operator, `/account/operator/suspensions/${made.body.id}/release`);
  expect(released.body.released_at).toEqual(expect.any(String));
  expect(await availability(code.id)).toMatchObject({ state: 'live' });
  const list = await get(operator, '/account/operator/suspensions?state=released');
  expect(list.body.data.map(({ id }: { id: string }) => id)).toContain(made.body.id);
  expect((await post(operator, '/account/operator/suspensions/sus_nothing/release')).status).toBe(404);
});

test('an account is suspended and released, but not one that has an operator', async () => {
  const made = await post(operator, '/account/operator/suspensions', { id: account, reason: 'Spam' });
  expect(made.body).toMatchObject({ subject: 'account', account: { id: account, suspended: true } });
  expect(
    (await post(owner, '/account/v1/qrcodes', { name: 'x', destination_url: 'https://a.example' })).status,
  ).toBe(403);
  expect((await get(operator, `/account/operator/accounts/${account}`)).body.suspension.id).toBe(
    made.body.id,
  );
  await post(operator, `/account/operator/suspensions/${made.body.id}/release`);
  expect((await get(owner, '/account/me')).body.account.suspension).toBeNull();

  const own = (await get(operator, '/account/me')).body.account.id;
  expect((await post(operator, '/account/operator/suspensions', { id: own, reason: 'x' })).status).toBe(409);
  for (const id of ['qr_nothing', 'acct_nothing', account.replace('acct_', 'qr_')])
    expect((await post(operator, '/account/operator/suspensions', { id, reason: 'x' })).status).toBe(404);
});

test('a blocked host stops what leads there, marks it in the background, and releases it', async () => {
  const code = await makeCode('https://login.evil.example/x');
  const blocked = await post(operator, '/account/operator/blocked-hosts', {
    host: 'EVIL.example',
    reason: 'Phishing site',
  });
  expect(blocked.status).toBe(201);
  expect(blocked.body).toMatchObject({ host: 'evil.example', reason: 'Phishing site' });
  // What redirects go by is there when the call answers.
  const [stop] = await api.api.db.query<{ reason: string }>(
    sql('test-host-stop', `select reason from stops where subject = 'host/evil.example'`),
  );
  expect(stop?.reason).toBe('blocked');
  await waitUntil('the code is marked', async () => (await availability(code.id)).state === 'suspended');
  expect((await availability(code.id)).reason).toBe('Phishing site');
  // An owner sees it as suspended from the moment of the block; the operator's count follows when it is marked.
  await waitUntil('the code is counted', async () => {
    const [first] = (await get(operator, '/account/operator/blocked-hosts')).body.data;
    return first.host === 'evil.example' && first.suspended_codes === 1;
  });
  const [open] = (await get(operator, '/account/operator/suspensions')).body.data;
  const refused = await post(operator, `/account/operator/suspensions/${open.id}/release`);
  expect(refused.status).toBe(409);
  expect(refused.body.error.message).toContain('This code still leads to evil.example, which is blocked.');

  const url = '/account/operator/blocked-hosts/evil.example';
  expect((await operator.call({ method: 'DELETE', url })).body).toEqual({
    host: 'evil.example',
    released_codes: 1,
  });
  expect(await availability(code.id)).toMatchObject({ state: 'live' });
  expect((await operator.call({ method: 'DELETE', url })).status).toBe(404);
  for (const host of ['https://evil.example', 'evil', 'evil.example/x', ' '])
    expect((await post(operator, '/account/operator/blocked-hosts', { host })).status).toBe(400);
});

test('the reach of a host is known before it is blocked, with its subdomains', async () => {
  await makeCode('https://wide.example/a');
  await makeCode('https://www.wide.example/b');
  await makeCode('https://notwide.example/', operator);
  const reach = (host: string) => get(operator, `/account/operator/hosts/${host}`);
  expect((await reach('WIDE.example')).body).toEqual({
    host: 'wide.example',
    codes: 2,
    domains: 0,
    accounts: 1,
  });
  await makeCode('https://wide.example/c', operator);
  expect((await reach('wide.example')).body).toMatchObject({ codes: 3, accounts: 2 });
  expect((await reach('unknown.example')).body).toMatchObject({ codes: 0, accounts: 0 });
  expect((await reach('https:')).status).toBe(400);
});

test('domains that lead to a host by themselves are part of its reach, and are found by it and by their name', async () => {
  const account = await api.account('business');
  const id = formatId('acct', account.id);
  await api.admin('add-domain', 'go.leading.example', '--account', id);
  await api.admin('set-domain', 'go.leading.example', '--root-url', 'https://login.lure.example/');
  const reach = async () => (await get(operator, '/account/operator/hosts/lure.example')).body;
  expect(await reach()).toEqual({ host: 'lure.example', codes: 0, domains: 1, accounts: 1 });
  const find = async (link: string) =>
    (await get(operator, `/account/operator/codes?link=${encodeURIComponent(link)}`)).body;
  const leading = {
    host: 'go.leading.example',
    status: 'active',
    account: expect.objectContaining({ id }),
    targets: [{ kind: 'root', url: 'https://login.lure.example/', cleared_at: null }],
  };
  for (const link of ['https://lure.example/x', 'go.leading.example', 'https://go.leading.example/'])
    expect(await find(link), link).toEqual({ data: [], domains: [leading] });
  expect(await find('https://other.example/')).toEqual({ data: [], domains: [] });
  await post(operator, '/account/operator/blocked-hosts', { host: 'lure.example' });
  await waitUntil('it no longer leads there', async () => (await reach()).domains === 0);
  const cleared = { ...leading.targets[0], cleared_at: expect.any(String) };
  expect((await find('https://lure.example/')).domains).toEqual([{ ...leading, targets: [cleared] }]);
});

test('a blocked host is said to be marking until all its codes are marked', async () => {
  const blocked = await post(operator, '/account/operator/blocked-hosts', { host: 'slow.example' });
  expect(blocked.body.marking).toBe(true);
  await waitUntil('it is marked', async () => {
    const { body } = await get(operator, '/account/operator/blocked-hosts');
    return body.data.find((one: { host: string }) => one.host === 'slow.example').marking === false;
  });
});

test('an appeal is answered, leaves the list of appeals, and comes back with a new appeal', async () => {
  const code = await makeCode('https://appealed.example/before');
  const made = await post(operator, '/account/operator/suspensions', { id: code.id, reason: 'Phishing' });
  const answer = (body: object = {}) =>
    post(operator, `/account/operator/suspensions/${made.body.id}/answer`, body);
  expect((await answer()).status).toBe(409);
  const appeals = async () => (await get(operator, '/account/operator/suspensions?state=appealed')).body.data;
  const own = async () => (await get(owner, `/account/qrcodes/${code.id}/suspension`)).body.suspension.appeal;

  await owner.call({
    method: 'PATCH',
    url: `/account/v1/qrcodes/${code.id}`,
    body: { destination_url: 'https://appealed.example/after' },
  });
  await post(owner, `/account/qrcodes/${code.id}/appeal`, { text: 'It is fixed' });
  expect(await appeals()).toMatchObject([
    {
      url: 'https://appealed.example/before',
      qr_code: { destination_url: 'https://appealed.example/after' },
      appeal: { text: 'It is fixed', answer: null },
    },
  ]);
  expect((await answer({ text: 'It still asks for passwords.' })).body.appeal).toMatchObject({
    text: 'It is fixed',
    answer: { text: 'It still asks for passwords.', at: expect.any(String) },
  });
  expect(await own()).toMatchObject({ answer: { text: 'It still asks for passwords.' } });
  expect(await appeals()).toEqual([]);

  await post(owner, `/account/qrcodes/${code.id}/appeal`, { text: 'Now it is' });
  expect(await own()).toMatchObject({ text: 'Now it is', answer: null });
  expect(await appeals()).toHaveLength(1);
  expect((await answer()).body.appeal.answer).toMatchObject({ text: '' });
  await post(operator, `/account/operator/suspensions/${made.body.id}/release`);
  expect((await answer()).status).toBe(409);
  expect((await post(operator, '/account/operator/suspensions/sus_nothing/answer')).status).toBe(404);
});

test('an owner sees in the list of codes which are suspended', async () => {
  const code = await makeCode();
  await post(operator, '/account/operator/suspensions', { id: code.id, reason: 'Phishing' });
  for (const query of ['', '?sort=scans&search=menu']) {
    const { body } = await get(owner, `/account/qrcodes${query}`);
    expect(body.data.find(({ id }: { id: string }) => id === code.id)).toMatchObject({
      status: 'active',
      availability: { state: 'suspended', reason: 'Phishing' },
    });
    expect(body.data.map((one: typeof code) => one.availability.state)).toContain('live');
  }
  // The public list stays as it is.
  expect((await get(owner, '/account/v1/qrcodes')).body.data[0]).not.toHaveProperty('availability');
});

test('what strangers report is one line a link, and is closed', async () => {
  const code = await makeCode();
  const report = (text: string) =>
    api.call({
      method: 'POST',
      url: '/report',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ link: code.short_url, kind: 'phishing', text }).toString(),
    });
  for (const text of ['<script>first</script>', 'second'])
    expect((await report(text)).status).toBeLessThan(400);
  const found = await get(operator, '/account/operator/reports');
  expect(found.body.data[0]).toMatchObject({
    code: { id: code.id, account: { id: account } },
    count: 2,
    closed_at: null,
    messages: [{ text: 'second' }, { kind: 'phishing', text: '<script>first</script>' }],
  });
  expect((await get(operator, `/account/operator/accounts/${account}`)).body.reports).toBe(1);
  const { id } = found.body.data[0];
  const closed = await post(operator, `/account/operator/reports/${id}/close`);
  expect(closed.body).toMatchObject({ id, closed_at: expect.any(String) });
  expect((await get(operator, '/account/operator/reports')).body.data).toEqual([]);
  expect((await get(operator, '/account/operator/reports?state=closed')).body.data[0].id).toBe(id);
  expect((await post(operator, '/account/operator/reports/rep_nothing/close')).status).toBe(404);
});

test('lists are shown with what they have stopped', async () => {
  expect((await get(operator, '/account/operator/lists')).body).toEqual({ data: [] });
});

test('somebody who is signed out and in again is asked for nothing else', async () => {
  const back = createBrowser(api);
  const person = await signUp(api);
  await api.admin('set-operator', person.email, 'on', '--unconfirmed');
  await post(back, '/auth/sign-in', { email: person.email, password: goodPassword });
  expect((await get(back, '/account/operator/blocked-hosts')).status).toBe(200);
});
