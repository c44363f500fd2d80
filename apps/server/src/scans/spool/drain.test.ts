import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { ids, someScan } from '@signpost/testing/scans.ts';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { type EncodedBatch, encodeBatch } from '../log/format/batch.ts';
import { readSpoolContents } from './contents.ts';
import { isSpoolInUse } from './directory.ts';
import { loadSpoolId } from './id.ts';
import { drainSpool, replaySpool } from './replay.ts';
import { openSpool, type Spool } from './spool.ts';

let root: string;
let spool: Spool;

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'spool-'));
  spool = await open();
});

afterEach(async () => {
  await spool.close();
  rmSync(root, { recursive: true });
});

const open = () => openSpool({ dir: root, maxBytes: 1e8, clock: systemClock, segmentBytes: 1_000 });
const batch = (scans = 1) =>
  encodeBatch({ id: ids.next(), scans: Array.from({ length: scans }, () => someScan()) });
const newer = (): EncodedBatch => {
  const { id, bytes } = batch();
  return { id, bytes: Uint8Array.from(bytes).fill(9, 0, 1) };
};
const never = new AbortController().signal;

describe('draining', () => {
  test('ends when nothing is left that can be sent, and leaves batches of a newer version', async () => {
    for (let n = 0; n < 10; n++) await spool.append(batch(20));
    await spool.append(newer());
    const sent: string[] = [];
    const send = async ({ id }: EncodedBatch) => void sent.push(id);
    await drainSpool({ spool, send, signal: never, idleTimeoutMs: 5_000 });
    expect(new Set(sent).size).toBe(10);
    expect(spool.stats()).toMatchObject({ segments: 1, scans: 0 });
  });

  test.each([
    ['refuses', () => Promise.reject(new Error('no ack'))],
    ['is silent', () => new Promise<void>(() => undefined)],
  ])('gives up on a log that %s, and keeps everything', async (_, send) => {
    await spool.append(batch(3));
    const began = performance.now();
    await drainSpool({ spool, send, signal: never, idleTimeoutMs: 100 });
    expect(performance.now() - began).toBeLessThan(2_000);
    expect(spool.stats()).toMatchObject({ segments: 1, scans: 3 });
  });

  test('continues for as long as the log acks, and ends with the signal', async () => {
    for (let n = 0; n < 8; n++) await spool.append(batch(20));
    const ending = new AbortController();
    let sent = 0;
    const send = () =>
      new Promise<void>(resolve => {
        if (++sent === 5) ending.abort();
        setTimeout(resolve, 100);
      });
    // Less than five sends take, and far more than one takes.
    await drainSpool({ spool, send, signal: ending.signal, idleTimeoutMs: 390 });
    expect(sent).toBe(5);
    expect(spool.stats().scans).toBe(80);
  });

  test('leaves no timer running when an ack comes after its end', async () => {
    await spool.append(batch());
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const ending = new AbortController();
    const acked = Promise.withResolvers<void>();
    const send = () => {
      ending.abort();
      return acked.promise;
    };
    await drainSpool({ spool, send, signal: ending.signal, idleTimeoutMs: 15_000 });
    acked.resolve();
    await turn();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a directory of spools', () => {
  test('is adopted from a dead process, also while the log is down', async () => {
    await spool.append(batch(2));
    const ending = new AbortController();
    const replaying = replaySpool({
      spool,
      send: () => Promise.reject(new Error('full')),
      available: () => true,
      busy: () => false,
      signal: ending.signal,
      adoptEveryMs: 20,
    });
    const other = await open();
    await other.append(batch(3));
    await other.close();
    await waitUntil('it is taken over', () => spool.stats().scans === 5);
    ending.abort();
    await replaying;
  });

  test('reports its contents, written or adopted, and whether a process uses it', async () => {
    for (let n = 0; n < 3; n++) await spool.append(batch(20));
    expect(await isSpoolInUse(root)).toBe(true);
    await spool.close();
    expect(await isSpoolInUse(root)).toBe(false);
    const contents = await readSpoolContents(root);
    expect(contents).toMatchObject({ batches: 3, scans: 60 });
    spool = await open();
    expect(spool.stats()).toMatchObject({
      scans: 60,
      segments: contents.segments,
      oldestAtMs: contents.oldestAtMs,
    });
  });

  test('has one id for all processes', async () => {
    const names = await Promise.all(Array.from({ length: 8 }, () => loadSpoolId(root)));
    expect(await loadSpoolId(root)).toBe(await loadSpoolId(root));
    expect(names).toContain(await loadSpoolId(root));
  });
});
