import type { Engine } from '@signpost/testing/engines/engine.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { type EngineProxy, startProxy } from '@signpost/testing/proxy.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createNats, type Nats } from '../platform/nats.ts';
import type { StopChange } from '../stops/stop.ts';
import { createInvalidationBroadcast, invalidationSubject, stopSubject } from './invalidation-broadcast.ts';
import { InvalidationSubscriber } from './invalidation-subscriber.ts';

let engine: Engine;
let proxy: EngineProxy;
const closers: (() => unknown)[] = [];

beforeAll(async () => {
  engine = await startNats();
  proxy = await startProxy(engine.port);
});
afterAll(async () => {
  for (const close of closers) await close();
  proxy.close();
  await engine.remove();
});

async function connected(port: number): Promise<Nats> {
  const nats = createNats(`nats://127.0.0.1:${port}`);
  closers.push(() => nats.close(100));
  await nats.whenConnected(AbortSignal.timeout(10_000));
  return nats;
}

function subscribe(nats: Nats, processId: string) {
  const invalidated: string[] = [];
  const applied: StopChange[] = [];
  const subscriber = new InvalidationSubscriber({
    nats,
    processId,
    handler: {
      invalidate: keys => invalidated.push(...keys),
      applyStops: changes => applied.push(...changes),
    },
  });
  closers.push(() => subscriber.stop());
  return { subscriber, invalidated, applied };
}

/** The ids of the processes that reply. */
async function repliesTo(
  nats: Nats,
  data: readonly (string | StopChange)[],
  count: number,
  subject = invalidationSubject,
): Promise<string[]> {
  const replies: string[] = [];
  const request = createInvalidationBroadcast(nats).request(subject, JSON.stringify(data), id =>
    replies.push(id),
  );
  await waitUntil('the replies are there', () => replies.length === count);
  request!.stop();
  return replies;
}

describe('a subscriber', () => {
  test('invalidates links, applies stops, and replies once to each message', async () => {
    const { subscriber, invalidated, applied } = subscribe(await connected(engine.port), 'one');
    await waitUntil('it is subscribed', () => subscriber.isSubscribed());
    expect(await repliesTo(await connected(engine.port), ['menu', 'wine'], 1)).toEqual(['one']);
    expect(invalidated).toEqual(['menu', 'wine']);
    const changes = [{ subject: 'account/a', reason: 'held', n: 4 }] as const;
    expect(await repliesTo(await connected(engine.port), changes, 1, stopSubject)).toEqual(['one']);
    expect(applied).toEqual(changes);
    subscriber.stop();
  });

  test('counts a loss when the connection breaks, and is subscribed again when it is back', async () => {
    const { subscriber } = subscribe(await connected(proxy.port), 'two');
    await waitUntil('it is subscribed', () => subscriber.isSubscribed());
    expect(subscriber.losses()).toBe(0);
    proxy.cut();
    await waitUntil('it has noticed', () => !subscriber.isSubscribed() && subscriber.losses() > 0);
    await waitUntil('it is subscribed again', () => subscriber.isSubscribed());
    const replies = await repliesTo(await connected(engine.port), ['menu'], 2);
    expect(replies.sort()).toEqual(['one', 'two']);
  });

  test('is subscribed in the end where NATS was silent when the subscription was to be confirmed', async () => {
    const nats = await connected(engine.port);
    engine.freeze();
    const { subscriber } = subscribe(nats, 'three');
    setTimeout(() => engine.thaw(), 2500);
    await waitUntil('it is subscribed', () => subscriber.isSubscribed(), { timeoutMs: 20_000 });
    expect(await repliesTo(nats, ['menu'], 3)).toContain('three');
  });
});

test('a broadcast over a connection that was closed a moment ago is not sent, and does not fail', async () => {
  const nats = await connected(engine.port);
  const connection = nats.connection()!;
  await connection.close();
  expect(
    createInvalidationBroadcast({ connection: () => connection }).request(
      invalidationSubject,
      '[]',
      () => {},
    ),
  ).toBeNull();
});
