import { chmodSync, existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestApi, type TestApi } from '@signpost/testing/api.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import {
  type Browser,
  createBrowser,
  dashboardEnv,
  goodPassword,
  newEmail,
  signUp,
} from '@signpost/testing/people.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseId, type Uuid } from '../kernel/ids.ts';
import { sql } from '../platform/postgres/postgres.ts';
import { removeMembers } from './members/remove-members.ts';
import { toTokenFilePath } from './operators/operator-token-file.ts';
import { addOperator } from './operators/operators.ts';

async function anApi(env: Record<string, string> = {}): Promise<TestApi> {
  const api = await createTestApi({ ...dashboardEnv, SIGN_UP: 'closed', ...env });
  onTestFinished(() => void api.close());
  return api;
}

const fileOf = ({ config }: TestApi) => toTokenFilePath(config.spoolDir);

/** What the operator reads on the server, once any process may be asked for it. */
async function tokenOf(api: TestApi): Promise<string> {
  const isKnown = async () =>
    (await api.api.db.query(sql('test-tokens', 'select 1 from operator_tokens'))).length > 0;
  await waitUntil('the token is made', async () => existsSync(fileOf(api)) && (await isKnown()));
  return readFileSync(fileOf(api), 'utf8').trim();
}

type Newcomer = { token: string; email?: string; address?: string };

const become = (
  api: TestApi,
  { token, email = newEmail(), address }: Newcomer,
  browser = createBrowser(api),
) =>
  browser.call({
    method: 'POST',
    url: '/auth/first-operator',
    body: { token, name: 'Olga', email, password: goodPassword },
    ...(address ? { address } : {}),
  });

const tryToSignUp = (api: TestApi) =>
  createBrowser(api).call({
    method: 'POST',
    url: '/auth/sign-up',
    body: { name: 'Somebody', email: newEmail(), password: goodPassword },
  });

const count = async (api: TestApi, table: 'auth_users' | 'operators' | 'operator_tokens' | 'accounts') => {
  const [row] = await api.api.db.query<{ count: number }>(
    sql(`count-${table}`, `select count(*) as count from ${table}`),
  );
  return row!.count;
};

/** Follows a link that a command has printed, and signs in with the new password. */
async function enterBy(api: TestApi, output: string, email: string): Promise<Browser> {
  const [, token = ''] =
    /https:\/\/api\.signpost\.example\/app\/reset-password#token=(\S+)/.exec(output) ?? [];
  const browser = createBrowser(api);
  const post = (url: string, body: object) => browser.call({ method: 'POST', url, body });
  expect((await post('/auth/reset-password', { token, password: 'set by the link' })).status).toBe(200);
  expect((await post('/auth/reset-password', { token, password: 'set by it again' })).status).toBe(400);
  expect((await post('/auth/sign-in', { email, password: 'set by the link' })).status).toBe(200);
  return browser;
}

const me = async (browser: Browser) => (await browser.call({ url: '/account/me' })).body;

describe('without an operator', () => {
  test('a stranger gets nothing where sign-up is closed, and it is closed unless it is opened', async () => {
    const { SIGN_UP: _, ...env } = dashboardEnv;
    const api = await createTestApi(env);
    onTestFinished(() => void api.close());
    expect(await tryToSignUp(api)).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
    const options = await createBrowser(api).call({ url: '/auth/options' });
    expect(options.body).toMatchObject({ sign_up: false, first_user: true });
    expect(await count(api, 'auth_users')).toBe(0);
  });

  test('the first visitor of an open service is no operator', async () => {
    const api = await anApi({ SIGN_UP: 'open' });
    expect(await me(await signUp(api))).toMatchObject({
      user: { is_operator: false },
      account: { plan: 'free' },
    });
    const options = await createBrowser(api).call({ url: '/auth/options' });
    expect(options.body).toMatchObject({ sign_up: true, first_user: true });
  });
});

