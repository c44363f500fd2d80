import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { createTestDatabase } from '@signpost/testing/database.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { type AnswerWith, type Receiver, startReceiver } from '@signpost/testing/receiver.ts';
import { addCodes } from '@signpost/testing/scan-ledger.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { createIds, type Uuid } from '../../kernel/ids.ts';
import { createNats } from '../../platform/nats/nats.ts';
import { createPostgres, type Postgres, sql } from '../../platform/postgres/postgres.ts';
import { createAddressGuard } from '../address-guard.ts';
import { unattempted } from '../deliveries.ts';
import * as messageStore from '../message-store.ts';
import { publishAccountSuspended, publishSuspended } from '../publish-events.ts';
import { createHostResolver } from '../resolver.ts';
import { createSecretCipher, newSecret } from '../secret.ts';
import * as store from '../store.ts';
import type { Delivery, Endpoint, EventKind, Message } from '../webhook.ts';
import { retryDelaysSeconds } from './attempts/retry-schedule.ts';
import { createSender, type Sender } from './attempts/sender.ts';
import { sign } from './attempts/signature.ts';
import { Dispatcher, type DispatcherParts } from './dispatcher.ts';
import { deferMessages } from './queue/deferred-messages.ts';
import { createQueue } from './queue/queue.ts';
import { createStoredQueue } from './queue/stored-queue.ts';
import { removeDelivered } from './queue/unconfirmed-messages.ts';
import type { HostRateLimiter } from './rates/host-rate-limiter.ts';

const ids = createIds(systemClock);
const cipher = createSecretCipher([randomBytes(32)]);
const dayMs = 86_400_000;

let db: Postgres;
let sender: Sender;
let accountId: Uuid;
let receiver: Receiver;
let answer: AnswerWith;
let nowMs: number;
let dispatcher: Dispatcher | undefined;
const clock = { now: () => new Date(nowMs) };

beforeAll(async () => {
  const databaseUrl = await createTestDatabase();
  db = createPostgres(
    { databaseUrl, databasePooler: 'none', databasePoolSize: 6, databaseTimeoutMs: 5_000 },
    () => undefined,
  );
  sender = createSender({
    resolver: createHostResolver(createAddressGuard(['127.0.0.1'])),
    clock: systemClock,
  });
  accountId = (await addCodes(db, 1))[0]!.accountId;
  receiver = await startReceiver((arrival, response) => answer(arrival, response));
});
afterAll(async () => {
  await receiver.close();
  await sender.close();
  await db.close();
});
beforeEach(() => {
  nowMs = Date.UTC(2026, 10, 15, 12);
  receiver.arrivals.length = 0;
});
afterEach(async () => {
  await dispatcher?.stop(2_000);
});

const status =
  (code: number, headers: Record<string, string> = {}): AnswerWith =>
  (_arrival, response) =>
    void response.writeHead(code, headers).end('noted');

const noCounters = {
  attempted() {},
  firstAttempt() {},
  deferred() {},
  throttled() {},
  rateWait() {},
  disabled() {},
  inFlight() {},
};
/** These tests are not about rates. */
const unlimited: HostRateLimiter = {
  reserve: async ({ count, leadMs = 0 }) => ({
    reservedMs: Array.from({ length: count }, () => performance.now() + leadMs),
    waitsMs: [],
    decidedUs: null,
    reason: 'host_rate',
    spacingMs: 0,
  }),
};
const logger = { info() {}, warn: console.warn, error: console.error };

function start(queue: DispatcherParts['queue'] = { async *read() {} }, concurrency = 100): Dispatcher {
  const parts = {
    db,
    queue,
    sender,
    rateLimiter: unlimited,
    cipher,
    clock,
    logger,
    counters: noCounters,
  };
  dispatcher = new Dispatcher({ ...parts, concurrency, pollEveryMs: 20 });
  dispatcher.start();
  return dispatcher;
}

async function addEndpoint(
  url = `${receiver.url}/`,
  events: readonly EventKind[] = ['scan.created'],
): Promise<Uuid> {
  const endpoint: Endpoint = {
    id: ids.next(),
    accountId,
    mode: 'live',
    url,
    description: '',
    events,
    includeCodeDetails: false,
    qrIds: null,
    tags: null,
    enabled: true,
    disabledReason: null,
    secret: cipher.encrypt(newSecret()),
    oldSecret: null,
    oldSecretUntil: null,
    failingSince: null,
    provenAt: null,
    createdAt: clock.now(),
    updatedAt: clock.now(),
  };
  await store.insertEndpoint(db, endpoint, 1_000_000);
  return endpoint.id;
}

