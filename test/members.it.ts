import { randomInt } from 'node:crypto';
import { accountOperations, type Operation, operations, type Role } from '@signpost/contract';
import { createTestApi, type Reply, roomyPlan, roomyWebhooks, type TestApi } from '@signpost/testing/api.ts';
import { ciScale } from '@signpost/testing/ci-scale.ts';
import { dashboardEnv, goodPassword } from '@signpost/testing/people.ts';
import { join, type Member, menu, newKey, newMember, sendRight } from '@signpost/testing/right-requests.ts';
import { solidPng } from '@signpost/testing/solid-png.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId, type Uuid } from '../apps/server/src/kernel/ids.ts';
import { sql } from '../apps/server/src/platform/postgres/postgres.ts';
import { createMailedToken } from '../apps/server/src/users/recovery/email-tokens.ts';

/** Two processes on the same engines, and one of the same installation with closed sign-up. */
let api: TestApi;
let other: TestApi;
let closed: TestApi;
beforeAll(async () => {
  const env = { ...dashboardEnv, ...roomyWebhooks, DEFAULT_PLAN: roomyPlan };
  api = await createTestApi(env);
  const { databaseUrl } = api.config;
  const same = { ...env, DATABASE_URL: databaseUrl, DATABASE_DIRECT_URL: databaseUrl };
  other = await createTestApi(same);
  closed = await createTestApi({ ...same, SIGN_UP: 'closed' });
});
afterAll(() => Promise.all([api?.close(), other?.close(), closed?.close()]));

const all = Object.values<Operation>({ ...operations, ...accountOperations });
const acct = ({ accountId }: Pick<Member, 'accountId'>) => formatId('acct', accountId);
const user = ({ userId }: Pick<Member, 'userId'>) => formatId('user', userId);

type Sent = {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly body?: unknown;
};

/** A call of this person for an account; null: without naming one. */
const callAs = (person: Member, account: Uuid | null, sent: Sent, process = api): Promise<Reply> =>
  process.call({
    ...sent,
    headers: {
      ...person.tenant.session!.headers,
      ...(account ? { 'x-signpost-account': formatId('acct', account) } : {}),
    },
  });

const setRole = (actor: Member, person: Pick<Member, 'userId'>, role: Role, process = api) =>
  callAs(
    actor,
    actor.accountId,
    { method: 'PATCH', url: `/account/members/${user(person)}`, body: { role } },
    process,
  );
const remove = (actor: Member, person: Pick<Member, 'userId'>, process = api) =>
  callAs(actor, actor.accountId, { method: 'DELETE', url: `/account/members/${user(person)}` }, process);
const leave = (person: Member, account: Uuid, process = api) =>
  callAs(person, account, { method: 'POST', url: '/account/leave' }, process);

/** A person who belongs to the account of another one, and to none besides. */
async function newColleague({ accountId }: Member, role: Role): Promise<Member> {
  const person = await newMember(api);
  await join(api, person.userId, accountId, role);
  await api.api.db.query(
    sql('test-leave-own', 'delete from members where user_id = $1 and account_id = $2'),
    [person.userId, person.accountId],
  );
  return { ...person, accountId };
}

const rolesOf = async (account: Uuid): Promise<Role[]> =>
  (
    await api.api.db.query<{ role: Role }>(
      sql('test-roles', 'select role from members where account_id = $1 order by role'),
      [account],
    )
  ).map(({ role }) => role);

