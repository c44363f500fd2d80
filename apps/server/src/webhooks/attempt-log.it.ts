import { createTestDatabase } from '@signpost/testing/database.ts';
import { addCodes } from '@signpost/testing/scan-ledger.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Caller } from '../kernel/caller.ts';
import { systemClock } from '../kernel/clock.ts';
import { createIds, type Uuid } from '../kernel/ids.ts';
import { createPostgres, type Postgres, sql, unprepared } from '../platform/postgres/postgres.ts';
import { createDaysAhead, dropOldDays, withDays } from './attempt-days.ts';
import { type Attempt, addAttempts, assembleDelivery, findAttempts, listLogged } from './attempt-log.ts';
import { createDeliveries } from './deliveries.ts';
import { deferMessages } from './delivery/queue/deferred-messages.ts';
import { removeDelivered } from './delivery/queue/unconfirmed-messages.ts';
import { createWebhookEraser } from './erasure.ts';
import * as store from './store.ts';
import type { Message, Webhook } from './webhook.ts';

const ids = createIds(systemClock);
const page = { page: 1, limit: 20 };
const dayMs = 86_400_000;
let db: Postgres;
let owner: store.Owner;

beforeAll(async () => {
  const databaseUrl = await createTestDatabase();
  db = createPostgres(
    { databaseUrl, databasePooler: 'none', databasePoolSize: 4, databaseTimeoutMs: 5_000 },
    () => undefined,
  );
  owner = { accountId: (await addCodes(db, 1))[0]!.accountId, mode: 'live' };
});
afterAll(() => db.close());

async function addEndpoint({ accountId, mode } = owner): Promise<Uuid> {
  const endpoint = {
    id: ids.next(),
    accountId,
    mode,
    url: 'https://example.com',
    description: '',
    events: ['scan.created'] as const,
    includeCodeDetails: false,
    qrIds: null,
    tags: null,
    enabled: true,
    disabledReason: null,
    secret: Buffer.alloc(1),
    oldSecret: null,
    oldSecretUntil: null,
    failingSince: null,
    provenAt: null,
    createdAt: new Date(),
    updatedAt: new Date(),
  };
  await store.insertEndpoint(db, endpoint, 1_000_000);
  return endpoint.id;
}

type Fields = Partial<Attempt['message'] & Attempt['result'] & Pick<Attempt, 'number' | 'status'>>;

let atMs = Date.now();
function attemptOf(endpointId: Uuid, id: Uuid, more: Fields = {}): Attempt {
  atMs += 1_000;
  const { number = 1, status = 'delivered', qrCodeId = ids.next(), event = 'scan.created' } = more;
  const { createdAt = new Date(Math.floor(atMs / 1_000) * 1_000), at = new Date(atMs) } = more;
  const { responseStatus = 200, error = null } = more;
  return {
    message: { id, endpointId, qrCodeId, event, body: '{"city":"München"}', createdAt },
    number,
    result: { at, durationMs: 12, responseStatus, error, response: 'ök "\n' },
    status,
  };
}

const add = (...attempts: readonly Attempt[]) =>
  withDays(
    db,
    attempts.map(({ result }) => result.at),
    () => addAttempts(db, attempts),
  );

const read = (id: Uuid) => findAttempts(db, owner, id);

test('an attempt is in the log at once, and a list shows its delivery as it is alone', async () => {
  const [endpoint, message] = [await addEndpoint(), ids.next()];
  const event = 'qrcode.suspended';
  const unanswered = { status: 'pending', error: 'timeout', responseStatus: null } as const;
  const failed = attemptOf(endpoint, message, { ...unanswered, event });
  const { createdAt, qrCodeId } = failed.message;
  const second = attemptOf(endpoint, message, { number: 2, createdAt, qrCodeId, event });
  await add(second, failed);
  const found = await read(message);
  expect(found).toEqual([failed, second]);
  expect(assembleDelivery(found, owner)).toMatchObject({
    status: 'delivered',
    attempts: 2,
    responseStatus: 200,
    error: null,
    event,
  });
  expect((await listLogged(db, owner, endpoint, null, page)).items).toEqual([assembleDelivery(found, owner)]);
});

