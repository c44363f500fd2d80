import { DiscardPolicy, jetstreamManager } from '@nats-io/jetstream';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { ids, someScan } from '@signpost/testing/scans.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createNats, type Nats } from '../../platform/nats/nats.ts';
import { encodeBatch } from './format/batch.ts';
import type { LogEntry } from './format/entry.ts';
import type { KnownLog } from './reader.ts';
import { createScanLog, type ScanLog } from './scan-log.ts';
import { ensureStreams, keepStreams, repairStreams, toStreamName } from './streams.ts';

const options = { shards: 2, replicas: 1, maxAgeMs: 3_600_000, maxBytes: 64 * 1024 * 1024 };
const batchOf = (scans = 1) => ({ id: ids.next(), scans: Array.from({ length: scans }, () => someScan()) });

let server: Engine;
let nats: Nats;
let log: ScanLog;
const restarts: unknown[] = [];

beforeAll(async () => {
  server = await startNats();
  nats = createNats(server.url);
  log = createScanLog({ nats, shortLogMs: 1_000, onReaderEvent: event => restarts.push(event) });
});

beforeEach(async () => {
  if (!server.running) await server.start();
  const connection = await nats.whenConnected(AbortSignal.timeout(10_000));
  const manager = await jetstreamManager(connection);
  for (const { name } of (await manager.streams.list().next()).map(info => info.config)) {
    await manager.streams.delete(name);
  }
  await ensureStreams(connection, options);
});

afterAll(async () => {
  await nats.close();
  await server.remove();
});

/** Reads `count` entries. */
async function take(count: number, after = 0, shard = 0, known?: KnownLog): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  const ending = new AbortController();
  for await (const entry of log.read(
    shard,
    after,
    AbortSignal.any([ending.signal, AbortSignal.timeout(20_000)]),
    known,
  )) {
    entries.push(entry);
    if (entries.length === count) ending.abort();
  }
  return entries;
}

