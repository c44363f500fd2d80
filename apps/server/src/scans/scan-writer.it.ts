import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { load } from '@signpost/testing/load.ts';
import { readThrough } from '@signpost/testing/scan-log.ts';
import { ids, someScan, withPromises } from '@signpost/testing/scans.ts';
import { startWriterProcess } from '@signpost/testing/writer-process.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../kernel/clock.ts';
import { createNats, type Nats } from '../platform/nats/nats.ts';
import { openBoundedLog } from './log/bounded-log.ts';
import type { Durability } from './log/durable-append.ts';
import { encodeBatch } from './log/format/batch.ts';
import { createScanLog, type ScanLog } from './log/scan-log.ts';
import { keepStreams } from './log/streams.ts';
import { openScanWriter, type ScanWriterEvent, type ScanWriterOptions } from './scan-writer.ts';

let server: Engine;
let nats: Nats;
let log: ScanLog;
let spoolDir: string;
let events: ScanWriterEvent[];

beforeEach(async () => {
  server = await startNats();
  nats = createNats(server.url);
  keepStreams(
    nats,
    { shards: 1, replicas: 1, maxAgeMs: 3_600_000, maxBytes: 64 * 1024 * 1024 },
    () => undefined,
  );
  log = createScanLog({ nats });
  spoolDir = mkdtempSync(join(tmpdir(), 'spool-'));
  events = [];
  await waitUntil('the stream is there', () => log.lastPosition(0).then(() => true));
});

afterEach(async () => {
  await nats.close();
  await server.remove();
  rmSync(spoolDir, { recursive: true });
});

const openWriter = async (more: Partial<ScanWriterOptions> = {}) => {
  const writer = await openScanWriter({
    appenders: [log.appender(0)],
    clock: systemClock,
    ids,
    spoolDir,
    spoolMaxMb: 100,
    onEvent: event => events.push(event),
    ...more,
  });
  return { ...withPromises(writer), writer };
};

const count = (ledger: ReadonlyMap<string, Durability>, outcome: Durability) =>
  [...ledger.values()].filter(found => found === outcome).length;