test('a row that is inserted twice is read once', async () => {
  const [endpoint, message] = [await addEndpoint(), ids.next()];
  const row = attemptOf(endpoint, message);
  await add(row);
  await add(row, attemptOf(endpoint, ids.next()));
  expect(await read(message)).toHaveLength(1);
  const { items, total } = await listLogged(db, owner, endpoint, 'delivered', page);
  expect([items.length, total, items.at(-1)?.attempts]).toEqual([2, 2, 1]);
});

test('a list by status goes by the last attempt of each message, on whatever day it was', async () => {
  const endpoint = await addEndpoint();
  const [late, failed] = [ids.next(), ids.next()];
  const unanswered = { status: 'pending', error: 'timeout', responseStatus: null } as const;
  const first = attemptOf(endpoint, late, { ...unanswered, at: new Date(Date.now() - 2 * dayMs) });
  await add(first, attemptOf(endpoint, late, { number: 2, createdAt: first.message.createdAt }));
  await add(attemptOf(endpoint, failed, { status: 'failed', error: 'status', responseStatus: 410 }));
  const listed = async (status: 'delivered' | null) => {
    const { items, total } = await listLogged(db, owner, endpoint, status, page);
    return [items.map(({ id, attempts }) => [id, attempts]), total];
  };
  expect(await listed(null)).toEqual([
    [
      [failed, 1],
      [late, 2],
    ],
    2,
  ]);
  expect(await listed('delivered')).toEqual([[[late, 2]], 1]);
});

test('lists are newest first, in pages, and of one endpoint, account and mode', async () => {
  const endpoint = await addEndpoint();
  const inTest = { ...owner, mode: 'test' as const };
  const others = [await addEndpoint(), await addEndpoint(inTest)];
  const rows = Array.from({ length: 25 }, () => attemptOf(endpoint, ids.next()));
  await add(...rows, ...others.map(other => attemptOf(other, ids.next())));
  const second = await listLogged(db, owner, endpoint, null, { page: 2, limit: 10 });
  expect(second.total).toBe(25);
  expect(second.items.map(({ id }) => id)).toEqual(
    rows
      .toReversed()
      .slice(10, 20)
      .map(row => row.message.id),
  );
  const stranger = { accountId: ids.next(), mode: 'live' as const };
  for (const other of [stranger, inTest]) {
    expect((await listLogged(db, other, endpoint, null, page)).total).toBe(0);
    expect(await findAttempts(db, other, rows[0]!.message.id)).toEqual([]);
  }
});

test('a list takes a turn of its account, and returns it however it ends', async () => {
  const endpoint = await addEndpoint();
  const turns: string[] = [];
  const release = () => void turns.push('released');
  const lists = {
    async take(accountId: Uuid) {
      turns.push(accountId);
      return { count: 1, release, releaseOne: release };
    },
  };
  const webhooks = { get: async () => ({ id: endpoint }) as Webhook };
  const deliveries = createDeliveries({ lists, webhooks, ids, clock: systemClock });
  const list = (asked: typeof page) => deliveries.list(db, owner as Caller, endpoint, asked, null);
  expect((await list(page)).total).toBe(0);
  await expect(list({ page: 1, limit: -1 })).rejects.toThrow();
  expect(turns).toEqual([owner.accountId, 'released', owner.accountId, 'released']);
});

