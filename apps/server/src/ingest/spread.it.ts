import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createTestDatabase } from '@signpost/testing/database.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import {
  addCodes,
  batchOf,
  countedIn,
  expectedCounts,
  ids,
  scanOf,
  storedIn,
} from '@signpost/testing/scan-ledger.ts';
import { withPromises } from '@signpost/testing/scans.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../kernel/clock.ts';
import { createNats, type Nats } from '../platform/nats/nats.ts';
import { createPostgres, sql } from '../platform/postgres/postgres.ts';
import { markUsedUp } from '../qrcodes/targets/used-up.ts';
import { createScanLog } from '../scans/log/scan-log.ts';
import { nextSpreadStart, setSpread, watchSpreads } from '../scans/log/spreads.ts';
import { ensureStreams } from '../scans/log/streams.ts';
import type { Scan } from '../scans/scan.ts';
import { openScanWriter } from '../scans/scan-writer.ts';
import { createPostgresRows } from '../scans/stores/postgres/postgres-rows.ts';
import { toWindowName } from '../scans/visitor.ts';
import { createIngest } from './service.ts';
import { createShardWorkers } from './shards.ts';

let server: Engine;
let nats: Nats;
const logger = { info() {}, warn() {}, error: console.error };
const shards = 4;

beforeAll(async () => {
  server = await startNats();
  nats = createNats(server.url);
  await ensureStreams(await nats.whenConnected(AbortSignal.timeout(10_000)), {
    shards,
    replicas: 1,
    maxAgeMs: 3_600_000,
    maxBytes: 64 * 1024 * 1024,
  });
});
afterAll(async () => {
  await nats?.close();
  await server?.remove();
});

test('an account is spread while it is scanned: uniques stay exact, even if one redirect never hears of it and one has fewer shards', async () => {
  const databaseUrl = await createTestDatabase();
  const db = createPostgres(
    { databaseUrl, databasePooler: 'none', databasePoolSize: 8, databaseTimeoutMs: 5_000 },
    () => undefined,
  );
  onTestFinished(() => db.close());
  const [code, other] = await addCodes(db, 2);
  const { accountId } = code!;
  const log = createScanLog({ nats });
  const workers = createShardWorkers({
    shards: () => log.shards(),
    minShards: shards,
    create: shard =>
      createIngest({
        markUsedUp,
        db,
        rows: createPostgresRows(db),
        log,
        shard,
        logger,
        limits: { groupMs: 5, groupScans: 50 },
      }),
    logger,
  });
  workers.start();
  onTestFinished(() => workers.stop());

  async function openRedirect(ownShards: number, everyMs: number) {
    const spoolDir = mkdtempSync(join(tmpdir(), 'spool-'));
    const spreads = await watchSpreads(db, everyMs);
    const writer = await openScanWriter({
      appenders: Array.from({ length: ownShards }, (_, shard) => log.appender(shard)),
      getSpread: spreads.getSpread,
      clock: systemClock,
      ids,
      spoolDir,
      spoolMaxMb: 10,
    });
    onTestFinished(async () => {
      await spreads.stop();
      await writer.close();
      rmSync(spoolDir, { recursive: true });
    });
    return withPromises(writer);
  }
  const redirects = [
    await openRedirect(shards, 20),
    await openRedirect(shards, 20),
    // This one does not hear of the change, and that one was started with another number of shards.
    await openRedirect(shards, 600_000),
    await openRedirect(shards - 1, 20),
  ];
  const from = nextSpreadStart(Date.now(), 'day');
  await setSpread(db, { accountId, from, shards: 3 });
  await pause(100);

  // Every visitor scans in both windows, through every redirect, around the moment of the change.
  const visitors = Array.from({ length: 60 }, (_, n) =>
    createHash('sha256').update(String(n)).digest('hex').slice(0, 32),
  );
  const written: Scan[] = [];
  const outcomes: Promise<string>[] = [];
  for (const [n, visitor] of visitors.entries())
    for (const beforeMs of [2, 1, 0, -1])
      for (const redirect of redirects) {
        const atMs = from.getTime() - beforeMs;
        const scan = scanOf(n % 5 === 0 ? other! : code!, 0, {
          visitor,
          atMs,
          window: toWindowName(atMs, 'day'),
        });
        written.push(scan);
        outcomes.push(redirect.write(scan));
        if (written.length % 16 === 0) await pause(1);
      }
  expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['logged']));

  const expected = expectedCounts([batchOf(...written)]);
  await waitUntil('all are stored', async () => {
    const { tally } = await storedIn(db);
    return Object.values(tally).reduce((sum, { total }) => sum + total, 0) === written.length;
  });
  expect(await countedIn(db)).toEqual(expected);
  expect(await storedIn(db)).toEqual({ tally: expected, duplicates: 0, faults: [] });
  expect(expected[code!.id]!.uniques + expected[other!.id]!.uniques).toBe(2 * visitors.length);
  // It was spread: over one shard before the change and three after it, but for the redirects that knew no better.
  const used = await db.query<{ time_window: string; shards: number }>(shardsByWindow);
  expect(used.at(-1)!.shards).toBeGreaterThanOrEqual(3);
});

const shardsByWindow = sql(
  'test-shards-by-window',
  'select time_window, count(distinct shard) as shards from scans group by time_window order by time_window',
);