const messageFor = (endpointId: Uuid): Message => ({
  id: ids.next(),
  endpointId,
  accountId,
  mode: 'live',
  event: 'scan.created',
  qrCodeId: null,
  body: '{}',
  createdAt: clock.now(),
});

async function due(endpointId: Uuid): Promise<Uuid> {
  return (await messageStore.replayMessage(db, { ...messageFor(endpointId), ...unattempted }, clock.now()))
    .id;
}

const owner = () => ({ accountId, mode: 'live' as const });
const stateOf = async (id: Uuid): Promise<Delivery | undefined> =>
  (await messageStore.findMessages(db, owner(), [id])).get(id);
const endpointOf = async (id: Uuid) => (await store.loadEndpoints(db, [id])).get(id)!;

/** The message once this many attempts are written. */
async function after(id: Uuid, attempts: number): Promise<Delivery> {
  let state: Delivery | undefined;
  await waitUntil(`${attempts} attempts`, async () => {
    state = await stateOf(id);
    return state?.attempts === attempts;
  });
  return state!;
}

const loggedOf = (id: Uuid) =>
  db.query<{ attempt: number; event: string; status: string; response: string }>(
    sql(
      'test-logged',
      'select attempt, event, status, response from webhook_attempts where message_id = $1 order by at, attempt',
    ),
    [id],
  );

const delivered = (id: Uuid) => waitUntil('it is delivered', async () => (await stateOf(id)) === undefined);

describe('the retry schedule, under a fake clock', () => {
  test('eleven attempts, each delay within 20 % of the schedule; then the delivery has failed, and the log has every attempt', async () => {
    answer = status(500);
    start();
    const id = await due(await addEndpoint());
    for (const [index, delay] of retryDelaysSeconds.entries()) {
      const state = await after(id, index + 1);
      expect(state.status).toBe('pending');
      const waited = (state.nextAt!.getTime() - nowMs) / 1000;
      expect(waited).toBeGreaterThanOrEqual(delay * 0.8);
      expect(waited).toBeLessThanOrEqual(delay * 1.2);
      nowMs = state.nextAt!.getTime();
    }
    expect(await after(id, 11)).toMatchObject({
      status: 'failed',
      nextAt: null,
      responseStatus: 500,
      error: 'status',
    });
    expect((await loggedOf(id)).map(({ attempt, status, response }) => [attempt, status, response])).toEqual(
      Array.from({ length: 11 }, (_, n) => [n + 1, n === 10 ? 'failed' : 'pending', 'noted']),
    );
    expect(new Set(receiver.arrivals.map(arrival => arrival.id)).size).toBe(1);
    expect(receiver.arrivals).toHaveLength(11);
  });

  test('a retry is not sent before its time', async () => {
    answer = status(500);
    start();
    const id = await due(await addEndpoint());
    const { nextAt } = await after(id, 1);
    nowMs = nextAt!.getTime() - 1;
    const witness = await due(await addEndpoint());
    await after(witness, 1);
    expect((await stateOf(id))!.attempts).toBe(1);
  });

  test.each([
    ['120', 120],
    ['86400', 3600],
  ])('Retry-After: %s waits %i s', async (retryAfter, seconds) => {
    answer = status(503, { 'retry-after': retryAfter });
    start();
    const { nextAt } = await after(await due(await addEndpoint()), 1);
    expect((nextAt!.getTime() - nowMs) / 1000).toBe(seconds);
  });
});

