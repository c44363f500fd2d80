import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ids, someScan } from '@signpost/testing/scans.ts';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { type EncodedBatch, encodeBatch } from '../log/format/batch.ts';
import type { LogEntry } from '../log/format/entry.ts';
import { openSpool } from '../spool/spool.ts';
import { type FileLog, logDirectory, openFileLog } from './file-log.ts';

let root: string;
let logs: FileLog[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'log-'));
  logs = [];
});
afterEach(async () => {
  for (const log of logs) await log.close();
  rmSync(root, { recursive: true });
});

type Options = { readonly at?: string; readonly segmentBytes?: number; readonly maxBytes?: number };

async function opened({ at = root, ...sizes }: Options = {}): Promise<FileLog> {
  const log = await openFileLog({ root: at, clock: systemClock, maxBytes: 1e8, ...sizes });
  logs.push(log);
  return log;
}

async function closed(log: FileLog): Promise<void> {
  logs.splice(logs.indexOf(log), 1);
  await log.close();
}

const batch = () => encodeBatch({ id: ids.next(), scans: [someScan()] });
const batches = (count: number) => Array.from({ length: count }, batch);
const append = (log: FileLog, of: readonly EncodedBatch[]) =>
  Promise.all(of.map(each => log.appender().append(each, 5_000)));
const filesIn = (at = root) =>
  readdirSync(join(at, logDirectory))
    .filter(name => name.endsWith('.spool'))
    .sort()
    .map(name => join(at, logDirectory, name));

/** The entries after a position, up to and including another. */
async function read(log: FileLog, after: number, to: number): Promise<LogEntry[]> {
  const stop = new AbortController();
  const entries: LogEntry[] = [];
  for await (const entry of log.read(0, after, stop.signal)) {
    entries.push(entry);
    if (entry.position >= to) stop.abort();
  }
  return entries;
}

const idOf = (entry: LogEntry) => (entry.kind === 'batch' ? entry.batch.id : entry.kind);

test('entries are read in the order of their appends, from any position, over segments and restarts', async () => {
  const all = batches(300);
  let log = await opened({ segmentBytes: 4_000 });
  for (let from = 0; from < all.length; from += 30) {
    await append(log, all.slice(from, from + 30));
    if (from % 90 === 0) {
      await closed(log);
      log = await opened({ segmentBytes: 4_000 });
    }
  }
  expect(filesIn().length).toBeGreaterThan(5);
  for (const after of [0, 1, 29, 150, 298]) {
    const entries = await read(log, after, 300);
    expect(entries.map(({ position }) => position)).toEqual(
      Array.from({ length: 300 - after }, (_, index) => after + index + 1),
    );
    expect(entries.map(idOf)).toEqual(all.slice(after).map(({ id }) => id));
  }
  expect(await log.readState()).toMatchObject({ firstPosition: 1, lastPosition: 300 });
  expect((await log.markAt(0, 77))?.batchId).toBe(all[76]!.id);
  expect(await log.markAt(0, 301)).toBeNull();
});

test('a reader waits for the next append', async () => {
  const log = await opened();
  const first = batch();
  const reading = read(log, 0, 1);
  await append(log, [first]);
  expect((await reading).map(idOf)).toEqual([first.id]);
});

test('a copy of the files at any moment after the ack has the batch, whatever was being written', async () => {
  const log = await opened({ segmentBytes: 3_000 });
  const acked: string[] = [];
  let isDone = false;
  const copies: { readonly at: string; readonly acked: readonly string[] }[] = [];
  const copying = (async () => {
    while (!isDone) {
      const before = [...acked];
      const at = mkdtempSync(join(tmpdir(), 'log-copy-'));
      cpSync(join(root, logDirectory), join(at, logDirectory), {
        recursive: true,
        filter: source => !source.endsWith('lock'),
      });
      copies.push({ at, acked: before });
      await new Promise(resolve => setTimeout(resolve, 5));
    }
  })();
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      // A fast disk has written all of them before the second copy: some more then.
      for (let n = 0; n < 15 || (copies.length < 4 && n < 1_000); n++) {
        const one = batch();
        await log.appender().append(one, 5_000);
        acked.push(one.id);
      }
    }),
  );
  isDone = true;
  await copying;
  expect(copies.length).toBeGreaterThan(3);
  for (const copy of copies) {
    const other = await opened({ at: copy.at });
    const last = await other.lastPosition(0);
    const found = last > 0 ? new Set((await read(other, 0, last)).map(idOf)) : new Set();
    expect(copy.acked.filter(id => !found.has(id))).toEqual([]);
    await closed(other);
    rmSync(copy.at, { recursive: true });
  }
});

test('a file that was cut off anywhere has all records before the cut, and the next append follows them', async () => {
  const log = await opened();
  const all = batches(10);
  await append(log, all);
  const [file] = filesIn();
  const whole = readFileSync(file!);
  await closed(log);
  const recordBytes = whole.length / 10;
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: whole.length }), async cut => {
      writeFileSync(file!, whole.subarray(0, cut));
      const kept = Math.floor(cut / recordBytes);
      const reopened = await opened();
      const next = batch();
      await append(reopened, [next]);
      expect(await reopened.lastPosition(0)).toBe(kept + 1);
      expect((await read(reopened, 0, kept + 1)).map(idOf)).toEqual([
        ...all.slice(0, kept).map(({ id }) => id),
        next.id,
      ]);
      await closed(reopened);
      for (const other of filesIn()) if (other !== file) rmSync(other);
    }),
    { numRuns: 60 },
  );
});