describe('roles', () => {
  test('an admin manages people, but never touches an owner and makes none', async () => {
    const owner = await newMember(api);
    const admin = await newColleague(owner, 'admin');
    const editor = await newColleague(owner, 'editor');
    for (const refused of [
      await setRole(admin, owner, 'editor'),
      await setRole(admin, editor, 'owner'),
      await setRole(admin, admin, 'owner'),
      await remove(admin, owner),
    ])
      expect([refused.status, refused.body.error.code]).toEqual([403, 'forbidden']);
    expect((await setRole(admin, editor, 'viewer')).body).toMatchObject({ role: 'viewer', is_you: false });
    expect((await setRole(admin, admin, 'editor')).body).toMatchObject({ role: 'editor', is_you: true });
    expect((await remove(admin, editor)).status).toBe(403);
    expect(await rolesOf(owner.accountId)).toEqual(['editor', 'owner', 'viewer']);
  });

  test('a person of another account is not found, like one who does not exist', async () => {
    const owner = await newMember(api);
    const stranger = await newMember(api);
    const nobody = { userId: stranger.userId.replace(/.{6}$/, '000000') as Uuid };
    for (const person of [stranger, nobody])
      for (const { status } of [await setRole(owner, person, 'viewer'), await remove(owner, person)])
        expect(status).toBe(404);
  });

  test('the list names everybody with role and keys', async () => {
    const owner = await newMember(api);
    const admin = await newColleague(owner, 'admin');
    await callAs(admin, owner.accountId, { method: 'POST', url: '/account/keys', body: newKey });
    const { body } = await callAs(owner, owner.accountId, { url: '/account/members' });
    expect(body.data).toMatchObject([
      { email: owner.email, role: 'owner', is_you: true, keys: 0 },
      { email: admin.email, role: 'admin', is_you: false, keys: 1 },
    ]);
  });

  test('the last owner stays under racing demotions, removals and departures', async () => {
    const first = await newMember(api);
    const owners = [first, await newColleague(first, 'owner'), await newColleague(first, 'owner')];
    const restore = sql(
      'test-restore-owners',
      `insert into members (user_id, account_id, role, created_at)
       select id, $2, 'owner', now() from unnest($1::uuid[]) as id
       on conflict (user_id, account_id) do update set role = 'owner'`,
    );
    const pick = () => owners[randomInt(owners.length)]!;
    const actions: readonly ((actor: Member, process: TestApi) => Promise<Reply>)[] = [
      (actor, process) => setRole(actor, pick(), 'viewer', process),
      (actor, process) => remove(actor, pick(), process),
      (actor, process) => leave(actor, first.accountId, process),
    ];
    const seen = new Map<number, number>();
    for (let round = 0; round < 200; round++) {
      const replies = await Promise.all(
        [...owners, ...owners].map((actor, n) =>
          actions[randomInt(actions.length)]!(actor, n % 2 === 0 ? api : other),
        ),
      );
      for (const { status, text } of replies) {
        expect([200, 403, 404, 409], text).toContain(status);
        seen.set(status, (seen.get(status) ?? 0) + 1);
      }
      expect(await rolesOf(first.accountId)).toContain('owner');
      await api.api.db.query(restore, [owners.map(({ userId }) => userId), first.accountId]);
    }
    expect(seen.get(200)).toBeGreaterThan(200);
    expect(seen.get(409)).toBeGreaterThan(10);
  });

  test('the last owner is told what to do instead of leaving', async () => {
    const owner = await newMember(api);
    await newColleague(owner, 'admin');
    for (const { status, body } of [
      await leave(owner, owner.accountId),
      await setRole(owner, owner, 'admin'),
      await remove(owner, owner),
    ]) {
      expect([status, body.error.code]).toEqual([409, 'last_owner']);
      expect(body.error.message).toContain('Make another person an owner first');
    }
  });

  test('editors delete codes, unless the account does not let them', async () => {
    const owner = await newMember(api);
    const editor = await newColleague(owner, 'editor');
    const codes = '/account/v1/qrcodes';
    const create = async () =>
      (await callAs(editor, owner.accountId, { method: 'POST', url: codes, body: menu })).body.id;
    const removeCode = async (person: Member, id: string) =>
      callAs(person, owner.accountId, { method: 'DELETE', url: `${codes}/${id}` });
    const settings = (body: object) =>
      callAs(owner, owner.accountId, { method: 'PATCH', url: '/account/settings', body });
    expect((await removeCode(editor, await create())).status).toBe(200);
    expect((await settings({ editors_delete: false })).status).toBe(200);
    const [id, own] = [await create(), await callAs(editor, owner.accountId, { url: '/account/me' })];
    expect((await removeCode(editor, id)).body.error.message).toContain('the permission qrcodes:delete');
    expect(own.body.account).toMatchObject({ role: 'editor', editors_delete: false });
    expect(own.body.account.permissions).not.toContain('qrcodes:delete');
    expect((await removeCode(owner, id)).status).toBe(200);
    await settings({ editors_delete: true });
    expect((await removeCode(editor, await create())).status).toBe(200);
  });
});

