import {
  accountOperations,
  isAnonymous,
  isForSuspended,
  type Operation,
  operations,
  operatorPermission,
} from '@signpost/contract';
import { createTestApi, roomyPlan, roomyWebhooks, type TestApi } from '@signpost/testing/api.ts';
import { type Browser, dashboardEnv, goodPassword, signUp } from '@signpost/testing/people.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId, parseId } from '../kernel/ids.ts';

const reason = 'It sends people to a page that asks for card numbers';
let api: TestApi;

beforeAll(async () => {
  api = await createTestApi({ ...dashboardEnv, ...roomyWebhooks, DEFAULT_PLAN: roomyPlan });
});
afterAll(() => api.close());

const body = { name: 'Menu', destination_url: 'https://example.com' };
const post = (browser: Browser, url: string, sent: unknown) =>
  browser.call({ method: 'POST', url, body: sent });

/** Somebody with a code and a key. */
async function anOwner() {
  const owner = await signUp(api);
  const newKey = async (mode: 'live' | 'test'): Promise<string> =>
    (await post(owner, '/account/keys', { name: 'Key', mode, current_password: goodPassword })).body.key;
  const keys = { live: await newKey('live'), test: await newKey('test') };
  const code: string = (await post(owner, '/account/v1/qrcodes', body)).body.id;
  const account: string = (await owner.call({ url: '/account/me' })).body.account.id;
  return { owner, keys, code, account };
}

const suspend = (account: string) => api.admin('suspend-account', account, '--reason', reason);
const isOperatorOnly = ({ path }: Operation) => path.startsWith('/account/operator/');

describe('a suspended account', () => {
  let suspended: Awaited<ReturnType<typeof anOwner>>;
  beforeAll(async () => {
    suspended = await anOwner();
    await suspend(suspended.account);
  });

  const all = [
    ...Object.values<Operation>(operations).flatMap(one => [
      { name: `${one.id} by key`, operation: one, url: one.path, byKey: true },
      { name: `${one.id} by session`, operation: one, url: `/account${one.path}`, byKey: false },
    ]),
    ...Object.values<Operation>(accountOperations).map(one => ({
      name: one.id,
      operation: one,
      url: one.path,
      byKey: false,
    })),
  ].filter(
    ({ operation }) =>
      !isAnonymous(operation) && operation.id !== 'liveScans' && operation.permission !== operatorPermission,
  );

  test.each(all.filter(({ operation }) => !isForSuspended(operation)))(
    '$name is refused with the reason and where to appeal',
    async ({ operation: { method, testModeOnly }, url, byKey }) => {
      const options = { method, url: url.replace('{id}', suspended.code), body: {} };
      const mode = testModeOnly ? 'test' : 'live';
      const reply = byKey
        ? await api.call({ ...options, key: suspended.keys[mode] })
        : await suspended.owner.call({ ...options, mode });
      expect(reply.status).toBe(403);
      expect(reply.body.error.code).toBe('forbidden');
      expect(reply.body.error.message).toContain(`suspended: ${reason}.`);
      expect(reply.body.error.message).toContain('https://api.signpost.example/app');
    },
  );

  // What changes something is asked of ids that do not exist, and without what it needs.
  test.each(all.filter(({ operation }) => isForSuspended(operation) && !isOperatorOnly(operation)))(
    '$name is answered',
    async ({ operation: { method, id }, url, byKey }) => {
      // Ends the session that the others need.
      if (id === 'signOut' || id === 'revokeOtherSessions') return;
      const about = method === 'GET' ? suspended.code : 'nothing';
      const options = {
        method,
        url: url.replace('{id}', about),
        ...(method === 'GET' ? {} : { body: {} }),
      };
      const reply = byKey
        ? await api.call({ ...options, key: suspended.keys.live })
        : await suspended.owner.call(options);
      expect(reply.status).not.toBe(403);
      expect(reply.status).not.toBe(401);
    },
  );

  test('a suspended platform reads its accounts, and changes none', async () => {
    const output = await api.admin('create-key', '--operator', suspended.account, '--unconfirmed');
    const [key = ''] = /sk_live_\w+/.exec(output)!;
    expect((await api.call({ url: '/v1/accounts', key })).status).toBe(200);
    for (const [method, url] of [
      ['POST', '/v1/accounts'],
      ['PATCH', `/v1/accounts/${suspended.account}`],
      ['POST', `/v1/accounts/${suspended.account}/keys`],
    ] as const) {
      const { status, body } = await api.call({ method, url, key, body: {} });
      expect([status, body.error.code]).toEqual([403, 'forbidden']);
      expect(body.error.message).toContain(`suspended: ${reason}.`);
    }
  });

  test('every operation is one or the other, and few that change something are left open', () => {
    const open = [...Object.values<Operation>(operations), ...Object.values<Operation>(accountOperations)]
      .filter(one => one.method !== 'GET' && !isAnonymous(one) && isForSuspended(one) && !isOperatorOnly(one))
      .map(({ id }) => id);
    expect(open.sort()).toEqual([
      'acceptInvitation',
      'appealAccount',
      'appealCode',
      'bulkDeleteQrCodes',
      'cancelEmailChange',
      'changePassword',
      'closeAccount',
      'createAccount',
      'deleteQrCode',
      'deleteView',
      'leaveAccount',
      'removeMember',
      'revokeInvitation',
      'revokeKey',
      'revokeOtherSessions',
      'revokeSession',
      'revokeShareLink',
      'signOut',
      'testRules',
      'verifyEmail',
    ]);
  });
});

