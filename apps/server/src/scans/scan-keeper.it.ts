import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { load } from '../../../../test/support/load.ts';
import { readThrough } from '../../../../test/support/scan-log.ts';
import { ids, someScan } from '../../../../test/support/scans.ts';
import { startWriterProcess } from '../../../../test/support/writer-process.ts';
import type { Engine } from '../../../../tools/engines/engine.ts';
import { startNats } from '../../../../tools/engines/nats.ts';
import { waitUntil } from '../../../../tools/engines/wait.ts';
import { systemClock } from '../kernel/clock.ts';
import { createNats, type Nats } from '../platform/nats.ts';
import { sealBatch } from './batch.ts';
import type { Kept } from './batch-keeper.ts';
import { openBoundedLog } from './bounded-log.ts';
import { type KeeperEvent, type KeeperOptions, openScanKeeper } from './scan-keeper.ts';
import { createScanLog, type ScanLog } from './scan-log.ts';
import { keepStreams } from './scan-streams.ts';

let server: Engine;
let nats: Nats;
let log: ScanLog;
let spoolDir: string;
let events: KeeperEvent[];

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

const openKeeper = (more: Partial<KeeperOptions> = {}) =>
  openScanKeeper({
    log,
    clock: systemClock,
    ids,
    spoolDir,
    spoolMaxMb: 100,
    onEvent: event => events.push(event),
    ...more,
  });

const count = (ledger: ReadonlyMap<string, Kept>, kept: Kept) =>
  [...ledger.values()].filter(is => is === kept).length;

