import { setTimeout as sleep } from 'node:timers/promises';
import { createTestApi, type Reply, roomyPlan, roomyWebhooks, type TestApi } from '@signpost/testing/api.ts';
import { ciScale } from '@signpost/testing/ci-scale.ts';
import { dashboardEnv, goodPassword } from '@signpost/testing/people.ts';
import { type Member, menu, newKey, newMember } from '@signpost/testing/right-requests.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId } from '../apps/server/src/kernel/ids.ts';
import { sql } from '../apps/server/src/platform/postgres/postgres.ts';

/** Two processes on the same engines. */
let api: TestApi;
let other: TestApi;
beforeAll(async () => {
  const env = { ...dashboardEnv, ...roomyWebhooks, DEFAULT_PLAN: roomyPlan };
  api = await createTestApi(env);
  const { databaseUrl } = api.config;
  other = await createTestApi({ ...env, DATABASE_URL: databaseUrl, DATABASE_DIRECT_URL: databaseUrl });
});
afterAll(() => Promise.all([api?.close(), other?.close()]));

type Key = { readonly id: string; readonly key: string };

async function create(member: Member, terms: object = {}): Promise<Key> {
  const { status, body, text } = await member.call({
    method: 'POST',
    url: '/account/keys',
    body: { ...newKey, ...terms },
  });
  expect(status, text).toBe(201);
  return body;
}

const update = (member: Member, { id }: Key, body: object): Promise<Reply> =>
  member.call({ method: 'PATCH', url: `/account/keys/${id}`, body });

const inside = '203.0.113.7';
const outside = '198.51.100.7';
const read = (key: string, address = inside, process = api) =>
  process.call({ url: '/v1/qrcodes', key, address });
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

async function waitUntilAfter(time: string): Promise<void> {
  while (new Date().toISOString() <= time) await sleep(5);
}

describe('a key', () => {
  test('shows its scopes, networks, end and who created it', async () => {
    const member = await newMember(api);
    const terms = {
      scopes: ['qrcodes:read', 'analytics:read'],
      allowed_cidrs: ['203.0.113.0/24', '2001:db8::/32', '192.0.2.1'],
      expires_at: '2031-01-31T00:00:00.000Z',
    };
    const made = await create(member, terms);
    expect(made).toMatchObject({ ...terms, created_by: 'Somebody' });
    const plain = await create(member);
    const { data } = (await member.call({ url: '/account/keys' })).body;
    expect(data).toMatchObject([
      { id: plain.id, scopes: null, allowed_cidrs: null, expires_at: null, created_by: 'Somebody' },
      { id: made.id, ...terms, last_used_at: null },
    ]);
    await read(made.key);
    await api.api.uses.flush();
    const listed = (await member.call({ url: '/account/keys' })).body.data;
    expect(listed[1].last_used_at).toMatch(/^20/);
    await api.api.db.query(sql('test-leave', 'delete from members where user_id = $1'), [member.userId]);
    const [stored] = await api.api.accounts.keys(member.accountId);
    expect(stored!.creatorName).toBe('A person who left');
  });

  test.each([
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['qrcodes:fly'] }, 'scopes'],
    [{ scopes: ['account:manage'] }, 'scopes'],
    [{ scopes: ['qrcodes:read', 'qrcodes:read'] }, 'scopes'],
    [{ allowed_cidrs: ['203.0.113.0/33'] }, 'allowed_cidrs'],
    [{ allowed_cidrs: ['example.com'] }, 'allowed_cidrs'],
    [{ allowed_cidrs: Array.from({ length: 21 }, (_, n) => `10.0.0.${n}`) }, 'allowed_cidrs'],
    [{ expires_at: '2026-02-30' }, 'expires_at'],
    [{ expires_at: '2020-01-01' }, 'expires_at'],
    [{ expires_at: 'tomorrow' }, 'expires_at'],
  ])('cannot have %j', async (terms, param) => {
    const member = await newMember(api);
    const { key, id } = await create(member);
    for (const { status, body } of [
      await member.call({ method: 'POST', url: '/account/keys', body: { ...newKey, ...terms } }),
      await update(member, { key, id }, terms),
    ]) {
      expect([status, body.error.code]).toEqual([400, 'invalid_request']);
      expect(body.error.param).toContain(param);
    }
    expect((await read(key)).status).toBe(200);
  });

  test('works until it expires, and is then refused like one that does not exist', async () => {
    const member = await newMember(api);
    const expiresAt = inSeconds(1);
    const { key } = await create(member, { expires_at: expiresAt });
    expect((await read(key)).status).toBe(200);
    await waitUntilAfter(expiresAt);
    for (const process of [api, other]) {
      const { status, body } = await read(key, inside, process);
      const unknown = await read(`${key.slice(0, -1)}_`, inside, process);
      expect([status, body.error.message]).toEqual([401, unknown.body.error.message]);
    }
  });

  test('works only from its networks, and calls from elsewhere do not count for the account', async () => {
    const { id } = await api.account('free');
    const made = await api.api.accounts.createKey(id as never, 'live', {
      terms: { scopes: null, expiresAt: null, allowedCidrs: ['203.0.113.0/24', '2001:db8::/32'] },
    });
    const { text } = made.key;
    for (let n = 0; n < 30; n++) expect((await read(text, outside)).status).toBe(401);
    for (const address of ['203.0.113.255', '2001:db8::5'])
      expect((await read(text, address)).status).toBe(200);
    for (let n = 0; n < 30; n++) expect((await read(text, '2001:db9::5')).status).toBe(401);
    const { status, headers } = await read(text);
    expect([status, headers['x-ratelimit-remaining']]).toEqual([200, '7']);
  });

  test('is widened only with the password, and narrowed without it', async () => {
    const member = await newMember(api);
    const terms = {
      scopes: ['qrcodes:read', 'account:read'],
      allowed_cidrs: ['203.0.113.0/24', outside],
      expires_at: inSeconds(3600),
    };
    const key = await create(member, terms);
    for (const wider of [
      { scopes: null },
      { scopes: ['qrcodes:read', 'qrcodes:write'] },
      { allowed_cidrs: null },
      { allowed_cidrs: ['0.0.0.0/0'] },
      { expires_at: null },
      { expires_at: inSeconds(7200) },
    ]) {
      const refused = await update(member, key, wider);
      expect([refused.status, refused.body.error.param]).toEqual([400, 'current_password']);
      const wrong = await update(member, key, { ...wider, current_password: 'not the password' });
      expect(wrong.status).toBe(400);
    }
    const narrow = {
      name: 'Till',
      scopes: ['qrcodes:read'],
      allowed_cidrs: [outside],
      expires_at: inSeconds(1800),
    };
    const narrowed = await update(member, key, narrow);
    expect([narrowed.status, narrowed.body]).toEqual([200, expect.objectContaining(narrow)]);
    const open = { scopes: null, allowed_cidrs: null, expires_at: null };
    const widened = await update(member, key, { ...open, current_password: goodPassword });
    expect([widened.status, widened.body]).toEqual([200, expect.objectContaining({ ...open, name: 'Till' })]);
  });

  test('of another account, or one that is revoked, cannot be changed', async () => {
    const [member, stranger] = [await newMember(api), await newMember(api)];
    const key = await create(stranger);
    expect((await update(member, key, { name: 'Mine' })).status).toBe(404);
    await stranger.call({ method: 'DELETE', url: `/account/keys/${key.id}` });
    expect((await update(stranger, key, { name: 'Mine' })).status).toBe(404);
  });

  test('is created by the command with scopes, an end and networks', async () => {
    const { id } = await api.account();
    const account = formatId('acct', id as never);
    const args = ['--scopes', 'qrcodes:read', '--expires', '2031-01-31', '--cidrs', '203.0.113.0/24'];
    const [key = ''] = /sk_live_\w+/.exec(await api.admin('create-key', account, 'live', ...args))!;
    expect((await read(key)).status).toBe(200);
    expect((await read(key, outside)).status).toBe(401);
    const write = await api.call({ method: 'POST', url: '/v1/qrcodes', key, address: inside, body: menu });
    expect(write.body.error.message).toMatch(/^This key lacks qrcodes:write\. /);
    expect(await api.admin('list-keys', account)).toContain(
      'active  scopes qrcodes:read  expires 2031-01-31T00:00:00.000Z  networks 203.0.113.0/24',
    );
    await expect(api.admin('create-key', account, 'live', '--scopes', 'fly')).rejects.toThrow(
      'There is no scope fly.',
    );
  });
});