describe('an endpoint', () => {
  test('that answers 410 is disabled, and the message is not retried', async () => {
    answer = status(410);
    start();
    const endpoint = await addEndpoint();
    expect(await after(await due(endpoint), 1)).toMatchObject({ status: 'failed', responseStatus: 410 });
    expect(await endpointOf(endpoint)).toMatchObject({ enabled: false, disabledReason: 'gone' });
  });

  test('is disabled after five days of nothing but failures, not a second earlier; one success clears it', async () => {
    answer = status(500);
    start();
    const endpoint = await addEndpoint();
    const firstMs = nowMs;
    await after(await due(endpoint), 1);
    expect((await endpointOf(endpoint)).failingSince?.getTime()).toBe(firstMs);
    nowMs = firstMs + 5 * dayMs - 1_000;
    await after(await due(endpoint), 1);
    expect((await endpointOf(endpoint)).enabled).toBe(true);
    answer = status(200);
    await delivered(await due(endpoint));
    expect((await endpointOf(endpoint)).failingSince).toBeNull();
    answer = status(500);
    nowMs = firstMs + 20 * dayMs;
    await after(await due(endpoint), 1);
    expect(await endpointOf(endpoint)).toMatchObject({ enabled: true, failingSince: clock.now() });
    nowMs += 5 * dayMs;
    await after(await due(endpoint), 1);
    expect(await endpointOf(endpoint)).toMatchObject({ enabled: false, disabledReason: 'failing' });
  });

  test('that is disabled gets nothing; its messages fail and can be replayed', async () => {
    answer = status(200);
    const endpoint = await addEndpoint();
    await db.query(
      sql(
        'test-off',
        `update webhook_endpoints set enabled = false, disabled_reason = 'by_owner' where id = $1`,
      ),
      [endpoint],
    );
    start();
    const id = await due(endpoint);
    expect(await after(id, 1)).toMatchObject({ status: 'failed', error: 'disabled' });
    expect(receiver.arrivals).toEqual([]);
    await db.query(
      sql('test-on', 'update webhook_endpoints set enabled = true, disabled_reason = null where id = $1'),
      [endpoint],
    );
    expect(await messageStore.replayFailed(db, await endpointOf(endpoint), clock.now(), clock.now())).toBe(1);
    await delivered(id);
    expect(receiver.arrivals).toHaveLength(1);
  });

  test('that is deleted gets nothing, and its messages are removed', async () => {
    answer = status(200);
    const endpoint = await addEndpoint();
    const id = await due(endpoint);
    await store.deleteEndpoint(db, owner(), endpoint, clock.now());
    start();
    await delivered(id);
    expect(receiver.arrivals).toEqual([]);
  });
});

describe('a suspension', () => {
  const reason = 'It leads to phishing.';
  const suspend = () =>
    db.transaction(tx =>
      publishSuspended(tx, [
        { qrCodeId: ids.next(), accountId, mode: 'live', reason, suspendedAt: clock.now() },
      ]),
    );
  const pendingOf = async (endpoint: Uuid) =>
    (await messageStore.listMessages(db, endpoint, 'pending', { page: 1, limit: 10 })).items;

  test('arrives once, signed, within seconds, and a scan does not', async () => {
    answer = status(200);
    const endpoint = await addEndpoint(undefined, ['qrcode.suspended']);
    start();
    await suspend();
    await waitUntil('it arrives', () => receiver.arrivals.length === 1, { timeoutMs: 3_000 });
    await waitUntil('its outcome is written', async () => (await pendingOf(endpoint)).length === 0);
    const [{ id, headers, body }] = receiver.arrivals as [(typeof receiver.arrivals)[number]];
    expect(JSON.parse(body)).toMatchObject({ event: 'qrcode.suspended', data: { reason } });
    const { secret } = await endpointOf(endpoint);
    const at = new Date(Number(headers['webhook-timestamp']) * 1000);
    expect(headers).toMatchObject(sign(id, at, body, [cipher.decrypt(secret)], { isTest: false }));
    const scan = { ...messageFor(endpoint), qrCodeId: ids.next(), ...unattempted };
    const { id: unwanted } = await messageStore.replayMessage(db, scan, clock.now());
    expect(await after(unwanted, 1)).toMatchObject({ status: 'failed', error: 'event_removed' });
    expect(receiver.arrivals).toHaveLength(1);
    expect(await messageStore.replayFailed(db, await endpointOf(endpoint), clock.now(), clock.now())).toBe(0);
    await db.query(sql('test-no-endpoint', 'delete from webhook_endpoints where id = $1'), [endpoint]);
  });

  test('of a whole account does not arrive as a test', async () => {
    answer = status(200);
    const endpoint = await addEndpoint(undefined, ['account.suspended']);
    start();
    await publishAccountSuspended(db, { accountId, reason, at: clock.now() });
    await waitUntil('it arrives', () => receiver.arrivals.length === 1, { timeoutMs: 3_000 });
    await waitUntil('its outcome is written', async () => (await pendingOf(endpoint)).length === 0);
    const [{ headers, body }] = receiver.arrivals as [(typeof receiver.arrivals)[number]];
    expect(JSON.parse(body)).toMatchObject({ event: 'account.suspended', data: { reason } });
    expect(headers['x-signpost-test']).toBeUndefined();
    await db.query(sql('test-no-endpoint', 'delete from webhook_endpoints where id = $1'), [endpoint]);
  });

  test('is retried under the same id where the receiver fails, and the log shows its event', async () => {
    answer = status(500);
    const endpoint = await addEndpoint(undefined, ['qrcode.suspended']);
    start();
    await suspend();
    const [{ id }] = (await pendingOf(endpoint)) as [Delivery];
    const { nextAt, event } = await after(id, 1);
    expect(event).toBe('qrcode.suspended');
    answer = status(200);
    nowMs = nextAt!.getTime();
    await delivered(id);
    expect(new Set(receiver.arrivals.map(arrival => arrival.id)).size).toBe(1);
    expect((await loggedOf(id)).map(({ event, status }) => [event, status])).toEqual([
      ['qrcode.suspended', 'pending'],
      ['qrcode.suspended', 'delivered'],
    ]);
  });
});

