import { randomUUID } from 'node:crypto';
import { cpSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { type EngineProxy, startProxy } from '@signpost/testing/proxy.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createNats, type Nats } from '../../platform/nats/nats.ts';
import { createManager } from '../../platform/nats/streams.ts';
import { createAckTimes, type Round } from './acknowledgements.ts';
import { ChangeFeed } from './change-feed.ts';
import { createChangePublisher } from './change-publisher.ts';
import { createChangeStream, streamName } from './change-stream.ts';
import type { StopChange } from './stops/stop.ts';

const streamOptions = { replicas: 1, timeoutMs: 1000 };
let engine: Engine;
let proxy: EngineProxy;
/** Last opened, first closed. */
const closers: (() => unknown)[] = [];

beforeAll(async () => {
  engine = await startNats();
  proxy = await startProxy(engine.port);
});
afterEach(async () => {
  for (let close = closers.pop(); close; close = closers.pop()) await close();
});
afterAll(async () => {
  proxy.close();
  await engine.remove();
});

async function connected(port = engine.port): Promise<Nats> {
  const nats = createNats(`nats://127.0.0.1:${port}`);
  closers.push(() => nats.close(100));
  await nats.whenConnected(AbortSignal.timeout(10_000));
  return nats;
}

/** A redirect process, as far as changes go. */
async function startRedirect(port = engine.port) {
  const nats = await connected(port);
  const [invalidated, applied]: [string[], StopChange[]] = [[], []];
  const id = randomUUID();
  const unnumbered = { keys: [] as string[] | null };
  const feed = new ChangeFeed({
    nats,
    history: createChangeStream(nats, streamOptions),
    processId: id,
    handler: {
      invalidate: keys => invalidated.push(...keys),
      applyStops: changes => applied.push(...changes),
    },
    readUnnumbered: async () => ({ keys: unnumbered.keys, catchUpStops: async () => {} }),
  });
  closers.push(() => feed.stop());
  await waitUntil('it is subscribed', () => feed.isSubscribed());
  await feed.catchUp(null);
  return { id, feed, invalidated, applied, unnumbered };
}

async function startEditor(port = engine.port) {
  const nats = await connected(port);
  const times = createAckTimes({ minMs: 100, maxMs: 1000 });
  const publisher = createChangePublisher({ nats, stream: createChangeStream(nats, streamOptions), times });
  return {
    nats,
    publish: (...keys: string[]) => publisher.publish({ keys, stops: [] }),
    stop: (...stops: StopChange[]) => publisher.publish({ keys: [], stops }),
  };
}

/** Waits until these processes have acknowledged a change. */
async function acknowledged(
  change: Awaited<ReturnType<Awaited<ReturnType<typeof startEditor>>['publish']>>,
  ...ids: readonly string[]
): Promise<Round> {
  const round = change!.acknowledgements.open(change!.n, performance.now(), ids);
  await round.within(10_000);
  expect([...round.missing]).toEqual([]);
  return round;
}

describe('a redirect process', () => {
  test('applies links and stops in order, and acknowledges their numbers', async () => {
    const [redirect, editor] = [await startRedirect(), await startEditor()];
    const first = await editor.publish('menu', 'wine');
    const stop = { subject: 'account/a', reason: 'held', n: 4 } as const;
    const second = await editor.stop(stop);
    expect(second!.n).toBe(first!.n + 1);
    expect(second!.newest).toEqual({ stream: first!.newest!.stream, n: second!.n });
    await acknowledged(second, redirect.id);
    await acknowledged(first, redirect.id);
    expect(redirect.invalidated).toEqual(['menu', 'wine']);
    expect(redirect.applied).toEqual([stop]);
    expect(redirect.feed.applied).toBe(second!.n);
  });

  test('that was cut off reads what it missed, drops only that, and acknowledges it', async () => {
    const [redirect, editor] = [await startRedirect(proxy.port), await startEditor()];
    await acknowledged(await editor.publish('before'), redirect.id);
    const { epoch } = redirect.feed;
    proxy.silent = true;
    const missed = [await editor.publish('missed-1'), await editor.publish('missed-2')];
    proxy.silent = false;
    proxy.cut();
    await waitUntil('it has noticed', () => redirect.feed.losses() > 0);
    await waitUntil('it is subscribed again', () => redirect.feed.isSubscribed());
    await redirect.feed.catchUp(missed[1]!.newest);
    expect(redirect.invalidated).toEqual(['before', 'missed-1', 'missed-2']);
    for (const change of missed) await acknowledged(change, redirect.id);
    expect(redirect.feed.epoch).toBe(epoch);
    expect(redirect.feed.caughtUp).toBe(2);
  });

  test('is subscribed in the end where NATS was silent when the subscription was to be confirmed', async () => {
    const nats = await connected();
    engine.freeze();
    const feed = new ChangeFeed({
      nats,
      history: createChangeStream(nats, streamOptions),
      processId: 'late',
      handler: { invalidate: () => {}, applyStops: () => {} },
      readUnnumbered: async () => ({ keys: [], catchUpStops: async () => {} }),
    });
    closers.push(() => feed.stop());
    setTimeout(() => engine.thaw(), 2500);
    await waitUntil('it is subscribed', () => feed.isSubscribed(), { timeoutMs: 20_000 });
    // A request to a server that has only just resumed may get no answer. A lease tries again too.
    await waitUntil('it has caught up', () => feed.catchUp(null).then(() => true));
    await acknowledged(await (await startEditor()).publish('menu'), 'late');
  });

  test('drops what has no number yet, and forgets everything where that is too much', async () => {
    const redirect = await startRedirect();
    redirect.unnumbered.keys = ['menu'];
    const { epoch } = redirect.feed;
    await redirect.feed.applyUnnumbered();
    expect(redirect.invalidated).toEqual(['menu']);
    expect(redirect.feed.epoch).toBe(epoch);
    redirect.unnumbered.keys = null;
    await redirect.feed.applyUnnumbered();
    expect(redirect.feed.epoch).toBe(epoch + 1);
  });
});

describe('a stream', () => {
  test('still numbers changes after NATS was killed, and nobody forgets anything', async () => {
    const [redirect, editor] = [await startRedirect(), await startEditor()];
    const before = await editor.publish('before');
    await acknowledged(before, redirect.id);
    const { epoch } = redirect.feed;
    await engine.kill('SIGKILL');
    expect(await editor.publish('away')).toBeNull();
    await engine.start();
    await waitUntil(
      'both are connected',
      () => editor.nats.connection() !== null && redirect.feed.isSubscribed(),
    );
    await redirect.feed.catchUp(null);
    const after = await editor.publish('after');
    expect(after!.n).toBe(before!.n + 1);
    await acknowledged(after, redirect.id);
    expect(redirect.feed.epoch).toBe(epoch);
  });

  test('that was deleted is created again, and everything is forgotten', async () => {
    const [redirect, editor] = [await startRedirect(), await startEditor()];
    for (const key of ['a', 'b', 'c']) await acknowledged(await editor.publish(key), redirect.id);
    const { epoch } = redirect.feed;
    await (await createManager(editor.nats.connection()!)).streams.delete(streamName);
    // The number is one that was assigned before, so the editor sends the change again.
    const change = await editor.publish('d');
    expect(change!.n).toBe(2);
    await acknowledged(change, redirect.id);
    expect(redirect.feed.epoch).toBeGreaterThan(epoch);
    expect(redirect.feed.applied).toBe(2);
  });

  test('that was restored from an older copy makes everybody forget everything', async () => {
    const [redirect, editor] = [await startRedirect(), await startEditor()];
    await acknowledged(await editor.publish('a'), redirect.id);
    await sleep(50);
    await engine.stop();
    const [store, copy] = [`${engine.dir}/jetstream`, `${engine.dir}/copy`];
    cpSync(store, copy, { recursive: true });
    await engine.start();
    await waitUntil(
      'both are connected',
      () => editor.nats.connection() !== null && redirect.feed.isSubscribed(),
    );
    await redirect.feed.catchUp(null);
    for (const key of ['b', 'c']) await acknowledged(await editor.publish(key), redirect.id);
    const { epoch, applied } = redirect.feed;
    await engine.stop('immediate');
    rmSync(store, { recursive: true });
    cpSync(copy, store, { recursive: true });
    await engine.start();
    await waitUntil(
      'both are connected',
      () => editor.nats.connection() !== null && redirect.feed.isSubscribed(),
    );
    // Another editor has brought it to the number that it had before.
    const other = await startEditor();
    for (const key of ['x', 'y']) await other.publish(key);
    await redirect.feed.catchUp(null);
    expect(redirect.feed.applied).toBe(applied);
    expect(redirect.feed.epoch).toBeGreaterThan(epoch);
  });
});

describe('an editor', () => {
  test('cannot number anything over a connection that was closed a moment ago', async () => {
    const { nats, publish } = await startEditor();
    const connection = nats.connection()!;
    await connection.close();
    const times = createAckTimes({ minMs: 100, maxMs: 1000 });
    const closed = { connection: () => connection };
    const stream = createChangeStream(closed, streamOptions);
    const publisher = createChangePublisher({ nats: closed, stream, times });
    expect(await publisher.publish({ keys: ['menu'], stops: [] })).toBeNull();
    await waitUntil('it is connected again', () => nats.connection() !== null);
    expect(await publish('menu')).not.toBeNull();
  });

  test('counts an acknowledgement of a number only where it is of the same copy of the stream', async () => {
    const [redirect, editor] = [await startRedirect(), await startEditor()];
    const before = await editor.publish('a');
    await acknowledged(before, redirect.id);
    await (await createManager(editor.nats.connection()!)).streams.delete(streamName);
    const after = await editor.publish('b');
    expect(after!.n).toBeLessThanOrEqual(before!.n + 1);
    expect(after!.acknowledgements).not.toBe(before!.acknowledgements);
  });
});
