import {
  accountOperations,
  isAudited,
  isReplayed,
  type Operation,
  operations,
  operatorPermission,
} from '@signpost/contract';
import { createTestApi, type Reply, roomyPlan, roomyWebhooks, type TestApi } from '@signpost/testing/api.ts';
import { ciScale } from '@signpost/testing/ci-scale.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { createBrowser, dashboardEnv } from '@signpost/testing/people.ts';
import {
  createSubject,
  type Member,
  menu,
  newKey,
  newKeyFor,
  newMember,
  otherRefusals,
  sendRight,
} from '@signpost/testing/right-requests.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { removeOldEvents } from '../apps/server/src/audit/store.ts';
import { formatId, parseId } from '../apps/server/src/kernel/ids.ts';
import { sql } from '../apps/server/src/platform/postgres/postgres.ts';

/** Two processes on the same engines. */
let api: TestApi;
let other: TestApi;
beforeAll(async () => {
  const env = { ...dashboardEnv, ...roomyWebhooks, DEFAULT_PLAN: roomyPlan };
  api = await createTestApi(env);
  const { databaseUrl } = api.config;
  other = await createTestApi({ ...env, DATABASE_URL: databaseUrl, DATABASE_DIRECT_URL: databaseUrl });
  await api.api.db.query(
    sql('', `create function refuse() returns trigger language plpgsql as $$begin raise 'refused'; end$$`),
  );
});
afterAll(() => Promise.all([api?.close(), other?.close()]));

type Row = { action: string; actor_kind: string; mode: string; number: number; text: string };
/** Of the account, and of others that the person has. */
const eventsOf = ({ accountId, userId }: Pick<Member, 'accountId' | 'userId'>) =>
  api.api.db.query<Row>(
    sql(
      'test-events',
      `select *, e::text as text from audit_events e
        where account_id = $1 or account_id in (select account_id from members where user_id = $2)
        order by account_id <> $1, mode, number`,
    ),
    [accountId, userId],
  );
const feed = async (key: string, query = '', process = api): Promise<Reply['body']> => {
  const { status, body, text } = await process.call({ url: `/v1/audit-events${query}`, key });
  expect(status, text).toBe(200);
  return body;
};

const all = Object.values<Operation>({ ...operations, ...accountOperations });
const ofCallers = all.filter(
  ({ permission }) => permission !== undefined && permission !== operatorPermission,
);
/** There is none that failed here, so nothing is replayed. */
const isIdle = ({ id }: Operation) => id === 'replayFailedDeliveries';
const writing = ofCallers.filter(operation => isAudited(operation) && !isIdle(operation));
const reading = ofCallers.filter(operation => !isAudited(operation));

test('every operation that is no GET changes something, but for those that only look like it', () => {
  const reads = all.filter(operation => operation.method !== 'GET' && !isAudited(operation));
  expect(reads.map(({ id }) => id).toSorted()).toEqual(
    [
      'createSheet',
      'readInvitation',
      'requestReset',
      'sendVerification',
      'testRules',
      'zipImages',
    ].toSorted(),
  );
  const exports = all.filter(operation => operation.method === 'GET' && isAudited(operation));
  expect(exports.map(({ id }) => id).toSorted()).toEqual(['exportAccountScans', 'exportScans']);
});

describe('exactly one event is left', () => {
  test.each(writing)('by $id, in the transaction of the change', async operation => {
    const member = await newMember(api);
    const subject = await createSubject(api, member, operation);
    const before = await eventsOf(member);
    const isRefused = operation.id in otherRefusals;
    if (!isRefused) await expectNothingWithoutEvent(() => sendRight(api, member, operation, subject));
    const { status, text } = await sendRight(api, member, operation, subject);
    expect(status < 400, text).toBe(!isRefused);
    const added = (await eventsOf(member)).slice(before.length);
    expect(added.map(({ action }) => action)).toEqual(isRefused ? [] : [operation.id]);
  });

  test.each(writing.filter(({ authScheme }) => authScheme === 'apiKey'))(
    'by $id with a key, and none by a repetition or a refusal',
    async operation => {
      const member = await newMember(api);
      const body = newKeyFor(operation);
      const { key, id } = (await member.call({ method: 'POST', url: '/account/keys', body })).body;
      const subject = await createSubject(api, member, operation);
      const before = await eventsOf(member);
      const tenant = { name: 'key', key, ids: new Map() };
      const headers = { 'idempotency-key': 'once' };
      const call = (options: Parameters<TestApi['call']>[0]) =>
        api.call({ ...options, headers: { ...options.headers, ...headers } });
      const once = { ...api, call };
      const first = await sendRight(once, member, operation, subject, { tenant });
      expect(first.status, first.text).toBeLessThan(400);
      if (isReplayed(operation)) {
        const again = await sendRight(once, member, operation, subject, { tenant });
        expect(again.headers['idempotent-replayed']).toBe('true');
      }
      const wrong = operation.method === 'GET' ? { query: '?format=x' } : { body: '{' };
      const refused = await sendRight(api, member, operation, subject, { tenant, ...wrong });
      expect(refused.status, refused.text).toBeGreaterThanOrEqual(400);
      const added = (await eventsOf(member)).slice(before.length);
      expect(added.map(({ action }) => action)).toEqual([operation.id]);
      expect(added[0]).toMatchObject({ actor_kind: 'key' });
      const { data } = await feed(key, '?limit=1000');
      expect(data.at(-1)).toMatchObject({ action: operation.id, actor: { kind: 'key', id, name: 'Key' } });
    },
  );
});