describe('an unconfirmed message, in the queue and in PostgreSQL,', () => {
  const unsent = (message: Message) => ({ message, reason: 'no_answer', isUnconfirmed: true }) as const;
  const queueWith = (message: Message) => ({
    async *read() {
      yield { message, ack: () => undefined };
    },
  });

  beforeEach(() => {
    // A deferred message is due by PostgreSQL's clock.
    nowMs = Date.now();
  });

  test('arrives once where the queue delivers it first', async () => {
    answer = status(200);
    const message = messageFor(await addEndpoint());
    await deferMessages(db, message.id, [unsent(message)]);
    start(queueWith(message));
    await delivered(message.id);
    nowMs += 60_000;
    await dispatcher?.stop(1_000);
    expect(receiver.arrivals).toHaveLength(1);
    expect(await loggedOf(message.id)).toHaveLength(1);
  });

  test('arrives once where it was delivered before its row was written', async () => {
    answer = status(200);
    const endpointId = await addEndpoint();
    const [message, other] = [messageFor(endpointId), messageFor(endpointId)];
    start(queueWith(message));
    await waitUntil('it is delivered', async () => (await loggedOf(message.id)).length === 1);
    await deferMessages(db, message.id, [unsent(message), unsent(other)]);
    await removeDelivered(db, [message, other]);
    nowMs += 60_000;
    await delivered(other.id);
    expect(receiver.arrivals).toHaveLength(2);
    expect(await loggedOf(message.id)).toHaveLength(1);
  });

  test('that fails continues after its first attempt', async () => {
    answer = status(500);
    const message = messageFor(await addEndpoint());
    await deferMessages(db, message.id, [unsent(message)]);
    start(queueWith(message));
    const { attempts, nextAt } = await after(message.id, 1);
    expect(attempts).toBe(1);
    answer = status(200);
    nowMs = nextAt!.getTime();
    await delivered(message.id);
    expect((await loggedOf(message.id)).map(row => row.attempt)).toEqual([1, 2]);
  });
});

test.each(['NATS', 'PostgreSQL'])(
  'an endpoint that never answers holds a tenth of the slots, its events leave the queue, and others arrive at once (a queue in %s)',
  async where => {
    const engine = await startNats();
    const nats = createNats(engine.url);
    const options = { replicas: 1, maxMessages: 100_000, maxPerAccount: 10_000 };
    const queue = where === 'NATS' ? createQueue(nats, options) : createStoredQueue({ db, ...options });
    const tarpit = createServer(() => undefined);
    await new Promise<void>(resolve => tarpit.listen(0, '127.0.0.1', resolve));
    const { port } = tarpit.address() as { port: number };
    answer = status(200);
    nowMs = Date.now();
    try {
      const [dead, healthy] = [await addEndpoint(`http://127.0.0.1:${port}/`), await addEndpoint()];
      const { signal } = new AbortController();
      await queue.publish(
        Array.from({ length: 500 }, () => messageFor(dead)),
        signal,
      );
      const running = start(queue, 20);
      await waitUntil('its events are deferred', async () => {
        const { total } = await messageStore.listMessages(db, dead, 'pending', { page: 1, limit: 1 });
        return total === 498;
      });
      await queue.publish(
        Array.from({ length: 50 }, () => messageFor(healthy)),
        signal,
      );
      await waitUntil('the healthy ones arrive', () => receiver.arrivals.length === 50, { timeoutMs: 3_000 });
      expect(running.inFlight().busiestEndpoint).toBe(2);
      await waitUntil('only the two in flight are in the queue', async () => {
        const { waiting, unacked } = await queue.depth();
        return waiting === 0 && unacked === 2;
      });
      // Published twice, a message is in the queue once.
      const twice = messageFor(healthy);
      await queue.publish([twice], signal);
      await queue.publish([twice], signal);
      await waitUntil('it arrives', () => receiver.arrivals.length === 51);
    } finally {
      await dispatcher?.stop(100);
      dispatcher = undefined;
      tarpit.close();
      await nats.close();
      await engine.remove();
    }
  },
);
