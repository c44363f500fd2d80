import { createMemoryLog, entryOf } from '@signpost/testing/file-scan-log.ts';
import { batchOf, scanOf } from '@signpost/testing/scan-ledger.ts';
import { expect, test } from 'vitest';
import type { LogEntry } from '../scans/log/format/entry.ts';
import { createLogBuffer } from './log-buffer.ts';

const code = {
  id: '019a8422-7c00-7000-8000-000000000001',
  accountId: '019a8422-7c00-7000-8000-000000000002',
};
const batch = (scans: number) => batchOf(...Array.from({ length: scans }, (_, n) => scanOf(code, n)));
const positions = (entries: readonly { readonly position: number }[]) => entries.map(entry => entry.position);

function open(afterPosition = 0, most = 100) {
  const log = createMemoryLog();
  const stop = new AbortController();
  return { log, stop, buffer: createLogBuffer(log, 0, afterPosition, most, stop.signal) };
}

test('a group is filled up to its limit, and an entry is never split', async () => {
  const { log, buffer, stop } = open();
  log.append(batch(4), batch(4), batch(4), batch(20), batch(0));
  expect(positions(await buffer.next(10, 50))).toEqual([1, 2]);
  expect(positions(await buffer.next(10, 50))).toEqual([3]);
  expect(positions(await buffer.next(10, 50))).toEqual([4]);
  expect(positions(await buffer.next(10, 20))).toEqual([5]);
  stop.abort();
});

test('a group waits for its first entry, and then only briefly for more', async () => {
  const { log, buffer, stop } = open();
  const group = buffer.next(1_000, 20);
  log.append(batch(1));
  log.append(batch(1));
  expect(positions(await group)).toEqual([1, 2]);
  stop.abort();
});

test('no more is read ahead than fits, and reading continues when there is room', async () => {
  const { log, buffer, stop } = open(0, 10);
  for (let n = 0; n < 50; n++) log.append(batch(5));
  const seen: number[] = [];
  while (seen.length < 50) {
    const entries = await buffer.next(10, 5);
    expect(entries.length).toBeLessThanOrEqual(2);
    seen.push(...positions(entries));
  }
  expect(seen).toEqual(Array.from({ length: 50 }, (_, n) => n + 1));
  stop.abort();
});

test('entries that were read before the log failed are returned first', async () => {
  const log = {
    async *read() {
      yield entryOf(7, batch(1));
      yield entryOf(8, batch(1));
      throw new Error('the log was replaced');
    },
  };
  const buffer = createLogBuffer(log, 0, 6, 100, new AbortController().signal);
  expect(positions(await buffer.next(1, 5))).toEqual([7]);
  expect(positions(await buffer.next(1, 5))).toEqual([8]);
  await expect(buffer.next(1, 5)).rejects.toThrow('the log was replaced');
});

test('the end of the log, its failure and the signal wake waiting calls', async () => {
  const failing = {
    // biome-ignore lint/correctness/useYield: it fails before it has anything to give
    async *read(): AsyncGenerator<LogEntry> {
      throw new Error('connection lost');
    },
  };
  const broken = createLogBuffer(failing, 0, 0, 100, new AbortController().signal);
  await expect(broken.next(1, 5)).rejects.toThrow('connection lost');
  const { buffer, stop } = open();
  const waiting = buffer.next(1, 5);
  stop.abort(new Error('the process ends'));
  await expect(waiting).rejects.toThrow('the process ends');
});