/** While no event can be written, the call fails, and the database is as it was before it. */
async function expectNothingWithoutEvent(send: () => Promise<Reply>): Promise<void> {
  const { db } = api.api;
  const { tables } = (await db.query<{ tables: string }>(listTables))[0]!;
  const read = sql('', tables);
  // The account of an earlier test may still be erased.
  const open = sql('', 'select from account_closures');
  await waitUntil('no account is being erased', async () => (await db.query(open)).length === 0);
  await db.query(
    sql('', 'create trigger refuse_events before insert on audit_events execute function refuse()'),
  );
  const before = await db.query(read);
  const { status, text } = await send();
  const after = await db.query(read);
  await db.query(sql('', 'drop trigger refuse_events on audit_events'));
  expect(status, text).toBe(500);
  expect(after).toEqual(before);
}

/** What background jobs write at any time: for redirects, and for the first operator. */
const background = ['link_changes', 'operator_tokens', 'stops', 'stop_version'];

/** A query that reads every table of the service, each as one hash. */
const listTables = sql(
  'test-tables',
  `select string_agg(format('select %L as name, md5(string_agg(t::text, chr(10) order by t::text)) as hash from %I t',
                            relname, relname), ' union all ' order by relname) as tables
     from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and not relispartition
      and relname <> all('{${background.join(',')}}')`,
);

test.each(reading)('none is left by $id', async operation => {
  const member = await newMember(api);
  const subject = await createSubject(api, member, operation);
  const before = await eventsOf(member);
  await sendRight(api, member, operation, subject);
  expect(await eventsOf(member)).toEqual(before);
});

test('a dry run and a change that changes nothing leave none', async () => {
  const member = await newMember(api);
  const post = (url: string, body: object) => member.call({ method: 'POST', url, body });
  const { id } = (await post('/account/v1/qrcodes', menu)).body;
  const key = (await post('/account/keys', newKey)).body;
  const before = await eventsOf(member);
  const replies = [
    await post('/account/v1/qrcodes/bulk', { items: [menu], dry_run: true }),
    await post('/account/v1/qrcodes/bulk-delete', { ids: [id], expected_count: 1, dry_run: true }),
    await member.call({ method: 'PATCH', url: `/account/v1/qrcodes/${id}`, body: menu }),
    await member.call({
      method: 'PATCH',
      url: `/account/keys/${key.id}`,
      body: { name: 'Key', scopes: null },
    }),
  ];
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await eventsOf(member)).toEqual(before);
});

