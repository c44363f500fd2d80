import { DiscardPolicy, jetstream, StorageType } from '@nats-io/jetstream';
import { afterEach, expect, test } from 'vitest';
import type { Engine } from '../../../../tools/engines/engine.ts';
import { startNats } from '../../../../tools/engines/nats.ts';
import { createNats, type Nats } from './nats.ts';
import { measureStreams } from './stream-sizes.ts';
import { ensureStream, managerOf } from './streams.ts';

let engine: Engine;
let nats: Nats;

async function begin(config = '') {
  engine = await startNats({ config });
  nats = createNats(engine.url);
  const connection = await nats.whenConnected(AbortSignal.timeout(10_000));
  return { manager: await managerOf(connection), client: jetstream(connection), connection };
}

afterEach(async () => {
  await nats.close();
  await engine.remove();
});

const unbounded = { name: 'S', subjects: ['s.>'], storage: StorageType.File };
const bounded = { ...unbounded, discard: DiscardPolicy.New, max_bytes: 20_000 };

test('a bound below what is there drops nothing: it is set when there is room for it', async () => {
  const { manager, client, connection } = await begin();
  expect(await ensureStream(manager, unbounded)).toBe(true);
  for (let n = 0; n < 50; n++) await client.publish('s.one', 'x'.repeat(1_000));
  const perSubject = { ...bounded, discard_new_per_subject: true, max_msgs_per_subject: 5 };
  expect(await ensureStream(manager, perSubject)).toBe(false);
  await engine.kill('SIGKILL');
  await engine.start();
  const again = await managerOf(await nats.whenConnected(AbortSignal.timeout(10_000)));
  expect((await again.streams.info('S')).state.messages).toBe(50);
  await expect(client.publish('s.one', 'x'.repeat(20_000))).rejects.toThrow('maximum bytes exceeded');
  await again.streams.purge('S', { seq: 48 });
  expect(await ensureStream(again, perSubject)).toBe(true);
  expect((await again.streams.info('S')).state.messages).toBe(3);
  expect(await measureStreams(connection)).toMatchObject([{ stream: 'S', maxBytes: 20_000 }]);
});

test('where the store of NATS has no room for a bound, the stream gets as much as fits, not none', async () => {
  const { manager } = await begin('jetstream { max_file_store: 1000000 }');
  expect(await ensureStream(manager, { ...bounded, max_bytes: 3_000_000 })).toBe(false);
  expect((await manager.streams.info('S')).config.max_bytes).toBe(750_000);
});