test('zeros and garbage after the last record are cut off', async () => {
  const log = await opened();
  await append(log, batches(2));
  const [file] = filesIn();
  const whole = readFileSync(file!);
  await closed(log);
  for (const rest of [Buffer.alloc(4_096), Buffer.from('garbage that is no record')]) {
    writeFileSync(file!, whole);
    appendFileSync(file!, rest);
    const reopened = await opened();
    expect(await reopened.lastPosition(0)).toBe(2);
    await closed(reopened);
  }
});

test('a damaged record keeps its position, and those after it are read', async () => {
  const log = await opened();
  const all = batches(3);
  await append(log, all);
  await closed(log);
  const [file] = filesIn();
  const bytes = readFileSync(file!);
  // In the second record, behind its header.
  bytes[Math.floor(bytes.length / 3) + 40]! ^= 0xff;
  writeFileSync(file!, bytes);
  expect((await read(await opened(), 0, 3)).map(idOf)).toEqual([all[0]!.id, 'unreadable', all[2]!.id]);
});

test('trimming removes whole segments before a position, and what was not read is reported as missing', async () => {
  const log = await opened({ segmentBytes: 2_000 });
  for (const one of batches(60)) await append(log, [one]);
  const removed = await log.trim(0, 31);
  expect(removed).toBeGreaterThan(10);
  expect(removed).toBeLessThanOrEqual(30);
  expect((await log.readSize()).firstPosition).toBe(removed + 1);
  const [missing, next] = await read(log, 5, removed + 1);
  expect(missing).toEqual({ kind: 'missing', position: removed, count: removed - 5 });
  expect(next?.position).toBe(removed + 1);
  await log.trim(0, 61);
  await closed(log);
  // The last segment stays: it says where the positions go on.
  const reopened = await opened();
  await append(reopened, batches(1));
  expect(await reopened.lastPosition(0)).toBe(61);
});

test('what is older than the limit may be trimmed, segment by segment', async () => {
  let nowMs = 1_000_000;
  const clock = { now: () => new Date(nowMs) };
  const log = await openFileLog({ root, clock, maxBytes: 1e8, segmentBytes: 1 });
  logs.push(log);
  for (let n = 0; n < 4; n++, nowMs += 1_000) await append(log, batches(1));
  expect(log.keepFrom(1_000_000)).toBe(1);
  expect(log.keepFrom(1_001_001)).toBe(2);
  expect(log.keepFrom(9_000_000)).toBe(4);
});

test('a log never exceeds its limit, also by batches that arrive at once, and is available while it is full', async () => {
  const maxBytes = 20_000;
  const log = await opened({ maxBytes });
  const outcomes = await Promise.allSettled(batches(500).map(one => log.appender().append(one, 1_000)));
  const { bytes } = await log.readSize();
  expect(bytes).toBeLessThanOrEqual(maxBytes);
  expect(bytes).toBeGreaterThan(0.9 * maxBytes);
  expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBe(await log.lastPosition(0));
  await expect(log.appender().append(batch(), 1_000, { evenIfFull: true })).rejects.toMatchObject({
    fault: 'full',
  });
  expect(log.appender().available()).toBe(true);
});

test('a log that is another, or ends too early, is not read on from its position', async () => {
  const log = await opened();
  const all = batches(3);
  await append(log, all);
  const { createdAt } = await log.readState();
  const mark = await log.markAt(0, 2);
  const { signal } = new AbortController();
  const first = (after: number, known: Parameters<FileLog['read']>[3]) =>
    log.read(0, after, signal, known).next();
  expect((await first(2, { createdAt, mark })).value).toMatchObject({ position: 3 });
  await expect(first(2, { createdAt: '2020-01-01T00:00:00.000Z' })).rejects.toMatchObject({
    fault: 'replaced',
  });
  await expect(first(4, { createdAt })).rejects.toMatchObject({ fault: 'replaced' });
  await expect(first(1, { createdAt, mark })).rejects.toMatchObject({ fault: 'replaced' });
  const extent = async () => ({ reached: null, acked: 7 });
  await expect(first(2, { createdAt, extent })).rejects.toMatchObject({ fault: 'replaced' });
});

test('only one process has the log; when it has ended, a spool adopts its segments', async () => {
  const log = await opened();
  const all = batches(5);
  await append(log, all);
  await expect(openFileLog({ root, clock: systemClock, maxBytes: 1e8 })).rejects.toThrow(/in use/);
  const beside = await openSpool({ dir: root, maxBytes: 1e8, clock: systemClock });
  expect(beside.stats().segments).toBe(0);
  const { createdAt } = await log.readState();
  await closed(log);
  await beside.adopt();
  expect(beside.stats()).toMatchObject({ segments: 1, scans: 5 });
  await beside.close();
  // The directory is there, but its entries are not: it is another log.
  expect((await (await opened()).readState()).createdAt).not.toBe(createdAt);
});