test('says who did what with ids, hosts, fields and counts', async () => {
  const member = await newMember(api);
  const create = { method: 'POST', url: '/account/v1/qrcodes' } as const;
  const code = (await member.call({ ...create, body: menu })).body;
  const patch = { destination_url: 'https://Phish.example/login?x=1', note: 'x' };
  const changed = await member.call({ method: 'PATCH', url: `/account/v1/qrcodes/${code.id}`, body: patch });
  const bulk = await member.call({
    ...create,
    url: '/account/v1/qrcodes/bulk',
    body: { items: [menu, menu] },
  });
  const ids = bulk.body.data.map(({ qr_code }: { qr_code: { id: string } }) => qr_code.id);
  const { data, next_cursor: end } = (await member.call({ url: '/account/audit' })).body;
  const actor = { kind: 'user', id: formatId('user', member.userId), name: 'Somebody' };
  expect(end).toBeNull();
  expect(data.slice(0, 3)).toMatchObject([
    {
      action: 'bulkCreateQrCodes',
      actor,
      count: 2,
      subjects: ids.map((id: string) => ({ id, name: 'Menu' })),
    },
    {
      action: 'updateQrCode',
      actor,
      subjects: [{ id: code.id, name: 'Menu' }],
      hosts: ['phish.example'],
      fields: ['destination_url', 'note'],
      request_id: changed.headers['x-request-id'],
    },
    { action: 'createQrCode', actor, hosts: ['example.com'], subjects: [{ id: code.id }] },
  ]);
  const filtered = await member.call({ url: `/account/audit?action=updateQrCode&actor=${actor.id}` });
  expect(filtered.body.data.map(({ action }: { action: string }) => action)).toEqual(['updateQrCode']);
  const first = (await member.call({ url: '/account/audit?limit=2' })).body;
  const second = (await member.call({ url: `/account/audit?limit=2&before=${first.next_cursor}` })).body;
  expect([...first.data, ...second.data]).toEqual(data.slice(0, 4));
});

test('the feed has each event of eight parallel writers on two processes once, in order, as JSON and as lines', async () => {
  const { live } = await api.account();
  const writes = ciScale(400, 160);
  let open = 8;
  const writers = Array.from({ length: 8 }, async (_, n) => {
    const process = n % 2 === 0 ? api : other;
    for (let i = 0; i < writes / 8; i++) {
      const headers: Record<string, string> = i % 2 ? { 'idempotency-key': `${n}-${i}` } : {};
      const body = { ...menu, external_id: `${n}-${i}`, ...(i % 3 ? {} : { tags: ['red'] }) };
      const { status, text } = await process.call({
        method: 'POST',
        url: '/v1/qrcodes',
        key: live,
        body,
        headers,
      });
      expect(status, text).toBe(201);
    }
    open--;
  });
  const seen: string[] = [];
  let after = '';
  for (let n = 0; ; n++) {
    const isOver = open === 0;
    const page = await feed(live, `?limit=7${after}`, n % 2 === 0 ? api : other);
    seen.push(...page.data.map(({ subjects: [code] }: { subjects: { id: string }[] }) => code!.id));
    after = `&after=${page.next_cursor}`;
    if (isOver && !page.has_more) break;
  }
  await Promise.all(writers);
  expect(seen).toHaveLength(writes);
  expect(new Set(seen).size).toBe(writes);
  const lines = await api.api.app.inject({
    url: '/v1/audit-events?limit=1000',
    headers: { accept: 'application/x-ndjson', authorization: `Bearer ${live}` },
  });
  expect(lines.headers['content-type']).toContain('application/x-ndjson');
  const events = lines.body
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));
  expect(events.map(({ subjects: [code] }) => code.id)).toEqual(seen);
  expect((await feed(live, `?after=${events[10].cursor}&limit=1`)).data).toEqual([events[11]]);
});

test('a page ends early where its events name very many codes, and the next goes on there', async () => {
  const { id, live } = await api.account();
  const fill = sql(
    'test-bulks',
    `insert into audit_events (account_id, mode, number, action, actor_kind, subjects, detail)
     select $1, 'live', n, 'bulkEditQrCodes', 'key', array(select 'qr_' || n || '-' || i from generate_series(1, 500) i), '{}'
       from generate_series(1, 12) n`,
  );
  await api.api.db.query(fill, [id]);
  const sizes: number[] = [];
  let query = '?limit=1000';
  for (let isOver = false; !isOver; ) {
    const { data, next_cursor: next, has_more: hasMore } = await feed(live, query);
    sizes.push(data.length);
    query = `?limit=1000&after=${next}`;
    isOver = !hasMore;
  }
  expect(sizes).toEqual([4, 4, 4]);
  expect((await feed(live, query)).data).toEqual([]);
});

test('a failed sign-in leaves at most ten events an hour in each account, and none for an unknown address', async () => {
  const member = await newMember(api);
  const count = async () => (await eventsOf(member)).filter(({ action }) => action === 'failedSignIn').length;
  const fail = (email: string) => {
    const body = { email, password: 'not the password' };
    return createBrowser(api).call({ method: 'POST', url: '/auth/sign-in', body });
  };
  const total = async () =>
    (await api.api.db.query<{ n: number }>(sql('test-total', 'select count(*) as n from audit_events')))[0]!
      .n;
  const before = await total();
  await fail('nobody@people.example');
  expect((await fail(member.email)).status).toBe(401);
  await expect.poll(count).toBe(1);
  expect(await total()).toBe(before + 1);
});

