import { createTestDatabase } from '@signpost/testing/database.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { ids } from '@signpost/testing/scan-ledger.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createPostgres, type Postgres, sql } from '../../../platform/postgres/postgres.ts';
import type { Message } from '../../webhook.ts';
import { createStoredQueue, moveStoredQueue, type StoredQueue } from './stored-queue.ts';

let db: Postgres;
const { signal } = new AbortController();
const roomy = { maxMessages: 1_000, maxPerAccount: 1_000 };

beforeAll(async () => {
  const databaseUrl = await createTestDatabase();
  const limits = { databasePooler: 'none', databasePoolSize: 4, databaseTimeoutMs: 5_000 } as const;
  db = createPostgres({ databaseUrl, ...limits }, () => undefined);
});
afterAll(() => db.close());
beforeEach(() => db.query(sql('empty-queue', 'truncate webhook_queue')));

const messageOf = (accountId = ids.next()): Message => ({
  id: ids.next(),
  endpointId: ids.next(),
  accountId,
  mode: 'live',
  event: 'scan.created',
  qrCodeId: ids.next(),
  body: '{"a":1}',
  createdAt: new Date(1_700_000_000_000),
  trace: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
});

/** Reads this many messages, and acks those that `isAcked` chooses. */
async function take(
  queue: StoredQueue,
  count: number,
  isAcked: (message: Message) => boolean = () => true,
): Promise<Message[]> {
  const stop = new AbortController();
  const messages: Message[] = [];
  for await (const { message, ack } of queue.read(stop.signal, error => expect.fail(String(error)))) {
    messages.push(message);
    if (isAcked(message)) ack();
    if (messages.length === count) stop.abort();
  }
  await queue.close();
  return messages;
}

const left = async (queue: StoredQueue) => {
  const { waiting, unacked } = await queue.depth();
  return waiting + unacked;
};

test('messages come in the order of publication, whole, and an acked one does not come again', async () => {
  const queue = createStoredQueue({ db, ...roomy });
  const messages = Array.from({ length: 5 }, () => messageOf());
  expect(await queue.publish(messages, signal)).toEqual([]);
  expect(await take(queue, 5)).toEqual(messages);
  expect(await left(queue)).toBe(0);
  // The next process.
  expect(await queue.publish(messages, signal)).toEqual([]);
  expect(await left(createStoredQueue({ db, ...roomy }))).toBe(0);
});

test('a message that is not acked is delivered again when its lease ends', async () => {
  const queue = createStoredQueue({ db, ...roomy, leaseMs: 300 });
  const [first, second] = [messageOf(), messageOf()];
  await queue.publish([first, second], signal);
  await take(queue, 2, message => message.id === second.id);
  expect(await queue.depth()).toMatchObject({ waiting: 0 });
  const next = createStoredQueue({ db, ...roomy, leaseMs: 300 });
  expect(await take(next, 1)).toEqual([first]);
  expect(await left(next)).toBe(0);
});

test('what is over a limit is returned, of one account without the others; room that is freed is used again', async () => {
  const queue = createStoredQueue({ db, maxMessages: 6, maxPerAccount: 3 });
  const [busy, calm] = [ids.next(), ids.next()];
  const flood = Array.from({ length: 5 }, () => messageOf(busy));
  const unsent = await queue.publish(flood, signal);
  expect(unsent).toEqual(
    flood.slice(3).map(message => ({ message, reason: 'account_full', isUnconfirmed: false })),
  );
  expect(await queue.publish([messageOf(calm)], signal)).toEqual([]);
  // A process that starts now counts what is there.
  const next = createStoredQueue({ db, maxMessages: 6, maxPerAccount: 3 });
  const more = await next.publish(
    Array.from({ length: 3 }, () => messageOf()),
    signal,
  );
  expect(more.map(({ reason }) => reason)).toEqual(['queue_full']);
  await take(next, 6);
  await waitUntil('there is room', async () => (await next.publish([messageOf(busy)], signal)).length === 0);
});

test('a message published twice, also by another process, is stored once', async () => {
  const message = messageOf();
  await createStoredQueue({ db, ...roomy }).publish([message], signal);
  const queue = createStoredQueue({ db, ...roomy });
  await queue.publish([message], signal);
  expect(await left(queue)).toBe(1);
});

test('a new message is read at once, not at the next poll', async () => {
  const queue = createStoredQueue({ db, ...roomy });
  const reading = take(queue, 1);
  await waitUntil('it waits', async () => (await left(queue)) === 0);
  const sentMs = performance.now();
  await queue.publish([messageOf()], signal);
  await reading;
  expect(performance.now() - sentMs).toBeLessThan(900);
});

test('what a process without NATS has left moves to where retries wait, once', async () => {
  const queue = createStoredQueue({ db, ...roomy });
  const messages = Array.from({ length: 3 }, () => messageOf());
  await queue.publish(messages, signal);
  expect(await moveStoredQueue(db)).toBe(3);
  expect(await moveStoredQueue(db)).toBe(0);
  const rows = await db.query<{ id: string; status: string }>(
    sql('moved', 'select id, status from webhook_messages where id = any($1::uuid[]) order by next_at'),
    [messages.map(({ id }) => id)],
  );
  expect(rows).toEqual(messages.map(({ id }) => ({ id, status: 'pending' })));
  expect(await left(queue)).toBe(0);
});
