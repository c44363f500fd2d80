import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ciScale } from '@signpost/testing/ci-scale.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { ids, someScan } from '@signpost/testing/scans.ts';
import { mountSmallDisk, type SmallDisk } from '@signpost/testing/small-disk.ts';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { type EncodedBatch, encodeBatch } from '../log/format/batch.ts';
import { openSpool, type SpoolEvent } from '../spool/spool.ts';
import { type FileLog, logDirectory, openFileLog } from './file-log.ts';

const rounds = ciScale(6, 2);

function smallDisk(...given: Parameters<typeof mountSmallDisk>): SmallDisk {
  const disk = mountSmallDisk(...given);
  onTestFinished(() => disk.remove());
  return disk;
}

const openLog = (root: string) =>
  openFileLog({ root, clock: systemClock, maxBytes: 1e8, segmentBytes: 30_000 });
const batch = (scans: number) =>
  encodeBatch({ id: ids.next(), scans: Array.from({ length: scans }, () => someScan()) });
const segments = (root: string) =>
  readdirSync(join(root, logDirectory)).filter(name => name.endsWith('.spool'));

async function idsIn(log: FileLog): Promise<string[]> {
  const last = await log.lastPosition(0);
  const stop = new AbortController();
  const found: string[] = [];
  for await (const entry of log.read(0, 0, stop.signal)) {
    found.push(entry.kind === 'batch' ? entry.batch.id : entry.kind);
    if (entry.position === last) stop.abort();
  }
  return found;
}

test('a disk that is full at any write keeps every acked batch and nothing of the others, then and after a restart', async () => {
  const disk = smallDisk(400);
  let log = await openLog(disk.dir);
  const acked: string[] = [];
  let refused = 0;
  const append = async (one: EncodedBatch) => {
    await log
      .appender()
      .append(one, 5_000)
      .then(
        () => acked.push(one.id),
        error => {
          refused++;
          if (error.fault !== 'away') expect(error.code).toBe('ENOSPC');
        },
      );
  };
  for (let round = 0; round < rounds; round++) {
    // From a whole page to a part of one: the write fails at its beginning, or in its middle.
    const before = refused;
    disk.fill();
    while (refused === before) await append(batch(1 + 7 * round));
    expect(log.appender().available()).toBe(false);
    const filesWhileFull = segments(disk.dir).length;
    await waitUntil('it is tried again', () => log.appender().available());
    await append(batch(40));
    expect(segments(disk.dir).length).toBeLessThanOrEqual(filesWhileFull);
    disk.clear();
    await waitUntil('it may be tried again', () => log.appender().available());
    await Promise.all(Array.from({ length: 5 }, () => append(batch(1))));
    expect(await idsIn(log)).toEqual(acked);
    if (round % 2 === 1) {
      disk.fill();
      await log.close();
      log = await openLog(disk.dir);
      disk.clear();
      expect(await idsIn(log)).toEqual(acked);
    }
  }
  await log.close();
  expect(refused).toBeGreaterThanOrEqual(2 * rounds);
});

test('the last segment stays while a new one cannot be written: the log goes on at its position', async () => {
  const disk = smallDisk(400);
  let onStart = () => undefined as unknown;
  const clock = {
    now() {
      queueMicrotask(onStart);
      return systemClock.now();
    },
  };
  const log = await openFileLog({ root: disk.dir, clock, maxBytes: 1e8, segmentBytes: 1 });
  for (let n = 0; n < 3; n++) await log.appender().append(batch(1), 5_000);
  // Everything is counted, and trimmed in the moment in which the next segment is started.
  let trimmed = Promise.resolve(0);
  onStart = () => {
    trimmed = log.trim(0, 4);
  };
  disk.fill();
  await expect(log.appender().append(batch(100), 5_000)).rejects.toMatchObject({ code: 'ENOSPC' });
  expect([await trimmed, await log.lastPosition(0)]).toEqual([2, 3]);
  onStart = () => undefined;
  disk.clear();
  await waitUntil('it may be tried again', () => log.appender().available());
  await log.appender().append(batch(1), 5_000);
  expect(await log.lastPosition(0)).toBe(4);
  await log.close();
});

test('a full disk takes the reserve, once, and the batch that filled it is acked', async () => {
  const disk = smallDisk(400);
  const log = await openLog(disk.dir);
  writeFileSync(join(disk.dir, 'reserve'), Buffer.alloc(100_000, 'x'));
  disk.fill();
  await log.appender().append(batch(100), 5_000);
  expect(readdirSync(disk.dir)).not.toContain('reserve');
  disk.fill();
  await expect(log.appender().append(batch(300), 5_000)).rejects.toMatchObject({ code: 'ENOSPC' });
  await log.close();
});

test('a spool opens on a disk without room for another file, refuses, and works once there is room', async () => {
  const disk = smallDisk(400, { files: 5 });
  for (const name of ['a', 'b', 'c', 'd']) writeFileSync(join(disk.dir, name), '');
  const events: SpoolEvent[] = [];
  const spool = await openSpool({
    dir: disk.dir,
    maxBytes: 1e6,
    clock: systemClock,
    onEvent: event => events.push(event),
  });
  expect(await spool.append(batch(1))).toBe('refused');
  expect(new Set(events.map(({ kind }) => kind))).toEqual(new Set(['spool_failed']));
  for (const name of ['a', 'b', 'c', 'd']) rmSync(join(disk.dir, name));
  await waitUntil('it takes batches', async () => (await spool.append(batch(1))) === 'spooled');
  await spool.close();
});