describe('scans while things break', () => {
  test('to a full log nobody appends: scans are spooled at once, and sent on when there is room', async () => {
    const { log: bounded, fill } = openBoundedLog({ nats, shard: 0, maxBytes: 10_000, lookEveryMs: 20 });
    const keeper = await openKeeper({ log: bounded });
    const ledger = new Map<string, Kept>();
    const write = async () => {
      const scan = someScan();
      const start = performance.now();
      ledger.set(scan.id, await keeper.write(scan));
      return performance.now() - start;
    };
    let undisturbedMs = 0;
    while (!fill.isFull()) {
      undisturbedMs = Math.max(undisturbedMs, await write());
      await pause(10);
    }
    const before = count(ledger, 'logged');
    for (let n = 0; n < 30; n++) expect(await write()).toBeLessThan(Math.max(50, 5 * undisturbedMs));
    expect(count(ledger, 'spooled')).toBe(30);
    expect(events).toContainEqual(expect.objectContaining({ kind: 'log_doubted' }));
    expect(await log.stateOf(0)).toMatchObject({ firstPosition: 1, lastPosition: before });
    const early = await readThrough(log, 0);
    await log.trim(0, before);
    await waitUntil('the spool is sent on', () => keeper.spooled().bytes === 0, { timeoutMs: 10_000 });
    await keeper.close();
    await fill.stop();
    const late = await readThrough(log, 0);
    expect(early.scanIds.union(late.scanIds)).toEqual(new Set(ledger.keys()));
  });

  test('where the spool takes nothing either, a scan goes into a full log rather than nowhere', async () => {
    const { log: bounded, fill } = openBoundedLog({ nats, shard: 0, maxBytes: 1, lookEveryMs: 20 });
    await log.append(sealBatch({ id: ids.next(), scans: [someScan()] }), 1_000);
    await waitUntil('the log is full', fill.isFull);
    const keeper = await openKeeper({ log: bounded, spoolMaxMb: 0 });
    expect(await keeper.write(someScan())).toBe('logged');
    expect(await keeper.write(someScan())).toBe('logged');
    await keeper.close();
    await fill.stop();
  });

  test('a NATS that has stopped answering does not delay the end of the looks at the log', async () => {
    const { fill } = openBoundedLog({ nats, shard: 0, maxBytes: 10_000, lookEveryMs: 1 });
    await fill.looked;
    await server.kill('SIGSTOP');
    await pause(50);
    const began = performance.now();
    await fill.stop();
    expect(performance.now() - began).toBeLessThan(1_000);
    await server.kill('SIGKILL');
  });

  test('a process that may take its time to end sends on all that is spooled', async () => {
    let isAway = true;
    const keeper = await openKeeper({
      log: {
        available: () => !isAway,
        append: (...given) => (isAway ? Promise.reject(new Error('away')) : log.append(...given)),
      },
    });
    expect(await keeper.write(someScan())).toBe('spooled');
    const closing = keeper.close(Number.POSITIVE_INFINITY);
    isAway = false;
    expect(await closing).toMatchObject({ segments: 0 });
    expect((await readThrough(log, 0)).scanIds.size).toBe(1);
  });

  test('20 kills of NATS under load: every scan that was answered is in the log, and positions have no gap', {
    timeout: 300_000,
  }, async () => {
    const keeper = await openKeeper();
    const running = load(keeper, 400);
    for (let kill = 0; kill < 20; kill++) {
      await pause(150 + Math.random() * 200);
      await server.kill('SIGKILL');
      await pause(Math.random() * 300);
      await server.start();
    }
    const ledger = await running.stop();
    await waitUntil('the spool is empty', () => keeper.spooled().segments === 0);
    await keeper.close();
    const read = await readThrough(log, 0);

    expect(count(ledger, 'lost')).toBe(0);
    expect(count(ledger, 'logged')).toBeGreaterThan(100);
    expect(count(ledger, 'spooled')).toBeGreaterThan(100);
    const missing = [...ledger.keys()].filter(id => !read.scanIds.has(id));
    expect(missing).toEqual([]);
    expect(read.scanIds.size).toBe(ledger.size);
    expect(read.positions).toEqual(read.positions.map((_, i) => i + 1));
    // Whatever is in the log twice is there under one batch id: without the repetitions every scan is there once.
    expect(read.scansOfDistinctBatches).toBe(ledger.size);
    console.log(
      `kills 20: ${ledger.size} scans, ${count(ledger, 'logged')} logged, ${count(ledger, 'spooled')} spooled, 0 lost; ` +
        `${read.positions.length} batches in the log, ${read.distinctBatches} distinct`,
    );
  });

  test('kill of the writer while NATS is away: all it has acknowledged is adopted and arrives', {
    timeout: 180_000,
  }, async () => {
    const writer = await startWriterProcess({ natsUrl: server.url, spoolDir });
    await waitUntil('it logs', () => writer.acknowledged.length > 50);
    await server.kill('SIGKILL');
    const before = writer.acknowledged.length;
    await waitUntil('it spools', () => writer.acknowledged.length > before + 300);
    await writer.kill();
    const keeper = await openKeeper();
    expect(events).toMatchObject([{ kind: 'spool_adopted', segments: 1 }]);
    await server.start();
    await waitUntil('the spool is empty', () => keeper.spooled().segments === 0);
    const read = await readThrough(log, 0);
    expect(writer.acknowledged.filter(id => !read.scanIds.has(id))).toEqual([]);
    await keeper.close();
  });

  test('a NATS that has stopped answering costs the first scan 100 ms, and the others only the disk', {
    timeout: 180_000,
  }, async () => {
    const keeper = await openKeeper();
    expect(await keeper.write(someScan())).toBe('logged');
    await server.kill('SIGSTOP');
    let firstMs = 0;
    // A signal takes its time to arrive.
    await waitUntil('NATS has stopped', async () => {
      const began = performance.now();
      const kept = await keeper.write(someScan());
      firstMs = performance.now() - began;
      return kept === 'spooled';
    });
    expect(firstMs).toBeGreaterThan(95);
    const times: number[] = [];
    for (let i = 0; i < 50; i++) {
      const at = performance.now();
      expect(await keeper.write(someScan())).toBe('spooled');
      times.push(performance.now() - at);
    }
    expect(times.sort((a, b) => a - b)[25]).toBeLessThan(50);
    await server.kill('SIGCONT');
    await waitUntil('the spool is empty', () => keeper.spooled().segments === 0);
    await waitUntil('scans are logged again', async () => (await keeper.write(someScan())) === 'logged');
    await keeper.close();
  });

  test('a full spool raises one alarm and counts, writes resolve as lost, and nothing throws', {
    timeout: 180_000,
  }, async () => {
    await server.kill('SIGKILL');
    await waitUntil('NATS is away', () => !log.available());
    const keeper = await openKeeper({ spoolMaxMb: 0.1 });
    const kept = await Promise.all(Array.from({ length: 3000 }, () => keeper.write(someScan())));
    const lost = kept.filter(is => is === 'lost').length;
    expect(lost).toBeGreaterThan(500);
    expect(kept.filter(is => is === 'spooled').length).toBe(3000 - lost);
    expect(events.filter(({ kind }) => kind === 'spool_full').length).toBe(1);
    const counted = events.flatMap(event => (event.kind === 'lost' ? [event.scans] : []));
    expect(counted.reduce((sum, scans) => sum + scans, 0)).toBe(lost);
    await keeper.close();
  });
});