describe('the token', () => {
  test('makes exactly one operator of 20 who have it at once, and nobody else', async () => {
    const api = await anApi();
    const token = await tokenOf(api);
    const replies = await Promise.all(Array.from({ length: 20 }, () => become(api, { token })));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(403)]);
    expect([
      await count(api, 'operators'),
      await count(api, 'auth_users'),
      await count(api, 'accounts'),
    ]).toEqual([1, 1, 1]);
    const [{ body }] = replies.filter(({ status }) => status === 201) as [(typeof replies)[number]];
    expect(body.user).toMatchObject({ name: 'Olga', is_operator: true });
  });

  test('signs the operator in to an enterprise account', async () => {
    const api = await anApi();
    const browser = createBrowser(api);
    const reply = await become(api, { token: await tokenOf(api), email: 'Olga@People.example' }, browser);
    expect(reply.status).toBe(201);
    expect(await me(browser)).toMatchObject({
      user: { email: 'olga@people.example', is_operator: true },
      account: { name: 'Olga', plan: 'enterprise', code_quota: null },
    });
    expect((await createBrowser(api).call({ url: '/auth/options' })).body.first_user).toBe(false);
  });

  test('is in a file for its owner alone, in no log line, and gone afterwards; put back it does nothing', async () => {
    const api = await anApi();
    const token = await tokenOf(api);
    expect(token).toMatch(/^[0-9a-f]{40}$/);
    expect(statSync(fileOf(api)).mode & 0o777).toBe(0o600);
    await waitUntil('the log says where it is', () => api.log.some(line => line.includes(fileOf(api))));
    expect((await become(api, { token })).status).toBe(201);
    expect(existsSync(fileOf(api))).toBe(false);
    expect(await count(api, 'operator_tokens')).toBe(0);
    writeFileSync(fileOf(api), `${token}\n`, { mode: 0o600 });
    expect(await become(api, { token })).toMatchObject({
      status: 403,
      body: { error: { code: 'forbidden' } },
    });
    // Nor with its hash, which a process that looked a moment too early may put back.
    const putBack = sql(
      'test-put-back',
      'insert into operator_tokens (hash, seen_at) values (sha256($1), now())',
    );
    await api.api.db.query(putBack, [Buffer.from(token)]);
    expect((await become(api, { token })).status).toBe(403);
    // Nor does it when another process starts beside it.
    const { databaseUrl, spoolDir } = api.config;
    const next = await anApi({ DATABASE_URL: databaseUrl, SPOOL_DIR: spoolDir });
    await waitUntil('the file is removed', () => !existsSync(fileOf(next)));
    expect((await become(next, { token })).status).toBe(403);
    expect(await count(api, 'operators')).toBe(1);
    expect([...api.log, ...next.log].join('')).not.toContain(token);
  });

  test('that is wrong is refused, and limited by address', async () => {
    const api = await anApi({ SIGN_IN_ATTEMPTS: '3', AUTH_SECRET: newEmail().padEnd(40, 'x') });
    const token = await tokenOf(api);
    const wrong = (address: string) => become(api, { token: 'f'.repeat(40), address });
    const first = await wrong('203.0.113.7');
    expect(first).toMatchObject({ status: 403, body: { error: { code: 'forbidden', param: 'token' } } });
    const statuses = [];
    for (let n = 0; n < 3; n++) statuses.push((await wrong('203.0.113.7')).status);
    expect(statuses).toEqual([403, 403, 429]);
    // Also with the right one, or a guesser would see when it is right.
    expect((await become(api, { token, address: '203.0.113.7' })).status).toBe(429);
    expect((await become(api, { token, address: '203.0.113.8' })).status).toBe(201);
  });

  test('is one for the processes of a machine, and any process of a fleet takes it', async () => {
    const api = await anApi();
    const token = await tokenOf(api);
    const { databaseUrl, spoolDir } = api.config;
    const beside = await anApi({ DATABASE_URL: databaseUrl, SPOOL_DIR: spoolDir });
    const elsewhere = await anApi({ DATABASE_URL: databaseUrl });
    await waitUntil('the other machine has its own', async () => (await count(api, 'operator_tokens')) === 2);
    expect(readFileSync(fileOf(beside), 'utf8').trim()).toBe(token);
    expect(readFileSync(fileOf(elsewhere), 'utf8').trim()).not.toBe(token);
    expect((await become(elsewhere, { token })).status).toBe(201);
    expect(await count(api, 'operator_tokens')).toBe(0);
    // The other machine finds out by itself.
    await waitUntil('its file is gone there too', () => !existsSync(fileOf(api)), { timeoutMs: 20_000 });
  });

  test('that others could have read or put there is not used', async () => {
    const spoolDir = mkdtempSync(join(tmpdir(), 'signpost-spool-'));
    const planted = 'a'.repeat(40);
    writeFileSync(toTokenFilePath(spoolDir), planted);
    chmodSync(toTokenFilePath(spoolDir), 0o644);
    const api = await anApi({ SPOOL_DIR: spoolDir });
    expect(await tokenOf(api)).not.toBe(planted);
    expect((await become(api, { token: planted })).status).toBe(403);
  });

  test('does not take over the account of somebody who is here', async () => {
    const api = await anApi({ SIGN_UP: 'open' });
    const { email } = await signUp(api);
    const token = await tokenOf(api);
    const reply = await become(api, { token, email: email.toUpperCase() });
    expect(reply).toMatchObject({ status: 400, body: { error: { param: 'email' } } });
    expect(reply.body.error.message).toContain(`signpost admin set-operator ${email} on`);
    expect((await become(api, { token })).status).toBe(201);
  });

  test('cannot be made where the disk is not ours to write: the log says which command to use', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'signpost-spool-'));
    writeFileSync(join(dir, 'spool'), 'a file where the directory should be');
    const api = await anApi({ SPOOL_DIR: join(dir, 'spool') });
    await waitUntil('the log says what to do', () =>
      api.log.some(line => line.includes('signpost admin create-user EMAIL --operator')),
    );
    expect((await become(api, { token: 'f'.repeat(40) })).status).toBe(403);
  });
});