describe('several accounts', () => {
  const listed = (person: Member) => callAs(person, null, { url: '/account/me' });

  test('a person with several names one; without it, only what needs none is answered', async () => {
    const owner = await newMember(api);
    const person = await newMember(api);
    await join(api, person.userId, owner.accountId, 'viewer');
    const me = (await listed(person)).body;
    expect(me.account).toBeNull();
    expect(me.accounts.map(({ id, role }: { id: string; role: Role }) => [id, role])).toEqual([
      [acct(person), 'owner'],
      [acct(owner), 'viewer'],
    ]);
    for (const account of [person.accountId, owner.accountId]) {
      const named = await callAs(person, account, { url: '/account/me' });
      expect(named.body.account.id).toBe(formatId('acct', account));
    }
    const unnamed = await callAs(person, null, { url: '/account/v1/qrcodes' });
    expect([unnamed.status, unnamed.body.error.param]).toEqual([400, 'X-Signpost-Account']);
    expect((await callAs(person, null, { url: '/account/accounts' })).body.data).toHaveLength(2);
    expect((await callAs(person, null, { method: 'POST', url: '/auth/sign-out' })).status).toBe(200);
  });

  test('of every operation, only those that need no account are answered without one', async () => {
    const owner = await newMember(api);
    const person = await newMember(api);
    await join(api, person.userId, owner.accountId, 'owner');
    for (const operation of all.filter(({ permission }) => permission !== undefined)) {
      if (operation.id === 'signOut') continue;
      const { status, text } = await sendRight(api, person, operation, 'nothing');
      // The live view is asked for its head, which has no text.
      const isUnnamed = status === 400 && (text === '' || text.includes('X-Signpost-Account'));
      expect(isUnnamed, operation.id).toBe(operation.withoutAccount !== true);
    }
  });

  test('an account of others answers like one that never was, also when it is named by a link', async () => {
    const stranger = await newMember(api);
    const person = await newMember(api);
    const never = `${acct(stranger).slice(0, -6)}000000`;
    const urls = ['/account/v1/qrcodes', '/account/members', '/account/qrcodes/export', '/account/live'];
    for (const url of urls) {
      const replies = await Promise.all(
        [acct(stranger), never, 'acct_x', ''].map(account =>
          callAs(person, null, { url: `${url}?account=${account}` }),
        ),
      );
      for (const { status, body } of replies) expect([status, body.error.code]).toEqual([404, 'not_found']);
    }
  });

  test('what a person does in one account is not seen in the other', async () => {
    const person = await newMember(api);
    const second = (
      await callAs(person, null, { method: 'POST', url: '/account/accounts', body: { name: 'Café Blum' } })
    ).body;
    const [own, blum] = [acct(person), second.id];
    const call = (account: string, sent: Sent, key: string) =>
      api.call({
        ...sent,
        headers: { ...person.tenant.session!.headers, 'x-signpost-account': account, 'idempotency-key': key },
      });
    const create = { method: 'POST', url: '/account/v1/qrcodes', body: menu } as const;
    const codes = [await call(own, create, 'same'), await call(blum, create, 'same')];
    expect(codes.map(({ status }) => status)).toEqual([201, 201]);
    expect(codes[0]!.body.id).not.toBe(codes[1]!.body.id);
    const list = await call(blum, { url: '/account/v1/qrcodes' }, '');
    expect(list.body.data.map(({ id }: { id: string }) => id)).toEqual([codes[1]!.body.id]);
    expect((await call(own, { url: `/account/v1/qrcodes/${codes[1]!.body.id}` }, '')).status).toBe(404);
  });

  test('a person owns at most ACCOUNTS_PER_USER, however many are created at once', async () => {
    const person = await newMember(api);
    const create = (process: TestApi) =>
      callAs(person, null, { method: 'POST', url: '/account/accounts', body: { name: 'Client' } }, process);
    const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => create(n % 2 ? api : other)));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(4);
    const refused = replies.find(({ status }) => status !== 201)!;
    expect(refused.body.error).toMatchObject({ code: 'quota_exceeded', limit: 5, used: 5 });
    expect((await callAs(person, null, { url: '/account/accounts' })).body).toMatchObject({
      can_create: false,
      limit: 5,
    });
  });

  test('with closed sign-up an owner creates another account, and a viewer does not', async () => {
    const owner = await newMember(api);
    const viewer = await newColleague(owner, 'viewer');
    const create = (person: Member) =>
      callAs(person, null, { method: 'POST', url: '/account/accounts', body: { name: 'Client' } }, closed);
    expect((await create(owner)).status).toBe(201);
    expect((await create(viewer)).body.error.code).toBe('forbidden');
    await setRole(owner, viewer, 'owner');
    expect((await create(viewer)).status).toBe(201);
  });

  test('nobody steps around a suspension with another account', async () => {
    const person = await newMember(api);
    await api.admin('suspend-account', acct(person), '--reason', 'Spam');
    const create = { method: 'POST', url: '/account/accounts', body: { name: 'Again' } } as const;
    for (const account of [null, person.accountId]) {
      const { status, body } = await callAs(person, account, create);
      expect([status, body.error.code]).toEqual([403, 'forbidden']);
    }
  });

  test('designs are copied with their logos, and only from an account of the person', async () => {
    const person = await newMember(api);
    const post = (url: string, body: object) =>
      callAs(person, person.accountId, { method: 'POST', url, body });
    const asset = await post('/account/v1/assets', {
      image: Buffer.from(solidPng(64, 0xcc0000)).toString('base64'),
    });
    expect(asset.status, asset.text).toBe(201);
    const style = { dotsColor: '#102030', logo: { asset_id: asset.body.id } };
    expect((await post('/account/v1/designs', { name: 'House', style, is_default: true })).status).toBe(201);
    const body = { name: 'Client', copy_designs_from: acct(person) };
    const client = await callAs(person, null, { method: 'POST', url: '/account/accounts', body });
    expect(client.status, client.text).toBe(201);
    const read = (url: string) =>
      api.call({ url, headers: { ...person.tenant.session!.headers, 'x-signpost-account': client.body.id } });
    const [copy] = (await read('/account/v1/designs')).body.data;
    expect(copy).toMatchObject({ name: 'House', is_default: true, style: { dotsColor: '#102030' } });
    expect(copy.style.logo.asset_id).not.toBe(asset.body.id);
    expect((await read(`/account/v1/assets/${copy.style.logo.asset_id}`)).status).toBe(200);
    const stranger = await newMember(api);
    for (const from of [acct(stranger), 'acct_x'])
      expect(
        (
          await callAs(person, null, {
            method: 'POST',
            url: '/account/accounts',
            body: { ...body, copy_designs_from: from },
          })
        ).status,
      ).toBe(404);
  });
});