describe('after the response to a change', () => {
  const afterChange = ciScale(10_000, 1_000);
  const rounds = 10;
  /** How a key loses what it could do, and what its calls are then. */
  const changes = {
    revoked: {
      change: (member: Member, { id }: Key) => member.call({ method: 'DELETE', url: `/account/keys/${id}` }),
      refusal: 401,
    },
    'narrowed in its scopes': {
      change: (member: Member, key: Key) => update(member, key, { scopes: ['analytics:read'] }),
      refusal: 403,
    },
    'narrowed in its networks': {
      change: (member: Member, key: Key) => update(member, key, { allowed_cidrs: [outside] }),
      refusal: 401,
    },
    'about to expire': {
      async change(member: Member, key: Key) {
        const expiresAt = inSeconds(0.2);
        const reply = await update(member, key, { expires_at: expiresAt });
        await waitUntilAfter(expiresAt);
        return reply;
      },
      refusal: 401,
    },
  } as const;

  test.each(Object.entries(changes))(
    `0 of ${afterChange} calls on two processes pass by a key that was %s`,
    async (_, { change, refusal }) => {
      const member = await newMember(api);
      const statuses = new Map<number, number>();
      let begun = 0;
      for (let round = 0; round < rounds; round++) {
        const key = await create(member);
        const call = async (n: number) => {
          const process = n % 2 === 0 ? api : other;
          const { status } =
            n % 3 === 0
              ? await process.call({
                  method: 'POST',
                  url: '/v1/qrcodes',
                  key: key.key,
                  address: inside,
                  body: menu,
                })
              : await read(key.key, inside, process);
          return status;
        };
        let isChanged = false;
        // These begin before the change and go on after it: what begins later must not pass.
        const steady = Array.from({ length: 4 }, async (_, n) => {
          for (let sent = 0; !isChanged || sent < 5; sent++) {
            const wasChanged = isChanged;
            const status = await call(n + sent);
            if (!wasChanged) continue;
            begun++;
            statuses.set(status, (statuses.get(status) ?? 0) + 1);
          }
        });
        expect(await call(0)).toBe(201);
        expect((await change(member, key)).status).toBe(200);
        isChanged = true;
        for (let n = 0; n < afterChange / rounds; n += 20) {
          const replies = await Promise.all(Array.from({ length: 20 }, (_, i) => call(n + i)));
          begun += replies.length;
          for (const status of replies) statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
        await Promise.all(steady);
      }
      expect(begun).toBeGreaterThanOrEqual(afterChange);
      expect([...statuses]).toEqual([[refusal, begun]]);
    },
  );
});
