import { setTimeout as pause } from 'node:timers/promises';
import type { Msg } from '@nats-io/transport-node';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { ids } from '@signpost/testing/scan-ledger.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createNats, type Nats } from '../../../platform/nats/nats.ts';
import type { Message } from '../../webhook.ts';
import { createQueuePublisher } from './queue-publisher.ts';
import { toSubject } from './queue-stream.ts';

let engine: Engine;
let nats: Nats;
const { signal } = new AbortController();

beforeAll(async () => {
  engine = await startNats();
  nats = createNats(engine.url);
  await nats.whenConnected(AbortSignal.timeout(10_000));
});
afterAll(async () => {
  await nats.close();
  await engine.remove();
});

/** Answers instead of the stream, one message after the other. */
function answerEvery(ms: number): void {
  let turn: Promise<unknown> = Promise.resolve();
  const answer = (message: Msg) => message.respond(JSON.stringify({ stream: 'WEBHOOKS', seq: 1 }));
  const subscription = nats.connection()!.subscribe(toSubject('*'), {
    callback: (_, message) => {
      if (ms === 0) answer(message);
      else turn = turn.then(() => pause(ms)).then(() => answer(message));
    },
  });
  onTestFinished(() => subscription.unsubscribe());
}

const some = (count: number): Message[] =>
  Array.from({ length: count }, () => ({
    id: ids.next(),
    endpointId: ids.next(),
    accountId: ids.next(),
    mode: 'live',
    event: 'scan.created',
    qrCodeId: null,
    body: '{}',
    createdAt: new Date(),
  }));

test('a slow queue is not silent: messages that there is no time for are confirmed unsent, in order', async () => {
  answerEvery(3);
  const publish = createQueuePublisher({
    nats,
    ensureQueue: async () => undefined,
    onMissing: () => undefined,
  });
  const messages = some(1_000);
  const unsent = await publish(messages, signal);
  expect(new Set(unsent.map(({ reason }) => reason))).toEqual(new Set(['no_time']));
  expect(unsent.filter(({ isUnconfirmed }) => isUnconfirmed)).toEqual([]);
  expect(unsent.map(({ message }) => message)).toEqual(messages.slice(-unsent.length));
  expect(await publish(some(1), signal)).toEqual([]);
});

test('a queue that always takes longer to be ready than an answer may take is used in the end', async () => {
  answerEvery(0);
  let isReady = false;
  const publish = createQueuePublisher({
    nats,
    async ensureQueue() {
      if (!isReady) await pause(700);
      isReady = true;
    },
    onMissing() {
      isReady = false;
    },
  });
  expect(await publish(some(1), signal)).toMatchObject([{ reason: 'no_answer', isUnconfirmed: false }]);
  await waitUntil('it is used', async () => (await publish(some(1), signal)).length === 0);
});
