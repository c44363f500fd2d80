import { AckPolicy, jetstream, RetentionPolicy, StorageType } from '@nats-io/jetstream';
import { createTestDatabase } from '@signpost/testing/database.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { checkedOf } from '@signpost/testing/file-scan-log.ts';
import { addCodes, batchOf, type Code, ids, scanOf } from '@signpost/testing/scan-ledger.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { classes, type Group } from '../../ingest/ingest.ts';
import { createNats, type Nats } from '../../platform/nats/nats.ts';
import { createManager, nanos } from '../../platform/nats/streams.ts';
import { createPostgres, type Database, type Postgres, sql } from '../../platform/postgres/postgres.ts';
import { insertEndpoint } from '../store.ts';
import type { Message } from '../webhook.ts';
import { deferMessages } from './queue/deferred-messages.ts';
import { createQueue, type Queue } from './queue/queue.ts';
import { writeMessage } from './queue/queue-message.ts';
import { ackWaitMs, consumerName, streamName } from './queue/queue-stream.ts';
import { createScanPublisher } from './scan-publisher.ts';

let engine: Engine;
let nats: Nats;
let queue: Queue;
let db: Postgres;
let deferred: Record<string, number>;
const { signal } = new AbortController();
const options = { replicas: 1, maxMessages: 1_000, maxPerAccount: 10 };

beforeAll(async () => {
  engine = await startNats();
  nats = createNats(engine.url);
  await nats.whenConnected(AbortSignal.timeout(10_000));
  const databaseUrl = await createTestDatabase();
  db = createPostgres(
    { databaseUrl, databasePooler: 'none', databasePoolSize: 4, databaseTimeoutMs: 5_000 },
    () => undefined,
  );
});
afterAll(async () => {
  await db.close();
  await nats.close();
  await engine.remove();
});
beforeEach(async () => {
  await (await manager()).streams.delete(streamName).catch(() => undefined);
  queue = createQueue(nats, options);
  deferred = {};
});

const manager = async () => createManager(await nats.whenConnected(AbortSignal.timeout(10_000)));

async function accountWithEndpoint(): Promise<{ code: Code; endpointId: string }> {
  const [code] = (await addCodes(db, 1)) as [Code];
  const endpointId = ids.next();
  const at = new Date();
  await insertEndpoint(
    db,
    {
      id: endpointId,
      accountId: code.accountId,
      mode: 'live',
      url: 'http://x',
      description: '',
      events: ['scan.created'],
      includeCodeDetails: false,
      qrIds: null,
      tags: null,
      enabled: true,
      disabledReason: null,
      oldSecret: null,
      oldSecretUntil: null,
      failingSince: null,
      provenAt: null,
      secret: Buffer.alloc(60),
      createdAt: at,
      updatedAt: at,
    },
    100,
  );
  return { code, endpointId };
}

let position = 0;
function groupOf(...codes: readonly Code[]): Group {
  const [afterPosition, toPosition] = [position, ++position];
  const entries = [checkedOf(toPosition, batchOf(...codes.map((code, visitor) => scanOf(code, visitor))))];
  return { shard: 0, log: 0, afterPosition, toPosition, entries };
}

const publisherOn = (on: Database) =>
  createScanPublisher({
    db: on,
    queue,
    onDeferred: (reason, messages) => {
      deferred[reason] = (deferred[reason] ?? 0) + messages;
    },
  });

/** Returns how long it took. */
async function publish(group: Group, publisher = publisherOn(db)): Promise<number> {
  const scans = group.entries.reduce((sum, { batch }) => sum + batch.scans.length, 0);
  const start = performance.now();
  await publisher.publish(group, Buffer.alloc(scans, classes.counted), signal);
  return performance.now() - start;
}

const some = (code: Code, count: number) => groupOf(...Array.from({ length: count }, () => code));

const findStored = sql(
  'test-stored',
  "select id, next_at > now() + interval '5 seconds' as later from webhook_messages where endpoint_id = $1",
);
const stored = (endpointId: string) => db.query<{ id: string; later: boolean }>(findStored, [endpointId]);

const findDue = sql('test-due', 'select id from webhook_messages where endpoint_id = $1 order by next_at');

const countTokens = sql('test-tokens', 'select count(*) from webhook_publications');
const tokens = async () => (await db.query<{ count: number }>(countTokens))[0]!.count;

async function drain(): Promise<Message[]> {
  const stop = new AbortController();
  const messages: Message[] = [];
  const { waiting, unacked } = await queue.depth();
  let left = waiting + unacked;
  if (left === 0) return [];
  for await (const { message, ack } of queue.read(stop.signal, error => expect.fail(String(error)))) {
    messages.push(message);
    ack();
    if (--left === 0) stop.abort();
  }
  return messages;
}

test("messages over an account's limit go to PostgreSQL in the same call, and no other account is affected", async () => {
  const [busy, calm] = [await accountWithEndpoint(), await accountWithEndpoint()];
  const before = await tokens();
  await publish(groupOf(...Array.from({ length: 25 }, () => busy.code), calm.code));
  expect(await tokens()).toBe(before + 1);
  // Known to be full: it is not asked again for a moment.
  await publish(groupOf(...Array.from({ length: 5 }, () => busy.code), calm.code));
  const waiting = await stored(busy.endpointId);
  expect(waiting.filter(({ later }) => !later)).toHaveLength(20);
  expect(deferred).toEqual({ account_full: 20 });
  const queued = await drain();
  expect(queued.filter(({ endpointId }) => endpointId === calm.endpointId)).toHaveLength(2);
  const ofBusy = queued.filter(({ endpointId }) => endpointId === busy.endpointId).map(({ id }) => id);
  expect(new Set([...ofBusy, ...waiting.map(({ id }) => id)]).size).toBe(30);
  await waitUntil('it finds room again', async () => {
    await publish(some(busy.code, 1));
    return (await queue.depth()).waiting > 0;
  });
});