test('a key that is remembered notices a suspension and its release at once, and stays valid', async () => {
  const { keys, code, account } = await anOwner();
  const key = keys.live;
  const edit = () => api.call({ method: 'PATCH', url: `/v1/qrcodes/${code}`, key, body: { name: 'Other' } });
  for (let n = 0; n < 3; n++) expect((await edit()).status).toBe(200);
  await suspend(account);
  for (let n = 0; n < 3; n++) expect((await edit()).status).toBe(403);
  const read = await api.call({ url: `/v1/qrcodes/${code}`, key });
  expect(read.body).toMatchObject({
    status: 'active',
    active: true,
    availability: { state: 'suspended', reason, since: expect.any(String) },
  });
  await api.admin('release-account', account);
  expect((await edit()).status).toBe(200);
  expect((await api.call({ url: `/v1/qrcodes/${code}`, key })).body.availability.state).toBe('live');
});

test('its owner sees why, appeals, deletes codes, and signs in and out', async () => {
  const { owner, keys, code, account } = await anOwner();
  const key = keys.live;
  await suspend(account);
  const me = async () => (await owner.call({ url: '/account/me' })).body.account;
  expect(await me()).toMatchObject({ suspension: { reason, appeal: null }, held: false });
  const appealed = await post(owner, '/account/appeal', { text: 'The page is ours.' });
  expect(appealed.body).toMatchObject({ reason, appeal: { text: 'The page is ours.' } });
  await post(owner, '/account/appeal', { text: 'The page was ours, and is gone.' });
  expect((await me()).suspension.appeal.text).toBe('The page was ours, and is gone.');
  expect((await api.call({ method: 'DELETE', url: `/v1/qrcodes/${code}`, key })).status).toBe(200);
  expect((await post(owner, '/auth/sign-out', {})).status).toBe(200);
  expect((await post(owner, '/auth/sign-in', { email: owner.email, password: goodPassword })).status).toBe(
    200,
  );
  expect(await me()).toMatchObject({ suspension: { reason } });
});

test('nobody appeals for an account or a code that is not suspended, nor for one of others', async () => {
  const { owner, code } = await anOwner();
  const other = await signUp(api);
  expect((await post(owner, '/account/appeal', { text: 'Why?' })).status).toBe(404);
  expect((await post(owner, `/account/qrcodes/${code}/appeal`, { text: 'Why?' })).status).toBe(404);
  expect((await post(other, `/account/qrcodes/${code}/appeal`, { text: 'Why?' })).status).toBe(404);
  expect((await owner.call({ url: `/account/qrcodes/${code}/suspension` })).body).toEqual({
    suspension: null,
  });
  expect((await other.call({ url: `/account/qrcodes/${code}/suspension` })).status).toBe(404);
});

test('a suspended code of a good account is edited as always, and no edit lifts it', async () => {
  const { owner, keys, code } = await anOwner();
  const key = keys.live;
  const { short_code: name } = (await api.call({ url: `/v1/qrcodes/${code}`, key })).body;
  await api.admin('suspend-code', name, '--reason', reason);
  for (const edit of [
    { name: 'Other' },
    { destination_url: 'https://example.org' },
    { active: false },
    { active: true },
  ]) {
    const edited = await api.call({ method: 'PATCH', url: `/v1/qrcodes/${code}`, key, body: edit });
    expect(edited.status).toBe(200);
    expect(edited.body.availability).toMatchObject({ state: 'suspended', reason });
  }
  const seen = await owner.call({ url: `/account/qrcodes/${code}/suspension` });
  expect(seen.body.suspension).toMatchObject({ reason, appeal: null });
  const appealed = await post(owner, `/account/qrcodes/${code}/appeal`, { text: 'It leads elsewhere now.' });
  expect(appealed.body.appeal.text).toBe('It leads elsewhere now.');
  // Other codes of the account are as they were.
  expect((await post(owner, '/account/v1/qrcodes', body)).body.availability.state).toBe('live');
  expect(parseId('qr', code)).not.toBeNull();
  await api.admin('release-code', name);
  expect((await api.call({ url: `/v1/qrcodes/${code}`, key })).body.availability.state).toBe('live');
});

test('an account without people is suspended all the same, and its keys say so', async () => {
  const { id, live } = await api.account();
  await suspend(formatId('acct', id));
  expect((await api.call({ method: 'POST', url: '/v1/qrcodes', key: live, body })).status).toBe(403);
  expect((await api.call({ url: '/v1/qrcodes', key: live })).status).toBe(200);
});