describe('scan log', () => {
  test('a batch that was appended is read back at its position', async () => {
    const batches = [batchOf(3), batchOf(), batchOf(2)];
    for (const batch of batches) await log.appender(0).append(encodeBatch(batch), 1000);
    const expected = batches.map((batch, i) => ({ kind: 'batch', position: i + 1, batch }));
    expect(await take(3)).toMatchObject(expected);
    expect(await take(1, 2)).toMatchObject(expected.slice(2));
    expect(await log.lastPosition(0)).toBe(3);
    expect(await log.lastPosition(1)).toBe(0);
  });

  test('a process appends to its own shard, and shards are read apart', async () => {
    const batch = batchOf();
    await log.appender(1).append(encodeBatch(batch), 1000);
    expect(await log.lastPosition(0)).toBe(0);
    expect(await take(1, 0, 1)).toMatchObject([{ kind: 'batch', position: 1, batch }]);
  });

  test('a reader whose client is closed ends with an error instead of waiting forever', async () => {
    const other = createNats(server.url);
    await other.whenConnected(AbortSignal.timeout(5000));
    const reading = createScanLog({ nats: other }).read(0, 0, new AbortController().signal).next();
    const ended = expect(reading).rejects.toThrow('closed');
    await other.close();
    await ended;
  });

  test('a batch too large for the log is refused as too_large', async () => {
    const bytes = Buffer.alloc(1_048_577, 1);
    await expect(log.appender(0).append({ id: ids.next(), bytes }, 1000)).rejects.toMatchObject({
      fault: 'too_large',
    });
  });

  test('a batch sent twice is in the log twice, both times with its id', async () => {
    const batch = batchOf();
    await log.appender(0).append(encodeBatch(batch), 1000);
    await log.appender(0).append(encodeBatch(batch), 1000);
    expect(await take(2)).toMatchObject([1, 2].map(position => ({ kind: 'batch', position, batch })));
  });

  test('an append that no stream takes fails at once', async () => {
    await expect(log.appender(7).append(encodeBatch(batchOf()), 10_000)).rejects.toMatchObject({
      fault: 'away',
    });
  });

  test('ensuring the streams again changes nothing, and a new age is applied', async () => {
    await log.appender(0).append(encodeBatch(batchOf()), 1000);
    const connection = nats.connection()!;
    await Promise.all([ensureStreams(connection, options), ensureStreams(connection, options)]);
    await ensureStreams(connection, { ...options, maxAgeMs: 7_200_000 });
    const manager = await jetstreamManager(connection);
    const { config, state } = await manager.streams.info(toStreamName(0));
    expect(config).toMatchObject({
      subjects: ['scans.0'],
      storage: 'file',
      retention: 'limits',
      discard: 'new',
      num_replicas: 1,
      max_age: 7.2e12,
      max_bytes: -1,
      max_msgs: Math.ceil(options.maxBytes / 100),
    });
    expect(state.messages).toBe(1);
  });

  test('a log at its message limit refuses new entries and keeps old ones; a limit in bytes is removed', async () => {
    const connection = nats.connection()!;
    const manager = await jetstreamManager(connection);
    const { config } = await manager.streams.info(toStreamName(0));
    await manager.streams.update(toStreamName(0), { ...config, max_bytes: 1_000_000 });
    await ensureStreams(connection, { ...options, maxBytes: 500 });
    for (let i = 0; i < 5; i++) await log.appender(0).append(encodeBatch(batchOf()), 1000);
    await expect(log.appender(0).append(encodeBatch(batchOf(9)), 1000)).rejects.toMatchObject({
      fault: 'full',
    });
    expect(await log.readState(0)).toMatchObject({ firstPosition: 1, lastPosition: 5 });
    expect((await manager.streams.info(toStreamName(0))).config).toMatchObject({
      max_bytes: -1,
      max_msgs: 5,
    });
  });

  test('a stream that cannot be created does not block the others, and is named in the error', async () => {
    const connection = nats.connection()!;
    const manager = await jetstreamManager(connection);
    await manager.streams.delete(toStreamName(0));
    await manager.streams.delete(toStreamName(1));
    await manager.streams.add({ name: 'OTHER', subjects: ['scans.0'] });
    await expect(ensureStreams(connection, options)).rejects.toThrow(/^SCANS_0: subjects overlap/);
    expect(await log.shards()).toEqual([1]);
  });

  test('a stream that an older version configured to drop old entries is repaired, and keeps its other settings', async () => {
    const connection = nats.connection()!;
    const manager = await jetstreamManager(connection);
    const { config } = await manager.streams.info(toStreamName(0));
    const older = { discard: DiscardPolicy.Old, max_age: 2 * config.max_age };
    await manager.streams.update(toStreamName(0), { ...config, ...older });
    await repairStreams(connection, options);
    expect((await manager.streams.info(toStreamName(0))).config).toMatchObject({
      discard: 'new',
      max_age: 2 * config.max_age,
      max_msgs: config.max_msgs,
    });
  });

  test('a message that is not a batch is an unreadable entry, and reading continues', async () => {
    await log.appender(0).append(encodeBatch(batchOf()), 1000);
    await log.appender(0).append({ id: ids.next(), bytes: Buffer.from('nonsense') }, 1000);
    await log.appender(0).append(encodeBatch(batchOf()), 1000);
    const entries = await take(3);
    expect(entries.map(({ kind, position }) => [kind, position])).toEqual([
      ['batch', 1],
      ['unreadable', 2],
      ['batch', 3],
    ]);
  });

  test('entries that were trimmed or deleted unread are reported as missing, never skipped', async () => {
    for (let i = 0; i < 9; i++) await log.appender(0).append(encodeBatch(batchOf()), 1000);
    const manager = await jetstreamManager(nats.connection()!);
    await manager.streams.purge(toStreamName(0), { seq: 4 });
    await manager.streams.deleteMessage(toStreamName(0), 6);
    const entries = await take(6, 1);
    expect(entries.map(({ kind, position }) => [kind, position])).toEqual([
      ['missing', 3],
      ['batch', 4],
      ['batch', 5],
      ['missing', 6],
      ['batch', 7],
      ['batch', 8],
    ]);
    expect(entries[0]).toMatchObject({ count: 2 });
  });

  test('a log that ends before the position is reported as replaced', async () => {
    await log.appender(0).append(encodeBatch(batchOf()), 1000);
    await expect(take(1, 5)).rejects.toMatchObject({ fault: 'replaced' });
  });

  test('a log is identified by its creation time and its entries, also after a restart', async () => {
    for (let i = 0; i < 5; i++) await log.appender(0).append(encodeBatch(batchOf()), 1000);
    const { createdAt, lastAtMs } = await log.readState(0);
    const mark = await log.markAt(0, 3);
    const reached = { position: 5, appendedAtMs: lastAtMs! };
    await server.restart();
    await log.ready(0, AbortSignal.timeout(10_000));
    const extentOf = (seen: typeof reached, acked: number) => async () => ({ reached: seen, acked });
    const known = { createdAt, mark, extent: extentOf(reached, 5) };
    expect((await take(2, 3, 0, known)).map(entry => entry.position)).toEqual([4, 5]);
    const others = [
      { ...known, createdAt: '2026-01-01T00:00:00Z' },
      { ...known, mark: await log.markAt(0, 4) },
      { ...known, extent: extentOf({ position: 5, appendedAtMs: lastAtMs! - 50 }, 5) },
      { ...known, extent: extentOf({ position: 6, appendedAtMs: lastAtMs! }, 5) },
      { ...known, extent: extentOf(reached, 6) },
    ];
    for (const other of others)
      await expect(take(2, 3, 0, other)).rejects.toMatchObject({ fault: 'replaced' });
  });

  test('a waiting reader notices that its log was deleted and created again', async () => {
    for (let i = 0; i < 3; i++) await log.appender(0).append(encodeBatch(batchOf()), 1000);
    const positions: number[] = [];
    const reading = (async () => {
      for await (const { position } of log.read(0, 0, AbortSignal.timeout(20_000))) positions.push(position);
    })();
    const ended = expect(reading).rejects.toMatchObject({ fault: 'replaced' });
    await waitUntil('it waits for the fourth', () => positions.length === 3);
    const manager = await jetstreamManager(nats.connection()!);
    await manager.streams.delete(toStreamName(0));
    await ensureStreams(nats.connection()!, options);
    // More than the old one had: its length alone would not show the replacement.
    for (let i = 0; i < 5; i++) await log.appender(0).append(encodeBatch(batchOf()), 1000);
    await ended;
    expect(positions).toEqual([1, 2, 3]);
  });

  test('a reader notices after an interruption that the log lacks entries that were acked', async () => {
    for (let i = 0; i < 3; i++) await log.appender(0).append(encodeBatch(batchOf()), 1000);
    const { createdAt } = await log.readState(0);
    let acked = 3;
    const known = { createdAt, extent: async () => ({ reached: null, acked }) };
    const positions: number[] = [];
    const reading = (async () => {
      const signal = AbortSignal.timeout(20_000);
      for await (const { position } of log.read(0, 0, signal, known)) positions.push(position);
    })();
    const ended = expect(reading).rejects.toMatchObject({ fault: 'replaced' });
    await waitUntil('it waits for the fourth', () => positions.length === 3);
    acked = 5;
    await server.restart();
    await ended;
  });

  test('every scan stream is found, and no other stream', async () => {
    const manager = await jetstreamManager(nats.connection()!);
    await ensureStreams(nats.connection()!, { ...options, shards: 12 });
    await manager.streams.add({ name: 'SCANS_x', subjects: ['scans.x'] });
    await manager.streams.add({ name: 'WEBHOOKS', subjects: ['webhooks.>'] });
    expect(await log.shards()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  test('a stream that is deleted under an open connection is created again, and the others keep their settings', async () => {
    const stop = keepStreams(nats, options, () => undefined);
    const manager = await jetstreamManager(nats.connection()!);
    const ageOf = async () => (await manager.streams.info(toStreamName(0))).config.max_age;
    // It sets them once, at the start.
    await ensureStreams(nats.connection()!, { ...options, maxAgeMs: 2 * options.maxAgeMs });
    const age = await ageOf();
    await manager.streams.delete(toStreamName(1));
    await waitUntil('it is there again', async () => (await log.shards()).includes(1));
    expect(await ageOf()).toBe(age);
    stop();
  });

  test('a reader survives a kill of the server without a gap or a repetition', async () => {
    const entries: LogEntry[] = [];
    const ending = new AbortController();
    const reading = (async () => {
      for await (const entry of log.read(0, 0, ending.signal)) entries.push(entry);
    })();
    let sent = 0;
    for (let round = 0; round < 4; round++) {
      for (let i = 0; i < 50; i++)
        await log
          .appender(0)
          .append(encodeBatch(batchOf()), 1000)
          .then(() => sent++);
      await server.kill('SIGKILL');
      await server.start();
      await nats.whenConnected(AbortSignal.timeout(10_000));
      await waitUntil('the log answers', () => log.lastPosition(0).then(() => true));
    }
    await waitUntil('all is read', () => entries.length >= sent);
    ending.abort();
    await reading;
    expect(entries.map(({ position }) => position)).toEqual(Array.from({ length: sent }, (_, i) => i + 1));
    expect(restarts.length).toBeGreaterThan(0);
  });

  test('while NATS is down an append fails at once, also one in flight', async () => {
    await server.kill('SIGSTOP');
    // A signal takes a moment to arrive.
    const refused = () =>
      log
        .appender(0)
        .append(encodeBatch(batchOf()), 100)
        .then(
          () => false,
          () => true,
        );
    await waitUntil('NATS has stopped', refused);
    const underWay = expect(log.appender(0).append(encodeBatch(batchOf()), 20_000)).rejects.toMatchObject({
      fault: 'away',
    });
    const silent = performance.now();
    await expect(log.appender(0).append(encodeBatch(batchOf()), 100)).rejects.toThrow('100 ms');
    expect(performance.now() - silent).toBeLessThan(1000);
    await server.kill('SIGKILL');
    await underWay;
    expect(log.appender(0).available()).toBe(false);
    const away = performance.now();
    await expect(log.appender(0).append(encodeBatch(batchOf()), 20_000)).rejects.toMatchObject({
      fault: 'away',
    });
    expect(performance.now() - away).toBeLessThan(50);
  });
});