describe('the commands', () => {
  test('create-user --operator makes the first operator, by a link that signs in, and ends the token', async () => {
    const api = await anApi();
    const token = await tokenOf(api);
    const output = await api.admin('create-user', 'Olga@People.example', '--name', 'Olga', '--operator');
    const browser = await enterBy(api, output, 'olga@people.example');
    expect(await me(browser)).toMatchObject({
      user: { email: 'olga@people.example', name: 'Olga', is_operator: true },
      account: { name: 'Olga', plan: 'enterprise' },
    });
    expect(existsSync(fileOf(api))).toBe(false);
    expect((await become(api, { token })).status).toBe(403);
    await expect(api.admin('create-user', 'olga@people.example')).rejects.toThrow(
      /already has an account.*create-account NAME --owner/,
    );
  });

  test('create-user makes an ordinary user where sign-up is closed, on the plan that is set or named', async () => {
    const api = await anApi({ DEFAULT_PLAN: 'pro' });
    const browser = await enterBy(
      api,
      await api.admin('create-user', 'ann@people.example'),
      'ann@people.example',
    );
    expect(await me(browser)).toMatchObject({
      user: { name: 'ann', is_operator: false },
      account: { plan: 'pro' },
    });
    const named = await api.admin('create-user', 'bob@people.example', '--plan', 'business');
    expect(named).toContain('(business)');
    await expect(api.admin('create-user', 'eve@people.example', '--plan', 'none')).rejects.toThrow(
      /no plan none/,
    );
    await expect(api.admin('create-user', 'nobody')).rejects.toThrow(/not an e-mail address/);
    expect(await api.admin('list-users')).toMatch(
      /^user .* acct_\w+ owner {2}ann@people\.example {2}ann\nuser .*bob@/,
    );
  });

  test('set-operator makes and unmakes operators, but for the last', async () => {
    const api = await anApi({ SIGN_UP: 'open' });
    const [ann, bob] = [await signUp(api), await signUp(api)];
    expect(await api.admin('set-operator', ann.email, '--unconfirmed')).toContain(
      `${ann.email} is now an operator.`,
    );
    expect((await me(ann)).user.is_operator).toBe(true);
    expect(await count(api, 'operator_tokens')).toBe(0);
    await expect(api.admin('set-operator', ann.email, 'off')).rejects.toThrow(
      /only operator.*signpost admin set-operator EMAIL on/,
    );
    await api.admin('set-operator', bob.email.toUpperCase(), 'on', '--unconfirmed');
    expect(await api.admin('set-operator', bob.email, 'on', '--unconfirmed')).toContain(
      'was already an operator',
    );
    await api.admin('set-operator', ann.email, 'off');
    expect((await me(ann)).user.is_operator).toBe(false);
    await expect(api.admin('set-operator', bob.email, 'off')).rejects.toThrow(/only operator/);
    await expect(api.admin('set-operator', newEmail())).rejects.toThrow(/No user has the e-mail/);
    await expect(api.admin('set-operator', bob.email, 'maybe')).rejects.toThrow(/Say on or off/);
  });

  test('refuse to give anything to who has not confirmed the address, and say what to do', async () => {
    const api = await anApi({ SIGN_UP: 'open' });
    const { email } = await signUp(api);
    await expect(api.admin('set-operator', email, 'on')).rejects.toThrow(
      /not confirmed.*sends no mail.*--unconfirmed/,
    );
    expect(await count(api, 'operators')).toBe(0);
    const { databaseUrl } = api.config;
    const mailing = await anApi({ DATABASE_URL: databaseUrl, SMTP_URL: 'smtp://127.0.0.1:9' });
    await expect(mailing.admin('set-operator', email)).rejects.toThrow(
      /not confirmed.*Ask them to sign in and confirm the address.*--unconfirmed/,
    );
    // Somebody whose sign-up was cut off has no account yet.
    await api.api.db.query(sql('test-cut-off', 'delete from members'));
    for (const command of [
      ['create-user', email],
      ['create-account', 'Shop', '--owner', email],
    ]) {
      await expect(api.admin(...command)).rejects.toThrow(/not confirmed.*--unconfirmed/);
      expect(await api.admin('list-users')).toContain(`no account  ${email} (unconfirmed)  Somebody`);
    }
    expect(await api.admin('create-user', email, '--unconfirmed')).toContain('They sign in as before.');
    expect(await api.admin('set-operator', email, '--unconfirmed')).toContain('is now an operator');
    await api.api.db.query(sql('test-confirm', 'update auth_users set email_verified = true'));
    expect(await api.admin('list-users')).not.toContain('unconfirmed');
  });

  test('list-users prints a name in one line, whatever is in it', async () => {
    const api = await anApi({ SIGN_UP: 'open' });
    await signUp(api);
    const planted = 'Eve\r\noperator  2026\u001b[2K\u2028\u202Eeve';
    await api.api.db.query(sql('test-plant', 'update auth_users set name = $1'), [planted]);
    const output = await api.admin('list-users');
    expect(output).toContain('Eve\\u{d}\\u{a}operator  2026\\u{1b}[2K\\u{2028}\\u{202e}eve');
    expect(output).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u);
  });

  test('of two operators who are unmade at once one stays', async () => {
    const api = await anApi({ SIGN_UP: 'open' });
    for (let round = 0; round < 3; round++) {
      const people = [await signUp(api), await signUp(api)];
      for (const { email } of people) await api.admin('set-operator', email, '--unconfirmed');
      for (const email of (await api.admin('list-users')).matchAll(/^operator .* (\S+@\S+) /gm))
        if (!people.some(one => one.email === email[1])) await api.admin('set-operator', email[1]!, 'off');
      const outcomes = await Promise.allSettled(
        people.map(({ email }) => api.admin('set-operator', email, 'off')),
      );
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(await count(api, 'operators')).toBe(1);
    }
  });

  test('reset-link signs in without mail, and ends the other sessions', async () => {
    const api = await anApi({ SIGN_UP: 'open' });
    const before = await signUp(api);
    const after = await enterBy(api, await api.admin('reset-link', before.email.toUpperCase()), before.email);
    expect((await me(after)).user.email).toBe(before.email);
    expect((await before.call({ url: '/account/me' })).status).toBe(401);
    await expect(api.admin('reset-link', newEmail())).rejects.toThrow(/No user has the e-mail.*list-users/);
    expect(api.log.join('')).not.toContain('token=');
  });

  test('create-account --owner makes an account with keys and its owner, who may have other accounts', async () => {
    const api = await anApi();
    const args = ['create-account', 'My shop', '--owner', 'Shop@People.example', '--plan', 'pro'];
    const output = await api.admin(...args);
    const browser = await enterBy(api, output, 'shop@people.example');
    expect(await me(browser)).toMatchObject({
      user: { name: 'shop', is_operator: false },
      account: { name: 'My shop', plan: 'pro' },
    });
    const [, key] = /(sk_live_\S+)/.exec(output) ?? [];
    expect((await api.call({ url: '/v1/qrcodes', ...(key ? { key } : {}) })).status).toBe(200);
    await expect(api.admin('create-user', 'shop@people.example')).rejects.toThrow(/already has an account/);
    expect(await api.admin('create-account', 'Second shop', ...args.slice(2))).toContain(
      'They sign in as before.',
    );
    const { account, accounts } = await me(browser);
    expect([account, accounts]).toEqual([
      null,
      [
        expect.objectContaining({ name: 'My shop', role: 'owner' }),
        expect.objectContaining({ name: 'Second shop', role: 'owner' }),
      ],
    ]);
    // An address stands for an account only while there is no other.
    const [first, second] = accounts.map(({ id }: { id: string }) => id);
    for (const command of [
      ['create-key', 'shop@people.example', 'test'],
      ['list-keys', 'shop@people.example'],
    ])
      await expect(api.admin(...command)).rejects.toThrow(
        `Name one by its id: ${first} (My shop), ${second} (Second shop)`,
      );
    expect(await api.admin('list-users')).toContain(`${first} owner, ${second} owner  shop@people.example`);
  });

  test('create-user --account adds a new person with a link and one who exists as they are', async () => {
    const api = await anApi();
    const made = await api.admin('create-account', 'My shop', '--owner', 'olga@people.example');
    const [account = ''] = /acct_\w+/.exec(made)!;
    const add = (email: string, ...more: string[]) =>
      api.admin('create-user', email, '--account', account, ...more);
    const output = await add('New@People.example', '--role', 'viewer', '--name', 'Nele');
    expect(output).toContain(`viewer  new@people.example  account ${account}`);
    const browser = await enterBy(api, output, 'new@people.example');
    expect(await me(browser)).toMatchObject({
      user: { name: 'Nele' },
      account: { id: account, role: 'viewer' },
    });

    await api.admin('create-user', 'ann@people.example');
    await api.api.db.query(
      sql('test-unconfirm', `update auth_users set email_verified = false where email like 'ann@%'`),
    );
    await expect(add('ann@people.example', '--role', 'admin')).rejects.toThrow(/is not confirmed/);
    const known = await add('ann@people.example', '--role', 'admin', '--unconfirmed');
    expect(known).toContain('They sign in as before.');
    expect(await api.admin('list-users')).toMatch(
      new RegExp(`acct_\\w+ owner, ${account} admin {2}ann@people\\.example`),
    );
    await expect(add('new@people.example', '--role', 'owner')).rejects.toThrow(
      /belongs to this account already/,
    );
    for (const [more, reason] of [
      [[], /--role owner\|admin\|editor\|viewer/],
      [['--role', 'boss'], /--role owner\|admin\|editor\|viewer/],
      [['--role', 'viewer', '--operator'], /for a person with a new account/],
      [['--role', 'viewer', '--plan', 'pro'], /for a person with a new account/],
    ] as const)
      await expect(add(newEmail(), ...more)).rejects.toThrow(reason);
    await expect(api.admin('create-user', newEmail(), '--role', 'viewer')).rejects.toThrow(
      /account id is missing/,
    );
    const closed = `acct_${'0'.repeat(26)}`;
    await expect(
      api.admin('create-user', newEmail(), '--account', closed, '--role', 'viewer'),
    ).rejects.toThrow('No account has this id');
    expect(await count(api, 'auth_users')).toBe(3);
  });

  test('create-user --account ends an invitation to the same address', async () => {
    const api = await anApi();
    const made = await api.admin('create-account', 'My shop', '--owner', 'olga@people.example');
    const [account = ''] = /acct_\w+/.exec(made)!;
    await api.api.db.query(
      sql(
        'test-invite',
        `insert into invitations (id, account_id, email, role, invited_by, hash, mailed, created_at, sent_at, expires_at)
         select gen_random_uuid(), $1, e.email, 'viewer', u.id, sha256(e.email::bytea), true, now(), now(), now() + interval '7 days'
           from auth_users u, unnest($2::text[]) as e (email)`,
      ),
      [parseId('acct', account), ['new@people.example', 'other@people.example']],
    );
    await api.admin('create-user', 'new@people.example', '--account', account, '--role', 'viewer');
    expect(await api.api.db.query(sql('test-invited', 'select email from invitations'))).toEqual([
      { email: 'other@people.example' },
    ]);
  });

  test('create-account --owner --operator is the whole way in: an account, its keys, and the first operator', async () => {
    const api = await anApi();
    const args = ['create-account', 'My shop', '--owner', 'Olga@People.example', '--operator'];
    await expect(api.admin('create-account', 'My shop', '--operator')).rejects.toThrow(/add --owner EMAIL/);
    const output = await api.admin(...args);
    const browser = await enterBy(api, output, 'olga@people.example');
    const { user, account } = await me(browser);
    expect([user.is_operator, account.name, account.plan]).toEqual([true, 'My shop', 'enterprise']);
    expect((await createBrowser(api).call({ url: '/auth/options' })).body.first_user).toBe(false);
    // Later keys are for the same account, named by its id or by its owner.
    const [, key = ''] = /(sk_live_\S+)/.exec(await api.admin('create-key', 'olga@people.example', 'live'))!;
    const code = { name: 'Menu', destination_url: 'https://example.com' };
    const made = await api.call({ method: 'POST', url: '/v1/qrcodes', key, body: code });
    const seen = await browser.call({ url: '/account/v1/qrcodes' });
    expect(seen.body.data.map(({ id }: { id: string }) => id)).toEqual([made.body.id]);
    expect(await api.admin('list-keys', 'olga@people.example')).toBe(
      await api.admin('list-keys', account.id),
    );
    await expect(api.admin('create-key', 'nobody@people.example', 'live')).rejects.toThrow(/No user has/);
  });
});

