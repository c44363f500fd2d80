import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DiscardPolicy, jetstream, StorageType } from '@nats-io/jetstream';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { type NatsOptions, startNats } from '@signpost/testing/engines/nats.ts';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { createNats, type Nats } from './nats.ts';
import { measureStreams } from './stream-sizes.ts';
import { createManager, ensureStream } from './streams.ts';

let engine: Engine;
let nats: Nats;

async function begin(options: NatsOptions = {}) {
  engine = await startNats(options);
  nats = createNats(engine.url);
  const connection = await nats.whenConnected(AbortSignal.timeout(10_000));
  return { manager: await createManager(connection), client: jetstream(connection), connection };
}

afterEach(async () => {
  await nats.close();
  await engine.remove();
});

const unbounded = { name: 'S', subjects: ['s.>'], storage: StorageType.File };
const bounded = { ...unbounded, discard: DiscardPolicy.New, max_msgs: 20 };

test('a bound below the current size drops nothing: it is set once the messages fit', async () => {
  const { manager, client, connection } = await begin();
  expect(await ensureStream(manager, unbounded)).toBe(true);
  for (let n = 0; n < 40; n++) await client.publish('s.one', 'x'.repeat(1_000));
  // Without a bound in NATS only our own bound counts.
  const size = () => measureStreams(connection, stream => (stream === 'S' ? { maxMessages: 20 } : null));
  expect(await size()).toMatchObject([{ stream: 'S', maxBytes: null, used: 2 }]);
  const perSubject = { ...bounded, discard_new_per_subject: true, max_msgs_per_subject: 5 };
  expect(await ensureStream(manager, perSubject)).toBe(false);
  expect((await manager.streams.info('S')).config).toMatchObject({ max_msgs: 50, max_msgs_per_subject: 50 });
  await engine.kill('SIGKILL');
  await engine.start();
  const again = await createManager(await nats.whenConnected(AbortSignal.timeout(10_000)));
  expect((await again.streams.info('S')).state.messages).toBe(40);
  for (let n = 0; n < 10; n++) await client.publish('s.two', 'x');
  await expect(client.publish('s.three', 'x')).rejects.toThrow('maximum messages exceeded');
  await again.streams.purge('S', { seq: 48 });
  expect(await ensureStream(again, perSubject)).toBe(true);
  expect((await again.streams.info('S')).state.messages).toBe(3);
  expect(await size()).toMatchObject([{ stream: 'S', used: 0.15 }]);
});

test('a NATS whose store is full refuses new messages, keeps the old ones, and restarts with them', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'signpost-nats-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const config = `jetstream { store_dir: ${JSON.stringify(join(dir, 'jetstream'))}, max_file_store: 50000 }`;
  const { manager, client } = await begin({ dir, config, jetStream: false });
  await ensureStream(manager, bounded);
  const publish = async () => {
    for (let n = 0; n < 20; n++) await client.publish('s.one', 'x'.repeat(10_000));
  };
  await expect(publish()).rejects.toThrow('insufficient resources');
  const { messages } = (await manager.streams.info('S')).state;
  await engine.restart();
  const again = await createManager(await nats.whenConnected(AbortSignal.timeout(10_000)));
  expect((await again.streams.info('S')).state).toMatchObject({ messages, first_seq: 1 });
});
