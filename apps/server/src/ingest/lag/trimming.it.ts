import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createTestDatabase } from '@signpost/testing/database.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { addCodes, batchOf, type Code, scanOf } from '@signpost/testing/scan-ledger.ts';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { createNats, type Nats } from '../../platform/nats/nats.ts';
import { measureStreams } from '../../platform/nats/stream-sizes.ts';
import { createManager } from '../../platform/nats/streams.ts';
import { createPostgres, type Postgres, sql } from '../../platform/postgres/postgres.ts';
import { openFileLog } from '../../scans/file-log/file-log.ts';
import { encodeBatch } from '../../scans/log/format/batch.ts';
import { createScanLog, type ScanLog } from '../../scans/log/scan-log.ts';
import { ensureStreams, toStreamName } from '../../scans/log/streams.ts';
import { watchStreams } from './stream-watch.ts';
import { trimFull } from './trimming.ts';

let engine: Engine;
let nats: Nats;
let db: Postgres;
let natsLog: ScanLog;
let log: Omit<ScanLog, 'appender'>;
let code: Code;

beforeAll(async () => {
  engine = await startNats();
  nats = createNats(engine.url);
  natsLog = createScanLog({ nats });
});
afterAll(async () => {
  await nats.close();
  await engine.remove();
});

const shard = { shard: 0, maxBytes: 100_000 };
const options = { shards: 1, replicas: 1, maxAgeMs: 3_600_000, maxBytes: shard.maxBytes };

beforeEach(async () => {
  log = natsLog;
  const connection = await nats.whenConnected(AbortSignal.timeout(10_000));
  await (await createManager(connection)).streams.delete(toStreamName(0)).catch(() => undefined);
  await ensureStreams(connection, options);
  const databaseUrl = await createTestDatabase();
  db = createPostgres(
    { databaseUrl, databasePooler: 'none', databasePoolSize: 2, databaseTimeoutMs: 5_000 },
    () => undefined,
  );
  [code] = (await addCodes(db, 1)) as [Code];
  return () => db.close();
});

const append = () =>
  natsLog
    .appender(0)
    .append(encodeBatch(batchOf(...Array.from({ length: 50 }, (_, n) => scanOf(code, n)))), 1_000);

/** Appends until the log is full. Returns how many appends it took. */
async function fillUp(): Promise<number> {
  for (let taken = 0; ; taken++) {
    if ((await log.readSize(0)).bytes > 0.9 * options.maxBytes) return taken;
    await append();
  }
}

/** Sets the state of a worker that has counted up to a position. */
async function counted(position: number, more: { markOf?: number; openAfter?: number } = {}): Promise<void> {
  const { createdAt } = await log.readState(0);
  const mark = await log.markAt(0, more.markOf ?? position);
  await db.query(sql('test-log', `insert into scan_logs (shard, number, created) values (0, 0, $1)`), [
    createdAt,
  ]);
  await db.query(
    sql(
      'test-position',
      `insert into ingest_positions (shard, owner, position, marked_position, mark_batch, mark_ms)
       values (0, gen_random_uuid(), $1, $1, $2, $3)`,
    ),
    [position, mark!.batchId, mark!.appendedAtMs],
  );
  if (more.openAfter !== undefined)
    await db.query(
      sql(
        'test-open',
        `insert into ingest_groups (shard, log, after_position, to_position, classifications, numbers, entries)
         values (0, 0, $1, $2, '', '', '')`,
      ),
      [more.openAfter, position],
    );
}

const first = async () => (await log.readState(0)).firstPosition;

test('in a full log the oldest counted and stored entries are trimmed', async () => {
  const taken = await fillUp();
  await counted(taken);
  const removed = await trimFull(db, log, shard);
  expect(removed).toBeGreaterThan(0.35 * taken);
  expect(removed).toBeLessThan(0.55 * taken);
  expect(await first()).toBe(removed + 1);
  // Half full now: there is nothing to trim, however often it is checked.
  expect(await trimFull(db, log, shard)).toBe(0);
});

test('entries that are not counted or not stored stay, and so does the entry that identifies the log', async () => {
  const taken = await fillUp();
  await counted(6, { openAfter: 4 });
  expect(await trimFull(db, log, shard)).toBe(3);
  expect([await first(), await log.lastPosition(0)]).toEqual([4, taken]);
  expect(await trimFull(db, log, shard)).toBe(0);
});

test('a log with a different entry at the counted position is left alone', async () => {
  const taken = await fillUp();
  await counted(taken - 1, { markOf: taken });
  expect(await trimFull(db, log, shard)).toBe(0);
  expect(await first()).toBe(1);
});

test('a log that is not counted, or that has room, is left alone', async () => {
  await fillUp();
  expect(await trimFull(db, log, shard)).toBe(0);
});

test('a log on the disk that is full has room again once it is counted, whatever its size and that of its batches', async () => {
  const root = mkdtempSync(join(tmpdir(), 'signpost-trimming-'));
  const { maxBytes } = shard;
  const fileLog = await openFileLog({ root, clock: systemClock, maxBytes });
  onTestFinished(async () => {
    await fileLog.close();
    rmSync(root, { recursive: true });
  });
  log = fileLog;
  const appendOf = (scans: number) =>
    fileLog
      .appender()
      .append(encodeBatch(batchOf(...Array.from({ length: scans }, (_, n) => scanOf(code, n)))), 1_000);
  // Most entries are in the first part, and most bytes in the rest.
  while ((await fileLog.readSize()).bytes < 0.2 * maxBytes) await appendOf(1);
  for (;;) {
    const isTaken = await appendOf(100).then(
      () => true,
      () => false,
    );
    if (!isTaken) break;
  }
  await counted(await fileLog.lastPosition(0));
  expect(await trimFull(db, fileLog, shard)).toBeGreaterThan(0);
  expect((await fileLog.readSize()).bytes).toBeLessThanOrEqual(0.5 * maxBytes);
  for (let n = 0; n < 3; n++) await appendOf(100);
});

test('a NATS that does not answer does not delay stopping the watch of the streams', async () => {
  const measured: unknown[] = [];
  const stop = watchStreams({
    db,
    log,
    maxBytes: shard.maxBytes,
    measure: async () => measureStreams(nats.connection()!, () => shard),
    metrics: { set: sizes => measured.push(sizes) },
    onTrimmed: () => undefined,
    logger: { info: () => undefined, warn: () => undefined },
    everyMs: 1,
  });
  await waitUntil('it measures', () => measured.length > 0);
  await engine.kill('SIGSTOP');
  onTestFinished(async () => {
    await engine.kill('SIGCONT');
  });
  await pause(50);
  const began = performance.now();
  await stop();
  expect(performance.now() - began).toBeLessThan(1_000);
});
