import { createTestDatabase } from '@signpost/testing/database.ts';
import { addCodes, type Code, ids } from '@signpost/testing/scan-ledger.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatId, type Uuid } from '../kernel/ids.ts';
import { createPostgres, type Database, type Postgres, sql } from '../platform/postgres/postgres.ts';
import { deriveEventId, messageId, qrCodeReleased, qrCodeSuspended } from './event.ts';
import {
  publishAccountReleased,
  publishAccountSuspended,
  publishReleased,
  publishSuspended,
} from './publish-events.ts';

let db: Postgres;

beforeAll(async () => {
  const databaseUrl = await createTestDatabase();
  db = createPostgres(
    { databaseUrl, databasePooler: 'none', databasePoolSize: 4, databaseTimeoutMs: 5_000 },
    () => undefined,
  );
});
afterAll(async () => {
  await db.close();
});

type Columns = { readonly mode?: 'live' | 'test'; readonly enabled?: boolean; readonly deleted?: boolean };

/** Without `events` it is as an earlier version wrote it. */
async function addEndpoint(
  { accountId }: Code,
  events?: readonly string[],
  { mode = 'live', enabled = true, deleted = false }: Columns = {},
): Promise<Uuid> {
  const id = ids.next();
  const asEarlier = `insert into webhook_endpoints (id, account_id, mode, url, description, enabled, disabled_reason, secret, created_at, updated_at, deleted_at)
    values ($1, $2, $3, 'http://x', '', $4, case when $4 then null else 'by_owner' end, '', now(), now(), case when $5 then now() end)`;
  await db.query(sql('test-old-endpoint', asEarlier), [id, accountId, mode, enabled, deleted]);
  const name = sql('test-name-events', 'update webhook_endpoints set events = $2 where id = $1');
  if (events) await db.query(name, [id, events]);
  return id;
}

type Row = { id: Uuid; endpoint_id: Uuid; event: string; body: string; status: string; due: boolean };

const messagesOf = (accountId: Uuid) =>
  db.query<Row>(
    sql(
      'test-messages-of',
      `select id, endpoint_id, event, body, status, next_at = created_at as due from webhook_messages
        where account_id = $1 order by id`,
    ),
    [accountId],
  );

const suspendedAt = new Date('2026-11-16T08:00:00.250Z');
const reason = 'It leads to "phishing".';
const suspended = ({ id, accountId }: Code) => ({
  qrCodeId: id,
  accountId,
  mode: 'live' as const,
  reason,
  suspendedAt,
});

test('a suspension goes to every enabled endpoint of the account and mode that subscribes to it, and to no other', async () => {
  const [mine, other, poor] = [await addCodes(db, 2), await addCodes(db, 1), await addCodes(db, 1)];
  const [one, two, theirs] = [mine[0]!, mine[1]!, other[0]!];
  const endpoints = [
    await addEndpoint(one, ['qrcode.suspended']),
    await addEndpoint(one, ['scan.created', 'qrcode.suspended']),
  ];
  await addEndpoint(one);
  await addEndpoint(one, ['scan.created', 'qrcode.released']);
  await addEndpoint(one, ['qrcode.suspended'], { enabled: false });
  await addEndpoint(one, ['qrcode.suspended'], { deleted: true });
  await addEndpoint(one, ['qrcode.suspended'], { mode: 'test' });
  await addEndpoint(theirs);
  await addEndpoint(poor[0]!, ['qrcode.suspended']);
  await db.query(sql('test-poor', `update accounts set plan = 'free' where id = $1`), [poor[0]!.accountId]);
  const all = [...mine, ...other, ...poor].map(suspended);
  await db.transaction(tx => publishSuspended(tx, all));
  const expected = [one, two].flatMap(({ id }) =>
    endpoints.map(endpoint => ({
      id: messageId(deriveEventId(suspendedAt, 'qrcode.suspended', id, reason), endpoint),
      endpoint_id: endpoint,
      event: 'qrcode.suspended',
      body: qrCodeSuspended({ qrCodeId: id, reason }, suspendedAt),
      status: 'pending',
      due: true,
    })),
  );
  expect(await messagesOf(one.accountId)).toEqual(expected.sort((a, b) => (a.id < b.id ? -1 : 1)));
  expect(await messagesOf(theirs.accountId)).toEqual([]);
  expect(await messagesOf(poor[0]!.accountId)).toEqual([]);
});