test('with a deleted code everything that was sent about it is erased', async () => {
  const [endpoint, code, stays] = [await addEndpoint(), ids.next(), ids.next()];
  const yesterday = new Date(Date.now() - dayMs);
  await add(attemptOf(endpoint, ids.next(), { qrCodeId: code, at: yesterday }), attemptOf(endpoint, stays));
  // With the one above more on one day than one statement erases.
  const onOneDay = { qrCodeId: code, at: yesterday };
  await add(...Array.from({ length: 5_000 }, () => attemptOf(endpoint, ids.next(), onOneDay)));
  await db.query(
    sql(
      'test-add-message',
      `insert into webhook_messages (id, endpoint_id, account_id, mode, qr_code_id, event, body, created_at, status, tries, attempts, next_at)
       values ($1, $2, $3, 'live', $4, 'scan.created', '{}', now(), 'failed', 11, 11, null),
              ($5, $2, $3, 'live', $4, 'qrcode.suspended', '{}', now(), 'pending', 0, 0, now())`,
    ),
    [ids.next(), endpoint, owner.accountId, code, ids.next()],
  );
  let renewed = 0;
  await createWebhookEraser(db).erase([owner.accountId], [code], async () => {
    renewed++;
  });
  expect(renewed).toBeGreaterThan(0);
  expect((await listLogged(db, owner, endpoint, null, page)).items.map(({ id }) => id)).toEqual([stays]);
  const [left] = await db.query<{ left: number }>(
    sql(
      'test-left',
      `select (select count(*) from webhook_messages where qr_code_id = $1) + (select count(*) from webhook_attempts where qr_code_id = $1) as left`,
    ),
    [code],
  );
  expect(left?.left).toBe(0);
});

test("days of the log are dropped after thirty days by PostgreSQL's clock", async () => {
  const endpoint = await addEndpoint();
  const messages = [400, 32, 29].map(days => [ids.next(), new Date(Date.now() - days * dayMs)] as const);
  await add(...messages.map(([id, at]) => attemptOf(endpoint, id, { at })));
  const left = async () => (await listLogged(db, owner, endpoint, null, page)).items.map(({ id }) => id);
  expect(await left()).toHaveLength(3);
  expect(await dropOldDays(db)).toHaveLength(2);
  expect(await left()).toEqual([messages[2]![0]]);
  expect(await dropOldDays(db)).toEqual([]);
});

test('a day without a partition gets one when several processes need it at once, and no attempt is missing', async () => {
  const [endpoint, day] = [await addEndpoint(), Date.UTC(2031, 2, 30)];
  const attempts = [0, 1, dayMs - 1, dayMs].map(ms =>
    attemptOf(endpoint, ids.next(), { at: new Date(day + ms) }),
  );
  await Promise.all(attempts.map(attempt => add(attempt)));
  for (const attempt of attempts) expect(await read(attempt.message.id)).toEqual([attempt]);
});

test('beside a backup, which locks every table, days are created and attempts are written; old days are dropped after it', async () => {
  const endpoint = await addEndpoint();
  await add(attemptOf(endpoint, ids.next(), { at: new Date(Date.now() - 40 * dayMs) }));
  await db.transaction(async tx => {
    await tx.query(unprepared('lock table webhook_attempts in access share mode'));
    await createDaysAhead(db);
    expect(await dropOldDays(db)).toEqual([]);
    const attempt = attemptOf(endpoint, ids.next(), { at: new Date(Date.now() + 9 * dayMs) });
    await add(attempt);
    expect(await read(attempt.message.id)).toEqual([attempt]);
  });
  expect(await dropOldDays(db)).toHaveLength(1);
});

test('an unconfirmed message that was delivered before its row was written loses the row', async () => {
  const endpointId = await addEndpoint();
  const messages = Array.from(
    { length: 3 },
    (): Message => ({
      id: ids.next(),
      endpointId,
      ...owner,
      event: 'scan.created',
      qrCodeId: null,
      body: '{}',
      createdAt: new Date(),
    }),
  );
  const [delivered, failed, unattempted] = messages as [Message, Message, Message];
  await add(
    attemptOf(endpointId, delivered.id, delivered),
    attemptOf(endpointId, failed.id, { ...failed, status: 'pending', error: 'timeout' }),
  );
  await deferMessages(
    db,
    'unconfirmed',
    messages.map(message => ({ message, reason: 'no_answer', isUnconfirmed: true })),
  );
  await removeDelivered(db, messages);
  const left = await db.query<{ id: Uuid }>(
    sql('test-unattempted-left', 'select id from webhook_messages where endpoint_id = $1 order by next_at'),
    [endpointId],
  );
  expect(left.map(({ id }) => id)).toEqual([failed.id, unattempted.id]);
});
