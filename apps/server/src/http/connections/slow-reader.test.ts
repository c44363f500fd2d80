import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createReaderWatch, maxReadAheadBytes } from './slow-reader.ts';

const speed = { bytesPerSecond: 1_000, graceMs: 10_000 };
let slow: number;
const watch = () => createReaderWatch(speed, () => slow++);

beforeEach(() => {
  slow = 0;
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

/** A reader who needs so long for each of some pieces, which are written in no time unless `writeMs` says more. */
async function read(pieces: number, bytes: number, readMs: number, writeMs = 0): Promise<void> {
  const reader = watch();
  for (let piece = 0; piece < pieces && slow === 0; piece++) {
    await vi.advanceTimersByTimeAsync(writeMs);
    reader.offered(bytes);
    await vi.advanceTimersByTimeAsync(readMs);
    reader.taken();
  }
  reader.stop();
}

test('a reader who takes nothing is too slow once its patience is over', async () => {
  watch().offered(1_000_000);
  await vi.advanceTimersByTimeAsync(9_999);
  expect(slow).toBe(0);
  await vi.advanceTimersByTimeAsync(2);
  expect(slow).toBe(1);
});

test('a reader just above the speed may read for hours, one just below may not', async () => {
  await read(5_000, 2_000, 1_990);
  expect(slow).toBe(0);
  await read(5_000, 2_000, 2_020);
  expect(slow).toBe(1);
});

test('what was taken ahead counts for later, up to what network buffers hold', async () => {
  const mostMs = speed.graceMs + maxReadAheadBytes;
  const reader = watch();
  reader.offered(100_000_000);
  reader.taken();
  reader.offered(10);
  await vi.advanceTimersByTimeAsync(mostMs - 1_000);
  reader.taken();
  expect(slow).toBe(0);
  reader.offered(10);
  await vi.advanceTimersByTimeAsync(1_100);
  expect(slow).toBe(1);
});

test('a steady reader above the speed whose buffer takes pieces in lumps is not too slow', async () => {
  const reader = watch();
  const lump = maxReadAheadBytes / 3;
  for (let lumps = 0; lumps < 20; lumps++) {
    for (let piece = 0; piece < 10; piece++) {
      reader.offered(lump / 10);
      if (piece === 0 && lumps > 0) await vi.advanceTimersByTimeAsync(lump / 1.05);
      reader.taken();
    }
  }
  reader.stop();
  expect(slow).toBe(0);
});

test('a reader is not blamed for the time that the writer takes, nor after the end', async () => {
  await read(20, 10, 5, 60_000);
  const reader = watch();
  reader.offered(10);
  reader.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(slow).toBe(0);
});

test('what was taken while the process was stalled still counts, some turns later', async () => {
  vi.useRealTimers();
  const reader = createReaderWatch({ bytesPerSecond: 1_000, graceMs: 20 }, () => slow++);
  reader.offered(10);
  const until = performance.now() + 200;
  while (performance.now() < until);
  for (let turns = 0; turns < 20; turns++) await turn();
  reader.taken();
  expect(slow).toBe(0);
});
