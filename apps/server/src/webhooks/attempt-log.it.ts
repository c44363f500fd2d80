import { startMigratedClickHouse } from '@signpost/testing/clickhouse.ts';
import { createTestDatabase } from '@signpost/testing/database.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../kernel/clock.ts';
import { createIds, type Uuid } from '../kernel/ids.ts';
import { type ClickHouse, createClickHouse } from '../platform/clickhouse.ts';
import { createPostgres, type Postgres, sql } from '../platform/postgres.ts';
import { type AttemptRow, deliveryOf, findAttempts, listLogged } from './attempt-log.ts';
import { dropOldAttempts } from './delivery/attempt-log-expiry.ts';
import { moveAttempts } from './delivery/attempt-log-mover.ts';
import { deferMessages } from './delivery/deferred-messages.ts';
import { addAttempts } from './delivery/statements.ts';
import { removeDelivered } from './delivery/unconfirmed-messages.ts';
import { createWebhookEraser } from './erasure.ts';
import type { Message } from './webhook.ts';

const ids = createIds(systemClock);
const owner = { accountId: ids.next(), mode: 'live' as const };
const page = { page: 1, limit: 20 };
let engine: Engine;
let clickhouse: ClickHouse;
let db: Postgres;

beforeAll(async () => {
  ({ engine, clickhouse } = await startMigratedClickHouse());
  const databaseUrl = await createTestDatabase();
  db = createPostgres(
    { databaseUrl, databasePooler: 'none', databasePoolSize: 4, databaseTimeoutMs: 5_000 },
    () => undefined,
  );
});
afterAll(async () => {
  await db.close();
  await clickhouse.close();
  await engine.remove();
});

let at = Date.now() / 1000;
function attemptOf(endpointId: Uuid, messageId: Uuid, more: Partial<AttemptRow> = {}): AttemptRow {
  at += 1;
  return {
    account_id: owner.accountId,
    endpoint_id: endpointId,
    created_at: Math.floor(at).toFixed(3),
    message_id: messageId,
    at: at.toFixed(3),
    id: ids.next(),
    mode: owner.mode,
    qr_code_id: ids.next(),
    attempt: 1,
    duration_ms: 12,
    response_status: 200,
    error: '',
    response: 'ök "\n',
    status: 'delivered',
    body: '{"city":"München"}',
    event: 'scan.created',
    ...more,
  };
}

const add = (...rows: readonly AttemptRow[]) => db.query(addAttempts, [JSON.stringify(rows)]);

test('attempts are in PostgreSQL until ClickHouse has them, and are read the same from either', async () => {
  const [endpoint, message] = [ids.next(), ids.next()];
  const event = 'qrcode.suspended';
  const unanswered = { status: 'pending', error: 'timeout', response_status: 0 } as const;
  const failed = attemptOf(endpoint, message, { ...unanswered, event });
  const second = attemptOf(endpoint, message, {
    attempt: 2,
    created_at: failed.created_at,
    qr_code_id: failed.qr_code_id,
    event,
  });
  await add(failed, second);
  const before = await findAttempts(db, clickhouse, owner, message);
  expect(await moveAttempts(db, clickhouse)).toBe(2);
  expect(await moveAttempts(db, clickhouse)).toBe(0);
  const after = await findAttempts(db, clickhouse, owner, message);
  expect(deliveryOf(after, owner)).toEqual(deliveryOf(before, owner));
  expect(deliveryOf(after, owner)).toMatchObject({
    status: 'delivered',
    attempts: 2,
    responseStatus: 200,
    error: null,
    event,
  });
  expect((await listLogged(clickhouse, owner, endpoint, null, page)).items).toEqual([
    deliveryOf(after, owner),
  ]);
});

test('an attempt that an earlier version wrote is of a scan', async () => {
  const [endpoint, message] = [ids.next(), ids.next()];
  await add(attemptOf(endpoint, message));
  const eventOf = async () => deliveryOf(await findAttempts(db, clickhouse, owner, message), owner)?.event;
  expect(await eventOf()).toBe('scan.created');
  await moveAttempts(db, clickhouse);
  expect(await eventOf()).toBe('scan.created');
});

test('a row that is inserted twice is read once', async () => {
  const [endpoint, message] = [ids.next(), ids.next()];
  const row = attemptOf(endpoint, message);
  await add(row);
  await moveAttempts(db, clickhouse);
  await add(row, attemptOf(endpoint, ids.next()));
  await moveAttempts(db, clickhouse);
  expect(await findAttempts(db, clickhouse, owner, message)).toHaveLength(1);
  const { items, total } = await listLogged(clickhouse, owner, endpoint, 'delivered', page);
  expect([items.length, total, items.at(-1)?.attempts]).toEqual([2, 2, 1]);
});

