import { jetstreamManager } from '@nats-io/jetstream';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startMigratedClickHouse } from '../../../../test/support/clickhouse.ts';
import { createTestDatabase } from '../../../../test/support/database.ts';
import { addCodes, batchOf, countedIn, scanOf, tallyOf } from '../../../../test/support/scan-ledger.ts';
import type { Engine } from '../../../../tools/engines/engine.ts';
import { startNats } from '../../../../tools/engines/nats.ts';
import { waitUntil } from '../../../../tools/engines/wait.ts';
import type { ClickHouse } from '../platform/clickhouse.ts';
import { createNats, type Nats } from '../platform/nats.ts';
import { createPostgres, sql } from '../platform/postgres.ts';
import { sealBatch } from '../scans/batch.ts';
import { createScanLog } from '../scans/scan-log.ts';
import { ensureStreams, streamOf } from '../scans/scan-streams.ts';
import { measureLag } from './lag.ts';
import { createIngest } from './service.ts';
import { createShardWorkers } from './shards.ts';

let server: Engine;
let engine: Engine;
let clickhouse: ClickHouse;
let nats: Nats;
const logger = { info() {}, warn() {}, error: console.error };
const options = { shards: 4, replicas: 1, maxAgeMs: 3_600_000, maxBytes: 64 * 1024 * 1024 };

beforeAll(async () => {
  [server, { engine, clickhouse }] = await Promise.all([startNats(), startMigratedClickHouse()]);
  nats = createNats(server.url);
  await ensureStreams(await nats.whenConnected(AbortSignal.timeout(10_000)), options);
});
afterAll(async () => {
  await nats?.close();
  await clickhouse?.close();
  await Promise.all([server?.remove(), engine?.remove()]);
});

test('every stream of scans has a worker, also those beyond SCAN_SHARDS and those that come later', async () => {
  const databaseUrl = await createTestDatabase();
  const db = createPostgres(
    { databaseUrl, databasePooler: 'none', databasePoolSize: 8, databaseTimeoutMs: 5_000 },
    () => undefined,
  );
  onTestFinished(() => db.close());
  const [code] = await addCodes(db, 1);
  const log = createScanLog({ nats });
  const batches = Array.from({ length: 7 }, (_, n) => batchOf(scanOf(code!, n)));
  const append = async (shard: number) =>
    createScanLog({ nats, shard }).append(sealBatch(batches[shard]!), 1_000);
  for (const shard of [0, 1, 2, 3]) await append(shard);

  // Before any worker: the stream's own age tells since when nobody works on it.
  const idle = await measureLag(db, log, Date.now() + 60_000);
  expect(idle.map(({ shard, entries }) => [shard, entries])).toEqual([0, 1, 2, 3].map(shard => [shard, 1]));
  for (const { silentSeconds } of idle) expect(silentSeconds).toBeGreaterThan(59);

  const workers = createShardWorkers({
    shards: () => log.shards(),
    least: 1,
    create: shard => createIngest({ db, clickhouse, log, shard, logger, limits: { groupMs: 10 } }),
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
  expect(await countedIn(db)).toEqual(tallyOf(batches));
  for (const { silentSeconds, entries } of await measureLag(db, log, Date.now())) {
    expect(silentSeconds).toBeLessThan(5);
    expect(entries).toBe(0);
  }

  // A stream that is gone needs no worker any more: its shard is left.
  await (await jetstreamManager(nats.connection()!)).streams.delete(streamOf(5));
  const owner = sql('test-owner', 'select owner from ingest_positions where shard = 5');
  await waitUntil('its worker has left', async () => {
    const [row] = await db.query<{ owner: string | null }>(owner);
    return row?.owner === null;
  });
});