describe('a removed member', () => {
  /** Calls of every kind: a read, a write, an export and the person's own page of the account. */
  const calls: readonly Sent[] = [
    { url: '/account/v1/qrcodes' },
    { method: 'POST', url: '/account/v1/qrcodes', body: menu },
    { url: '/account/qrcodes/export' },
    { url: '/account/views' },
  ];
  const afterRemoval = ciScale(10_000, 1_000);
  const people = 10;

  test(`passes none of ${afterRemoval} calls on two processes that begin after the response`, async () => {
    const owner = await newMember(api);
    const passed: Reply[] = [];
    let begun = 0;
    for (let round = 0; round < people; round++) {
      const person = await newColleague(owner, 'editor');
      const call = (n: number) =>
        callAs(person, owner.accountId, calls[n % calls.length]!, n % 2 === 0 ? api : other);
      let isRemoved = false;
      // These begin before the removal and go on after it: what begins later must not pass.
      const steady = Array.from({ length: 4 }, async (_, n) => {
        for (let sent = 0; !isRemoved || sent < 5; sent++) {
          const wasRemoved = isRemoved;
          // An export that is under way is cut off.
          const reply = await call(n + sent).catch((error: unknown) => {
            if (wasRemoved) throw error;
            return null;
          });
          if (!wasRemoved || !reply) continue;
          begun++;
          if (reply.status < 400) passed.push(reply);
        }
      });
      expect((await callAs(person, owner.accountId, calls[0]!)).status).toBe(200);
      expect((await remove(owner, person, round % 2 === 0 ? api : other)).status).toBe(200);
      isRemoved = true;
      for (let n = 0; n < afterRemoval / people; n += 20) {
        const replies = await Promise.all(Array.from({ length: 20 }, (_, i) => call(n + i)));
        begun += replies.length;
        passed.push(...replies.filter(({ status }) => status < 400));
      }
      await Promise.all(steady);
    }
    expect(begun).toBeGreaterThanOrEqual(afterRemoval);
    expect(passed).toEqual([]);
  });

  test('creates no key that was asked for before and is stored after the response', async () => {
    const owner = await newMember(api);
    for (let round = 0; round < 20; round++) {
      const admin = await newColleague(owner, 'admin');
      const create = { method: 'POST', url: '/account/keys', body: newKey } as const;
      const creating = Array.from({ length: 4 }, (_, n) =>
        callAs(admin, owner.accountId, create, n % 2 === 0 ? api : other),
      );
      expect((await remove(owner, admin)).status).toBe(200);
      const count = async () =>
        (
          await api.api.db.query(sql('test-keys-of', 'select id from api_keys where created_by = $1'), [
            admin.userId,
          ])
        ).length;
      const atResponse = await count();
      await Promise.all(creating);
      expect(await count()).toBe(atResponse);
    }
  });

  test('of the only account of a closed installation is refused every operation that writes', async () => {
    const owner = await newMember(api);
    const probe = await newMember(api);
    const person = await newColleague(owner, 'admin');
    await remove(owner, person);
    const own = await callAs(person, null, { url: '/account/me' }, closed);
    expect(own.body).toMatchObject({ account: null, accounts: [], invitations: [] });
    const writing = all.filter(
      ({ permission, method, id }) => permission !== undefined && method !== 'GET' && id !== 'signOut',
    );
    expect(writing.length).toBeGreaterThan(40);
    for (const operation of writing) {
      const { status, body } = await sendRight(closed, person, operation, 'nothing');
      // An invitation is what lets them in again; this one does not exist.
      const expected = operation.id === 'acceptInvitation' ? [400, 'invalid_request'] : [403, 'no_account'];
      expect([status, body.error.code], operation.id).toEqual(expected);
    }
    expect((await callAs(person, null, { url: '/account/v1/qrcodes' }, closed)).body.error.code).toBe(
      'no_account',
    );
    // Nothing came into being for them, and with open sign-up they get an account of their own.
    expect((await callAs(person, null, { url: '/account/me' }, closed)).body.accounts).toEqual([]);
    expect((await callAs(probe, null, { url: '/account/me' })).body.accounts).toHaveLength(1);
    expect((await callAs(person, null, { url: '/account/me' })).body.accounts).toHaveLength(1);
  });

  test('whose sign-up was interrupted still gets the account, also with closed sign-up', async () => {
    const person = await newMember(api);
    await api.api.db.query(sql('test-interrupt', 'delete from members where user_id = $1'), [person.userId]);
    expect((await callAs(person, null, { url: '/account/me' }, closed)).body.accounts).toHaveLength(1);
  });
});