test('live and test mode have logs of their own, and a viewer and a key without the scope see none', async () => {
  const { live, test: trial } = await api.account();
  await api.call({ method: 'POST', url: '/v1/qrcodes', key: trial, body: menu });
  expect((await feed(live)).data).toEqual([]);
  expect((await feed(trial)).data).toHaveLength(1);
  expect((await api.call({ url: '/v1/audit-events?after=x', key: live })).body.error.param).toBe('after');
});

test('an account sees nothing of another, or of its own other mode, by a cursor, an actor or an id of theirs', async () => {
  const [one, other] = [await newMember(api), await newMember(api)];
  const keysOf = async (member: Member) => {
    const make = (mode: string) =>
      member.call({ method: 'POST', url: '/account/keys', body: { ...newKey, mode, name: 'Secret name' } });
    return { live: (await make('live')).body, test: (await make('test')).body };
  };
  const [own, foreign] = [await keysOf(one), await keysOf(other)];
  const codes: string[] = [];
  for (const { key } of [own.live, own.test, foreign.live, foreign.test]) {
    const body = { ...menu, name: `Secret of ${codes.length}` };
    codes.push((await api.call({ method: 'POST', url: '/v1/qrcodes', key, body })).body.id);
  }
  const [{ next_cursor: cursor }] = [await feed(foreign.live.key)];
  const created = async (key: string, query: string) =>
    (await feed(key, query)).data.flatMap(
      ({ action, subjects }: { action: string; subjects: { id: string }[] }) =>
        action === 'createQrCode' ? subjects.map(({ id }) => id) : [],
    );
  expect(await created(own.live.key, '')).toEqual([codes[0]]);
  expect(await created(own.test.key, '')).toEqual([codes[1]]);
  for (const key of [own.live.key, own.test.key])
    expect(await created(key, `?after=${cursor}`)).not.toContain(codes[2]);
  const byThem = await one.call({ url: `/account/audit?actor=${foreign.live.id}` });
  expect(byThem.body.data).toEqual([]);
  // Not even an event that names what belongs to others shows their names.
  await api.api.db.query(
    sql(
      'test-foreign-ids',
      `update audit_events set subjects = $3::text[], actor_id = $4
        where account_id = $1 and mode = 'test' and subjects = array[$2::text]`,
    ),
    [one.accountId, codes[1], [codes[0], codes[2], codes[3]], parseId('key', foreign.live.id)],
  );
  const [event] = (await feed(own.test.key)).data;
  expect(event.actor.name).toBeNull();
  expect(event.subjects.map(({ name }: { name: string | null }) => name)).toEqual([null, null, null]);
});

test('of what is planted nothing is in the log when code and person are gone, and old events are removed', async () => {
  const member = await newMember(api);
  const planted = Array.from({ length: 20 }, (_, n) => `planted-${n}`);
  const codes: string[] = [];
  for (const word of planted) {
    const body = {
      name: `Name ${word}`,
      destination_url: `https://example.com/${word}?${word}`,
      external_id: word,
      note: word,
      tags: [word],
      metadata: { word },
    };
    const made = await member.call({ method: 'POST', url: '/account/v1/qrcodes', body });
    codes.push(made.body.id);
    const url = `/account/v1/qrcodes/ext:${word}`;
    await member.call({ method: 'PATCH', url, body: { destination_url: `https://example.org/${word}` } });
    await member.call({ method: 'PATCH', url: `/account/v1/tags/${word}`, body: { name: `${word}-again` } });
  }
  await member.call({ method: 'PATCH', url: '/account/me', body: { name: 'Person planted' } });
  for (const id of codes) await member.call({ method: 'DELETE', url: `/account/v1/qrcodes/${id}` });
  const events = await eventsOf(member);
  expect(events.length).toBeGreaterThan(80);
  expect(events.filter(({ text }) => text.includes('planted'))).toEqual([]);
  const shown = await member.call({ url: '/account/audit?limit=200' });
  expect(shown.text.replaceAll('Person planted', '')).not.toContain('planted');
  expect(await removeOldEvents(api.api.db, 400, 1000)).toBe(0);
  await api.api.db.query(
    sql('test-age', `update audit_events set at = at - interval '401 days' where account_id = $1`),
    [member.accountId],
  );
  expect(await removeOldEvents(api.api.db, 400, 1000)).toBe(events.length);
});
