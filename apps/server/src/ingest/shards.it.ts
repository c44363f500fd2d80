import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { createTestDatabase } from '@signpost/testing/database.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { addCodes, batchOf, countedIn, expectedCounts, scanOf } from '@signpost/testing/scan-ledger.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createNats, type Nats } from '../platform/nats/nats.ts';
import { createPostgres, sql } from '../platform/postgres/postgres.ts';
import { markUsedUp } from '../qrcodes/targets/used-up.ts';
import { encodeBatch } from '../scans/log/format/batch.ts';
import { createReaderAnnouncement } from '../scans/log/readers.ts';
import { createScanLog } from '../scans/log/scan-log.ts';
import { ensureStreams, toStreamName } from '../scans/log/streams.ts';
import type { ScanBatch } from '../scans/scan.ts';
import { createPostgresRows } from '../scans/stores/postgres/postgres-rows.ts';
import { measureLag } from './lag/lag.ts';
import { readOwnership } from './ownership.ts';
import { createIngest } from './service.ts';
import { createShardWorkers } from './shards.ts';

let server: Engine;
let nats: Nats;
const logger = { info() {}, warn() {}, error: console.error };
const options = { shards: 4, replicas: 1, maxAgeMs: 3_600_000, maxBytes: 64 * 1024 * 1024 };

beforeAll(async () => {
  server = await startNats();
  nats = createNats(server.url);
  await ensureStreams(await nats.whenConnected(AbortSignal.timeout(10_000)), options);
});
afterAll(async () => {
  await nats?.close();
  await server?.remove();
});

test('every scan stream has a worker, also those beyond SCAN_SHARDS and those created later', async () => {
  const databaseUrl = await createTestDatabase();
  const db = createPostgres(
    { databaseUrl, databasePooler: 'none', databasePoolSize: 8, databaseTimeoutMs: 5_000 },
    () => undefined,
  );
  onTestFinished(() => db.close());
  const [code] = await addCodes(db, 1);
  const log = createScanLog({ nats });
  const batches = Array.from({ length: 7 }, (_, n) => batchOf(scanOf(code!, n)));
  const append = async (shard: number) => log.appender(shard).append(encodeBatch(batches[shard]!), 1_000);
  for (const shard of [0, 1, 2, 3]) await append(shard);

  // Before any worker: the age of the stream shows how long it has had none.
  const idle = await measureLag(db, log, Date.now() + 60_000);
  expect(idle.map(({ shard, entries }) => [shard, entries])).toEqual([0, 1, 2, 3].map(shard => [shard, 1]));
  for (const { silentSeconds } of idle) expect(silentSeconds).toBeGreaterThan(59);

  const workers = createShardWorkers({
    shards: () => log.shards(),
    minShards: 1,
    create: shard =>
      createIngest({
        markUsedUp,
        db,
        rows: createPostgresRows(db),
        log,
        shard,
        logger,
        limits: { groupMs: 10 },
      }),
    logger,
    everyMs: 100,
  });
  workers.start();
  onTestFinished(() => workers.stop());
  const counts = async (some: typeof batches) =>
    waitUntil(`${some.length} are counted`, async () => {
      const { total = 0 } = (await countedIn(db))[code!.id] ?? {};
      return total === some.length;
    });
  await counts(batches.slice(0, 4));
  await ensureStreams(nats.connection()!, { ...options, shards: 7 });
  for (const shard of [4, 5, 6]) await append(shard);
  await counts(batches);
  expect(await countedIn(db)).toEqual(expectedCounts(batches));
  for (const { silentSeconds, entries } of await measureLag(db, log, Date.now())) {
    expect(silentSeconds).toBeLessThan(5);
    expect(entries).toBe(0);
  }

  // A deleted stream needs no worker any more: its shard is released.
  await (await jetstreamManager(nats.connection()!)).streams.delete(toStreamName(5));
  const owner = sql('test-owner', 'select owner from ingest_positions where shard = 5');
  await waitUntil('its worker has left', async () => {
    const [row] = await db.query<{ owner: string | null }>(owner);
    return row?.owner === null;
  });
});

test('two processes share the shards; if one ends the other has all of them, and nothing is counted twice', async () => {
  const databaseUrl = await createTestDatabase();
  const db = createPostgres(
    { databaseUrl, databasePooler: 'none', databasePoolSize: 8, databaseTimeoutMs: 5_000 },
    () => undefined,
  );
  onTestFinished(() => db.close());
  const [code] = await addCodes(db, 1);
  const log = createScanLog({ nats });
  const shards = [0, 1, 2, 3];
  const start = async () => {
    const owner = randomUUID();
    const announcement = createReaderAnnouncement(db, owner);
    await announcement.job.run(AbortSignal.timeout(1_000));
    const workers = createShardWorkers({
      shards: async () => shards,
      minShards: shards.length,
      create: shard =>
        createIngest({
          markUsedUp,
          db,
          rows: createPostgresRows(db),
          log,
          shard,
          owner,
          logger,
          limits: { groupMs: 10 },
        }),
      ownership: () => readOwnership(db, owner),
      logger,
      everyMs: 50,
    });
    workers.start();
    return { owner, workers, announcement };
  };
  const own = async ({ owner }: { owner: string }) => (await readOwnership(db, owner)).own.length;
  const batches: ScanBatch[] = [];
  const appending = new AbortController();
  const appended = (async () => {
    while (!appending.signal.aborted) {
      const batch = batchOf(scanOf(code!, batches.length % 50));
      batches.push(batch);
      await log.appender(batches.length % shards.length).append(encodeBatch(batch), 1_000);
      await pause(2);
    }
  })();
  const one = await start();
  await waitUntil('one has all', async () => (await own(one)) === 4);
  const two = await start();
  await waitUntil('each has half', async () => (await own(one)) === 2 && (await own(two)) === 2);
  await one.workers.stop();
  await one.announcement.withdraw();
  await waitUntil('the other has all', async () => (await own(two)) === 4);
  appending.abort();
  await appended;
  const sent = batches.length;
  await waitUntil('all are counted', async () => ((await countedIn(db))[code!.id]?.total ?? 0) >= sent);
  await two.workers.stop();
  // The streams also hold what the test before has sent, of a code that this database does not know.
  expect(await countedIn(db)).toEqual(expectedCounts(batches));
});