describe('scans during failures', () => {
  test('a full log gets no appends: scans are spooled at once, and replayed when there is room', async () => {
    const { log: bounded, fill } = openBoundedLog({ nats, shards: 1, maxBytes: 10_000, measureEveryMs: 20 });
    const writer = await openWriter({ appenders: [bounded.appender(0)] });
    const ledger = new Map<string, Durability>();
    const write = async () => {
      const scan = someScan();
      const start = performance.now();
      ledger.set(scan.id, await writer.write(scan));
      return performance.now() - start;
    };
    let undisturbedMs = 0;
    while (!fill.isFull(0)) {
      undisturbedMs = Math.max(undisturbedMs, await write());
      await pause(10);
    }
    const before = count(ledger, 'logged');
    // The log may have filled up under the last write of the loop.
    const [writtenBefore, spooledBefore] = [ledger.size, count(ledger, 'spooled')];
    for (let n = 0; n < 30; n++) expect(await write()).toBeLessThan(Math.max(50, 5 * undisturbedMs));
    expect(count(ledger, 'spooled') - spooledBefore).toBe(30);
    expect(events).toContainEqual(expect.objectContaining({ kind: 'log_unhealthy' }));
    const { firstPosition, lastPosition } = await log.readState(0);
    expect(firstPosition).toBe(1);
    // Where NATS syncs each append, some may be acknowledged late: their scans are on the disk here and in the log.
    expect(lastPosition).toBeGreaterThanOrEqual(before);
    expect(lastPosition).toBeLessThanOrEqual(writtenBefore);
    const early = await readThrough(log, 0);
    await log.trim(0, lastPosition);
    await waitUntil('the spool is replayed', () => writer.spooled().bytes === 0, { timeoutMs: 10_000 });
    await writer.close();
    await fill.stop();
    const late = await readThrough(log, 0);
    expect(early.scanIds.union(late.scanIds)).toEqual(new Set(ledger.keys()));
  });

  test('if the spool fails too, a scan goes into a full log rather than being lost', async () => {
    const { log: bounded, fill } = openBoundedLog({ nats, shards: 1, maxBytes: 1, measureEveryMs: 20 });
    await log.appender(0).append(encodeBatch({ id: ids.next(), scans: [someScan()] }), 1_000);
    await waitUntil('the log is full', () => fill.isFull(0));
    const writer = await openWriter({ appenders: [bounded.appender(0)], spoolMaxMb: 0 });
    expect(await writer.write(someScan())).toBe('logged');
    expect(await writer.write(someScan())).toBe('logged');
    await writer.close();
    await fill.stop();
  });

  test('a NATS that does not answer does not delay stopping the measurement of the log', async () => {
    const { fill } = openBoundedLog({ nats, shards: 1, maxBytes: 10_000, measureEveryMs: 1 });
    await fill.measured;
    await server.kill('SIGSTOP');
    await pause(50);
    const began = performance.now();
    await fill.stop();
    expect(performance.now() - began).toBeLessThan(1_000);
    await server.kill('SIGKILL');
  });

  test('a process with enough time to stop replays everything that is spooled', async () => {
    let isAway = true;
    const writer = await openWriter({
      appenders: [
        {
          available: () => !isAway,
          append: (...given) =>
            isAway ? Promise.reject(new Error('away')) : log.appender(0).append(...given),
        },
      ],
    });
    expect(await writer.write(someScan())).toBe('spooled');
    const closing = writer.close(Number.POSITIVE_INFINITY);
    isAway = false;
    expect(await closing).toMatchObject({ segments: 0 });
    expect((await readThrough(log, 0)).scanIds.size).toBe(1);
  });

  test('20 kills of NATS under load: every scan with an outcome is in the log, and positions have no gap', {
    timeout: 300_000,
  }, async () => {
    const writer = await openWriter();
    const running = load(writer.writer, 400);
    for (let kill = 0; kill < 20; kill++) {
      await pause(150 + Math.random() * 200);
      await server.kill('SIGKILL');
      await pause(Math.random() * 300);
      await server.start();
    }
    const ledger = await running.stop();
    await waitUntil('the spool is empty', () => writer.spooled().segments === 0);
    await writer.close();
    const read = await readThrough(log, 0);

    expect(count(ledger, 'lost')).toBe(0);
    expect(count(ledger, 'logged')).toBeGreaterThan(100);
    expect(count(ledger, 'spooled')).toBeGreaterThan(100);
    const missing = [...ledger.keys()].filter(id => !read.scanIds.has(id));
    expect(missing).toEqual([]);
    expect(read.scanIds.size).toBe(ledger.size);
    expect(read.positions).toEqual(read.positions.map((_, i) => i + 1));
    // Duplicates in the log share a batch id: without them every scan is there once.
    expect(read.scansOfDistinctBatches).toBe(ledger.size);
    console.log(
      `kills 20: ${ledger.size} scans, ${count(ledger, 'logged')} logged, ${count(ledger, 'spooled')} spooled, 0 lost; ` +
        `${read.positions.length} batches in the log, ${read.distinctBatches} distinct`,
    );
  });

  test('kill of the writer while NATS is down: everything that it acknowledged is adopted and arrives', {
    timeout: 180_000,
  }, async () => {
    const child = await startWriterProcess({ natsUrl: server.url, spoolDir });
    await waitUntil('it logs', () => child.acknowledged.length > 50);
    await server.kill('SIGKILL');
    const before = child.acknowledged.length;
    await waitUntil('it spools', () => child.acknowledged.length > before + 300);
    await child.kill();
    const writer = await openWriter();
    expect(events).toMatchObject([{ kind: 'spool_adopted', segments: 1 }]);
    await server.start();
    await waitUntil('the spool is empty', () => writer.spooled().segments === 0);
    const read = await readThrough(log, 0);
    expect(child.acknowledged.filter(id => !read.scanIds.has(id))).toEqual([]);
    await writer.close();
  });

  test('a NATS that does not answer costs the first scan 100 ms, and the others only the disk', {
    timeout: 180_000,
  }, async () => {
    const writer = await openWriter();
    await waitUntil('the log is known to be near', async () => (await writer.write(someScan())) === 'logged');
    await server.kill('SIGSTOP');
    let firstMs = 0;
    // A signal takes a moment to arrive.
    await waitUntil('NATS has stopped', async () => {
      const began = performance.now();
      const outcome = await writer.write(someScan());
      firstMs = performance.now() - began;
      return outcome === 'spooled';
    });
    expect(firstMs).toBeGreaterThan(95);
    const times: number[] = [];
    for (let i = 0; i < 50; i++) {
      const at = performance.now();
      expect(await writer.write(someScan())).toBe('spooled');
      times.push(performance.now() - at);
    }
    expect(times.sort((a, b) => a - b)[25]).toBeLessThan(50);
    await server.kill('SIGCONT');
    await waitUntil('the spool is empty', () => writer.spooled().segments === 0);
    await waitUntil('scans are logged again', async () => (await writer.write(someScan())) === 'logged');
    await writer.close();
  });

  test('a full spool raises one alarm and counts, writes resolve as lost, and nothing throws', {
    timeout: 180_000,
  }, async () => {
    await server.kill('SIGKILL');
    await waitUntil('NATS is away', () => !log.appender(0).available());
    const writer = await openWriter({ spoolMaxMb: 0.1, memoryMb: 0 });
    const outcomes = await Promise.all(Array.from({ length: 3000 }, () => writer.write(someScan())));
    const lost = outcomes.filter(outcome => outcome === 'lost').length;
    expect(lost).toBeGreaterThan(500);
    expect(outcomes.filter(outcome => outcome === 'spooled').length).toBe(3000 - lost);
    expect(events.filter(({ kind }) => kind === 'spool_full').length).toBe(1);
    const counted = events.flatMap(event => (event.kind === 'lost' ? [event.scans] : []));
    expect(counted.reduce((sum, scans) => sum + scans, 0)).toBe(lost);
    await writer.close();
  });

  test('what a full spool does not take is held in memory, and is in the log when NATS is back, each scan once', {
    timeout: 180_000,
  }, async () => {
    await server.kill('SIGKILL');
    await waitUntil('NATS is away', () => !log.appender(0).available());
    const writer = await openWriter({ spoolMaxMb: 0.1 });
    const ledger = new Map<string, Durability>();
    await Promise.all(
      Array.from({ length: 3000 }, async () => {
        const scan = someScan();
        ledger.set(scan.id, await writer.write(scan));
      }),
    );
    expect([count(ledger, 'held') > 500, count(ledger, 'lost')]).toEqual([true, 0]);
    expect(writer.writer.held().scans).toBe(count(ledger, 'held'));
    await server.start();
    await waitUntil('nothing is held', () => writer.writer.held().scans === 0);
    await waitUntil('the spool is empty', () => writer.spooled().segments === 0);
    await writer.close();
    const read = await readThrough(log, 0);
    expect(read.scanIds).toEqual(new Set(ledger.keys()));
    expect(read.scansOfDistinctBatches).toBe(3000);
  });
});