test('a queue that is full takes nothing more and drops nothing', async () => {
  queue = createQueue(nats, { ...options, maxMessages: 50, maxPerAccount: 10_000 });
  const { code, endpointId } = await accountWithEndpoint();
  await publish(some(code, 200));
  const { state } = await (await manager()).streams.info(streamName);
  expect(state).toMatchObject({ messages: 50, first_seq: 1 });
  expect(await stored(endpointId)).toHaveLength(150);
  expect(Object.keys(deferred)).toEqual(['queue_full']);
});

test('however many messages are deferred at once, they are due in the order of their scans', async () => {
  const { code, endpointId } = await accountWithEndpoint();
  const { accountId } = code;
  const fields = {
    endpointId,
    accountId,
    mode: 'live',
    event: 'scan.created',
    qrCodeId: null,
    body: '{}',
  } as const;
  const unsent = Array.from({ length: 5_010 }, () => ({
    message: { ...fields, id: ids.next(), createdAt: new Date() },
    reason: 'away' as const,
    isUnconfirmed: false,
  }));
  await deferMessages(db, 'many', unsent);
  const due = await db.query<{ id: string }>(findDue, [endpointId]);
  expect(due.map(({ id }) => id)).toEqual(unsent.map(({ message }) => message.id));
});

test('a crash in between leaves neither deferred messages nor the note of them, and the group is published again', async () => {
  const { code, endpointId } = await accountWithEndpoint();
  const group = some(code, 15);
  const before = await tokens();
  let isDying = true;
  const dying = publisherOn({
    ...db,
    transaction: work =>
      db.transaction(async tx => {
        const done = await work(tx);
        if (isDying) throw new Error('dead');
        return done;
      }),
  });
  await expect(publish(group, dying)).rejects.toThrow('dead');
  expect([await tokens(), (await stored(endpointId)).length]).toEqual([before, 0]);
  isDying = false;
  await publish(group, dying);
  await publish(group);
  const found = [...(await drain()).map(({ id }) => id), ...(await stored(endpointId)).map(({ id }) => id)];
  expect(found).toHaveLength(15);
  expect(new Set(found).size).toBe(15);
});

test('a silent NATS delays one group by half a second and the next not at all; unconfirmed messages are due later', async () => {
  const { code, endpointId } = await accountWithEndpoint();
  const undisturbedMs = await publish(some(code, 1));
  expect(await drain()).toHaveLength(1);
  await engine.kill('SIGSTOP');
  try {
    expect(await publish(some(code, 5))).toBeLessThan(1_500);
    expect(await publish(some(code, 5))).toBeLessThan(Math.max(200, 5 * undisturbedMs));
    const waiting = await stored(endpointId);
    expect(waiting.filter(({ later }) => later)).toHaveLength(5);
    expect(waiting.filter(({ later }) => !later)).toHaveLength(5);
    expect(deferred).toEqual({ no_answer: 10 });
  } finally {
    await engine.kill('SIGCONT');
  }
  await waitUntil('the queue is used again', async () => {
    await publish(some(code, 1));
    return (await queue.depth().catch(() => ({ waiting: 0 }))).waiting > 0;
  });
});

test('while NATS is away publishing does not wait for it', async () => {
  const { code, endpointId } = await accountWithEndpoint();
  await engine.kill('SIGKILL');
  await waitUntil('it is known to be away', () => nats.connection() === null);
  expect(await publish(some(code, 5))).toBeLessThan(400);
  expect(await stored(endpointId)).toHaveLength(5);
  expect(deferred).toEqual({ away: 5 });
  await engine.start();
  await nats.whenConnected(AbortSignal.timeout(10_000));
});

test('a queue of an earlier version gets its limits in place, and its messages survive that and a restart of NATS', async () => {
  const streams = (await manager()).streams;
  await streams.add({
    name: streamName,
    subjects: ['webhooks.messages'],
    storage: StorageType.File,
    retention: RetentionPolicy.Workqueue,
  });
  await (await manager()).consumers.add(streamName, {
    durable_name: 'deliver',
    ack_policy: AckPolicy.Explicit,
  });
  const { code, endpointId } = await accountWithEndpoint();
  const { accountId } = code;
  const old = { endpointId, accountId, mode: 'live', event: 'scan.created', qrCodeId: null } as const;
  const client = jetstream(nats.connection()!);
  for (let n = 0; n < 30; n++)
    await client.publish(
      'webhooks.messages',
      writeMessage({ ...old, id: ids.next(), body: '{}', createdAt: new Date() }),
    );
  await publish(some(code, 1));
  await engine.kill('SIGKILL');
  await engine.start();
  await waitUntil('NATS is back', async () => (await queue.depth().catch(() => null)) !== null);
  expect(await drain()).toHaveLength(31);
  // Once there is room, the limits are the configured ones. NATS removes a message after it took its acknowledgement.
  const messages = async () => (await (await manager()).streams.info(streamName)).state.messages;
  await waitUntil('what was acknowledged is removed', async () => (await messages()) === 0);
  await createQueue(nats, options).depth();
  const { config } = await (await manager()).streams.info(streamName);
  expect(config).toMatchObject({
    max_msgs: options.maxMessages,
    max_msgs_per_subject: options.maxPerAccount,
    discard: 'new',
    discard_new_per_subject: true,
  });
  const consumer = await (await manager()).consumers.info(streamName, consumerName);
  expect(consumer.config).toMatchObject({ ack_wait: nanos(ackWaitMs), max_ack_pending: 20_000 });
});