describe('closing an account', () => {
  const accountOf = async (browser: Browser) => (await me(browser)).account.id as string;

  test('takes no operator away, not even the last one', async () => {
    const api = await anApi({ SIGN_UP: 'open' });
    const [ann, bob] = [await signUp(api), await signUp(api)];
    const [annsAccount, bobsAccount] = [await accountOf(ann), await accountOf(bob)];
    await api.admin('set-operator', ann.email, '--unconfirmed');
    expect(await api.admin('close-account', annsAccount)).toContain(
      `owner   ${ann.email}  keeps the sign-in as an operator`,
    );
    await api.admin('close-account', annsAccount, '--yes');
    expect((await me(ann)).user.is_operator).toBe(true);
    await api.admin('close-account', bobsAccount, '--yes');
    expect((await bob.call({ url: '/account/me' })).status).toBe(401);
  });

  test('deletes nobody who was made an operator while it was going on', async () => {
    const api = await anApi({ SIGN_UP: 'open' });
    const [ann, bob] = [await signUp(api), await signUp(api)];
    const account = parseId('acct', await accountOf(bob))!;
    await api.admin('set-operator', ann.email, '--unconfirmed');
    const { db } = api.api;
    const bobs = sql('test-user', 'select id from auth_users where email = $1');
    const [{ id }] = (await db.query<{ id: Uuid }>(bobs, [bob.email])) as [{ id: Uuid }];
    // Whichever is first: a person is an operator who stays, or is deleted and no operator.
    const [made] = await Promise.allSettled([
      db.transaction(tx => addOperator(tx, id, new Date())),
      removeMembers(db, account, new Date()),
    ]);
    const stays = made.status === 'fulfilled' ? 2 : 1;
    expect([await count(api, 'operators'), await count(api, 'auth_users')]).toEqual([stays, stays]);
  });

  test('says of everybody what becomes of the sign-in, and does so', async () => {
    const api = await anApi({ SIGN_UP: 'open' });
    const [ann, bob] = [await signUp(api), await signUp(api)];
    const [annsAccount, bobsAccount] = [await accountOf(ann), await accountOf(bob)];
    const guest = newEmail();
    for (const [email, role] of [
      [bob.email, 'admin'],
      [guest, 'viewer'],
    ] as const)
      await api.admin('create-user', email, '--account', annsAccount, '--role', role, '--unconfirmed');
    expect((await api.admin('close-account', annsAccount)).split('\n').slice(1, 4)).toEqual([
      `  owner   ${ann.email}  is deleted`,
      `  admin   ${bob.email}  keeps the sign-in and other accounts`,
      `  viewer  ${guest}  keeps the sign-in for 30 days`,
    ]);
    await api.admin('close-account', annsAccount, '--yes');
    expect((await ann.call({ url: '/account/me' })).status).toBe(401);
    expect(await accountOf(bob)).toBe(bobsAccount);
    expect(await count(api, 'auth_users')).toBe(2);
    await api.admin('close-account', bobsAccount, '--yes');
    expect((await bob.call({ url: '/account/me' })).status).toBe(401);
    expect(await count(api, 'auth_users')).toBe(1);
  });
});
