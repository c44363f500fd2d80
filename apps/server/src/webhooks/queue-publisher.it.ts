import { setTimeout as pause } from 'node:timers/promises';
import type { Msg } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { ids } from '../../../../test/support/scan-ledger.ts';
import type { Engine } from '../../../../tools/engines/engine.ts';
import { startNats } from '../../../../tools/engines/nats.ts';
import { waitUntil } from '../../../../tools/engines/wait.ts';
import { createNats, type Nats } from '../platform/nats.ts';
import { createQueuePublisher } from './queue-publisher.ts';
import { subjectOf } from './queue-stream.ts';
import type { Message } from './webhook.ts';

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

/** In the place of the stream: one answer after the other. */
function answerEvery(ms: number): void {
  let turn: Promise<unknown> = Promise.resolve();
  const answer = (message: Msg) => message.respond(JSON.stringify({ stream: 'WEBHOOKS', seq: 1 }));
  const subscription = nats.connection()!.subscribe(subjectOf('*'), {
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

test('a queue that is slow is not silent: what there is no time for is known not to be in it, and keeps its order', async () => {
  answerEvery(3);
  const publish = createQueuePublisher({ nats, ready: async () => undefined, onGone: () => undefined });
  const messages = some(1_000);
  const unsent = await publish(messages, signal);
  expect(new Set(unsent.map(({ reason }) => reason))).toEqual(new Set(['no_time']));
  expect(unsent.filter(({ isDoubtful }) => isDoubtful)).toEqual([]);
  expect(unsent.map(({ message }) => message)).toEqual(messages.slice(-unsent.length));
  expect(await publish(some(1), signal)).toEqual([]);
});

test('a queue that always takes longer than an answer to be ready is used in the end', async () => {
  answerEvery(0);
  let isReady = false;
  const publish = createQueuePublisher({
    nats,
    async ready() {
      if (!isReady) await pause(700);
      isReady = true;
    },
    onGone() {
      isReady = false;
    },
  });
  expect(await publish(some(1), signal)).toMatchObject([{ reason: 'no_answer', isDoubtful: false }]);
  await waitUntil('it is used', async () => (await publish(some(1), signal)).length === 0);
});