describe('a reset of the password', () => {
  const keyOf = async (person: Member, account: Uuid, name: string) => {
    const body = { ...newKey, name };
    const { body: created } = await callAs(person, account, { method: 'POST', url: '/account/keys', body });
    return created.key as string;
  };
  const webhookOf = async (person: Member, account: Uuid) => {
    const body = { url: 'https://hooks.example/scans' };
    const sent = { method: 'POST', url: '/account/v1/webhooks', body } as const;
    await api.api.db.query(
      sql(
        'test-insert-webhook',
        `insert into webhook_endpoints (id, account_id, mode, url, description, enabled, secret, created_at, updated_at, created_by)
         values (gen_random_uuid(), $1, 'live', $3, '', true, '\\x00', now(), now(), $2)`,
      ),
      [account, person.userId, sent.body.url],
    );
  };
  const enabledOf = async (account: Uuid) =>
    (
      await api.api.db.query<{ created_by: Uuid }>(
        sql('test-enabled', 'select created_by from webhook_endpoints where account_id = $1 and enabled'),
        [account],
      )
    ).map(({ created_by: by }) => by);
  const works = async (key: string) =>
    (await Promise.all([api, other].map(({ call }) => call({ url: '/v1/qrcodes', key })))).every(
      ({ status }) => status === 200,
    );

  test('by one of two owners revokes exactly the keys of that person from before, and pauses nothing', async () => {
    const anna = await newMember(api);
    const ben = await newColleague(anna, 'owner');
    const [client] = [await newMember(api)];
    await join(api, ben.userId, client.accountId, 'admin');
    const shared = anna.accountId;
    const [annasKey, bensKey, bensOther] = [
      await keyOf(anna, shared, 'Anna'),
      await keyOf(ben, shared, 'Ben'),
      await keyOf(ben, client.accountId, 'Ben at the client'),
    ];
    const clientsKey = await keyOf(client, client.accountId, 'Client');
    for (const person of [anna, ben]) await webhookOf(person, shared);
    const code = await callAs(ben, shared, { method: 'POST', url: '/account/v1/qrcodes', body: menu });
    // Removed from the client's account meanwhile: the key that was created there ends as well.
    await callAs(client, client.accountId, { method: 'DELETE', url: `/account/members/${user(ben)}` });
    for (const key of [annasKey, bensKey, bensOther, clientsKey]) expect(await works(key)).toBe(true);
    const token = await createMailedToken(api.api.db, {
      userId: ben.userId,
      purpose: 'reset',
      at: new Date(),
    });
    const { status, body } = await api.call({
      method: 'POST',
      url: '/auth/reset-password',
      headers: { origin: new URL(api.config.publicUrl).origin },
      body: { token, password: `${goodPassword} again` },
    });
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ keys_revoked: 2, codes_paused: 0, webhooks_disabled: 1 }),
    ]);
    expect([await works(annasKey), await works(clientsKey)]).toEqual([true, true]);
    expect([await works(bensKey), await works(bensOther)]).toEqual([false, false]);
    expect(await enabledOf(shared)).toEqual([anna.userId]);
    const read = await callAs(anna, shared, { url: `/account/v1/qrcodes/${code.body.id}` });
    expect(read.body.status).toBe('active');
  });

  test('by a person whose address was confirmed before the keys revokes none of them', async () => {
    const anna = await newMember(api);
    const ben = await newColleague(anna, 'owner');
    await api.api.db.query(
      sql(
        'test-verify',
        `update auth_users set email_verified = true, verified_at = now() - interval '1 minute' where id = $1`,
      ),
      [ben.userId],
    );
    const key = await keyOf(ben, anna.accountId, 'Ben');
    const token = await createMailedToken(api.api.db, {
      userId: ben.userId,
      purpose: 'reset',
      at: new Date(),
    });
    const { body } = await api.call({
      method: 'POST',
      url: '/auth/reset-password',
      headers: { origin: new URL(api.config.publicUrl).origin },
      body: { token, password: `${goodPassword} again` },
    });
    expect(body).toMatchObject({ keys_revoked: 0, codes_paused: 0, webhooks_disabled: 0 });
    expect(await works(key)).toBe(true);
  });
});