test('with ClickHouse away nothing is removed', async () => {
  const message = ids.next();
  await add(attemptOf(ids.next(), message));
  const away = await createClickHouse('http://127.0.0.1:9');
  await expect(moveAttempts(db, away)).rejects.toThrow();
  await away.close();
  expect(await moveAttempts(db, clickhouse)).toBe(1);
});

test('lists are newest first, in pages, and of one endpoint, account and mode', async () => {
  const endpoint = ids.next();
  const rows = Array.from({ length: 25 }, () => attemptOf(endpoint, ids.next()));
  await add(...rows, attemptOf(ids.next(), ids.next()), attemptOf(endpoint, ids.next(), { mode: 'test' }));
  await moveAttempts(db, clickhouse);
  const second = await listLogged(clickhouse, owner, endpoint, null, { page: 2, limit: 10 });
  expect(second.total).toBe(25);
  expect(second.items.map(({ id }) => id)).toEqual(
    rows
      .toReversed()
      .slice(10, 20)
      .map(row => row.message_id),
  );
  const stranger = { accountId: ids.next(), mode: 'live' as const };
  expect((await listLogged(clickhouse, stranger, endpoint, null, page)).total).toBe(0);
});

test('with a deleted code everything that was sent about it is erased, from every store', async () => {
  const [endpoint, code, stays] = [ids.next(), ids.next(), ids.next()];
  await add(attemptOf(endpoint, ids.next(), { qr_code_id: code }), attemptOf(endpoint, stays));
  await moveAttempts(db, clickhouse);
  await add(attemptOf(endpoint, ids.next(), { qr_code_id: code }));
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
  await createWebhookEraser(db, clickhouse).erase([owner.accountId], [code], async () => {
    renewed++;
  });
  expect(renewed).toBeGreaterThan(0);
  expect((await listLogged(clickhouse, owner, endpoint, null, page)).items.map(({ id }) => id)).toEqual([
    stays,
  ]);
  const [left] = await db.query<{ left: number }>(
    sql(
      'test-left',
      `select (select count(*) from webhook_messages where qr_code_id = $1) + (select count(*) from webhook_attempts where qr_code_id = $1) as left`,
    ),
    [code],
  );
  expect(left?.left).toBe(0);
});

test("days of the log are dropped after thirty days by PostgreSQL's clock, and ClickHouse drops none by its own", async () => {
  const secondsAgo = (days: number) => (Date.now() / 1000 - days * 86_400).toFixed(3);
  const endpoint = ids.next();
  for (const days of [400, 32, 29]) await add(attemptOf(endpoint, ids.next(), { at: secondsAgo(days) }));
  while ((await moveAttempts(db, clickhouse)) > 0);
  await clickhouse.command('optimize table webhook_attempts final', {}, { timeoutMs: 60_000 });
  const left = async () =>
    (
      await clickhouse.query<{ n: string }>(
        `select toString(count()) as n from webhook_attempts where endpoint_id = {endpoint: UUID}`,
        { endpoint },
      )
    )[0]!.n;
  expect(await left()).toBe('3');
  expect(await dropOldAttempts(db, clickhouse)).toHaveLength(2);
  expect(await left()).toBe('1');
  expect(await dropOldAttempts(db, clickhouse)).toEqual([]);
});

test('an unconfirmed message that was delivered before its row was written loses the row, wherever its attempt is logged', async () => {
  const endpointId = ids.next();
  const messages = Array.from(
    { length: 4 },
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
  const [moved, fresh, failed, unattempted] = messages as [Message, Message, Message, Message];
  const loggedAttemptOf = ({ id, createdAt }: Message, more: Partial<AttemptRow> = {}) =>
    attemptOf(endpointId, id, { created_at: (createdAt.getTime() / 1000).toFixed(3), ...more });
  await add(loggedAttemptOf(moved), loggedAttemptOf(failed, { status: 'pending', error: 'timeout' }));
  await moveAttempts(db, clickhouse);
  await add(loggedAttemptOf(fresh));
  await deferMessages(
    db,
    'unconfirmed',
    messages.map(message => ({ message, reason: 'no_answer', isUnconfirmed: true })),
  );
  await removeDelivered(db, clickhouse, messages);
  const left = await db.query<{ id: Uuid }>(
    sql('test-unattempted-left', 'select id from webhook_messages where endpoint_id = $1 order by next_at'),
    [endpointId],
  );
  expect(left.map(({ id }) => id)).toEqual([failed.id, unattempted.id]);
});