test('the suspension of an account is one message for every endpoint of both modes that subscribes to it, however many codes there are', async () => {
  const [codes, other] = [await addCodes(db, 3), await addCodes(db, 1)];
  const { accountId } = codes[0]!;
  const both = ['account.suspended', 'account.released'];
  const endpoints = [
    await addEndpoint(codes[0]!, both),
    await addEndpoint(codes[0]!, both, { mode: 'test' }),
  ].sort();
  await addEndpoint(codes[0]!, ['scan.created', 'qrcode.suspended', 'qrcode.released']);
  await addEndpoint(other[0]!, both);
  const releasedAt = new Date(suspendedAt.getTime() + 1000);
  await publishAccountSuspended(db, { accountId, reason, at: suspendedAt });
  await publishAccountSuspended(db, { accountId, reason, at: suspendedAt });
  await publishAccountReleased(db, { accountId, reason, at: releasedAt });
  const messages = await messagesOf(accountId);
  const messagesWith = (event: string) => messages.filter(message => message.event === event);
  for (const event of both)
    expect(
      messagesWith(event)
        .map(message => message.endpoint_id)
        .sort(),
    ).toEqual(endpoints);
  expect(messages).toHaveLength(4);
  const account_id = formatId('acct', accountId);
  expect(JSON.parse(messagesWith('account.suspended')[0]!.body)).toEqual({
    event: 'account.suspended',
    timestamp: suspendedAt.toISOString(),
    data: { account_id, reason, suspended_at: suspendedAt.toISOString() },
  });
  expect(JSON.parse(messagesWith('account.released')[1]!.body)).toEqual({
    event: 'account.released',
    timestamp: releasedAt.toISOString(),
    data: { account_id, reason, released_at: releasedAt.toISOString() },
  });
  expect(await messagesOf(other[0]!.accountId)).toEqual([]);
});

test('published again, it makes no second message; another reason, another time and a release each have their own', async () => {
  const [code] = (await addCodes(db, 1)) as [Code];
  await addEndpoint(code, ['qrcode.suspended', 'qrcode.released']);
  const event = suspended(code);
  const messages = async () => (await messagesOf(code.accountId)).length;
  await publishSuspended(db, [event, event]);
  expect(await messages()).toBe(1);
  await publishSuspended(db, [event]);
  expect(await messages()).toBe(1);
  const later = new Date(suspendedAt.getTime() + 1);
  await publishSuspended(db, [
    { ...event, reason: 'x' },
    { ...event, suspendedAt: later },
  ]);
  expect(await messages()).toBe(3);
  await publishReleased(db, [{ ...event, releasedAt: later }]);
  expect(await messages()).toBe(4);
  const [released] = (await messagesOf(code.accountId)).filter(({ event }) => event === 'qrcode.released');
  expect(released?.body).toBe(qrCodeReleased({ qrCodeId: code.id, reason }, later));
});

test('what is rolled back is not published', async () => {
  const [code] = (await addCodes(db, 1)) as [Code];
  await addEndpoint(code, ['qrcode.suspended']);
  const undone = db.transaction(async tx => {
    await publishSuspended(tx, [suspended(code)]);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(await messagesOf(code.accountId)).toEqual([]);
});

/** Records the names of statements. */
function recorded(tx: Database): { readonly tx: Database; readonly names: string[] } {
  const names: string[] = [];
  const query: Database['query'] = (statement, values) => {
    names.push(statement.name);
    return tx.query(statement, values);
  };
  return { tx: { ...tx, query }, names };
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

test('five thousand codes are published by one statement, in a small multiple of what bare rows take; without subscribers, by none', async () => {
  const codes = (await addCodes(db, 5_000)).map(suspended);
  const [first] = codes as [(typeof codes)[number]];
  const silent = recorded(db);
  await publishSuspended(silent.tx, codes);
  expect(silent.names).toEqual(['webhook-find-subscribers']);
  for (let n = 0; n < 2; n++)
    await addEndpoint({ id: first.qrCodeId, accountId: first.accountId }, ['qrcode.suspended']);
  const bareMs = await timeOf(() =>
    db.query(
      sql(
        'test-bare-rows',
        `insert into webhook_messages (id, endpoint_id, account_id, mode, qr_code_id, body, created_at, status, tries, attempts)
         select gen_random_uuid(), $1, $1, 'live', gen_random_uuid(), repeat('x', 200), now(), 'failed', 0, 0
           from generate_series(1, 10000)`,
      ),
      [ids.next()],
    ),
  );
  const { tx, names } = recorded(db);
  const ms = await timeOf(() => publishSuspended(tx, codes));
  expect(await messagesOf(first.accountId)).toHaveLength(10_000);
  expect(names).toEqual(['webhook-find-subscribers', 'webhook-publish-events']);
  console.log(
    `10,000 messages of 5,000 codes in ${Math.round(ms)} ms, bare rows in ${Math.round(bareMs)} ms`,
  );
  expect(ms).toBeLessThan(bareMs * 10 + 500);
});
