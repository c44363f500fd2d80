import { createHash } from 'node:crypto';
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { startMigratedClickHouse } from '@signpost/testing/clickhouse.ts';
import { createTestDatabase } from '@signpost/testing/database.ts';
import type { Engine } from '@signpost/testing/engines/engine.ts';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { startPostgres } from '@signpost/testing/engines/postgres.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { p99 } from '@signpost/testing/percentile.ts';
import { cpuMicrosOf } from '@signpost/testing/process-cpu.ts';
import { addCodes, batchOf, type Code, ids, scanOf } from '@signpost/testing/scan-ledger.ts';
import { someScan } from '@signpost/testing/scans.ts';
import { startShardWorker } from '@signpost/testing/shard-worker-process.ts';
import { createNats } from '../apps/server/src/platform/nats/nats.ts';
import { createPostgres, type Database, sql } from '../apps/server/src/platform/postgres/postgres.ts';
import { encodeBatch } from '../apps/server/src/scans/log/format/batch.ts';
import { encodeScan } from '../apps/server/src/scans/log/format/scan-bytes.ts';
import { createGroupCommit } from '../apps/server/src/scans/log/group-commit.ts';
import { createScanLog, type ScanLog } from '../apps/server/src/scans/log/scan-log.ts';
import { createShardChooser } from '../apps/server/src/scans/log/sharding.ts';
import { createSpreadLookup } from '../apps/server/src/scans/log/spreads.ts';
import { ensureStreams } from '../apps/server/src/scans/log/streams.ts';
import { median } from './median.ts';

const streams = { replicas: 1, maxAgeMs: 3_600_000, maxBytes: 2 ** 31 };

/**
 * What shards cost and what they gain. A redirect that appends to eight of them instead of one: scans in an append, and CPU
 * of NATS per scan, at the same rate. And one code whose scans are spread over two, each with a worker process of its own,
 * instead of one: how much faster it is counted.
 */
export default async function bench(args: readonly string[]): Promise<void> {
  const only = args.find(arg => arg === 'append' || arg === 'count');
  const append = only === 'count' ? null : await benchAppends();
  const gain = only === 'append' ? null : await benchHotCode();
  const figures = [
    ...(append ? [append] : []),
    ...(gain === null ? [] : [`hot_code_on_two_shards ${gain.toFixed(2)} aim ${aim}`]),
  ];
  console.log(`shards ${figures.join(' ')}`);
  if (gain !== null && gain < aim) process.exitCode = 1;
}

const [appendRounds, roundMs, scansPerSecond, accounts] = [7, 2_000, 20_000, 1_000];

async function benchAppends(): Promise<string> {
  const server = await startNats();
  const nats = createNats(server.url);
  const connection = await nats.whenConnected(AbortSignal.timeout(10_000));
  await ensureStreams(connection, { ...streams, shards: 8 });
  const log = createScanLog({ nats });
  const rounds: Record<1 | 8, AppendRound[]> = { 1: [], 8: [] };
  for (let round = 0; round <= appendRounds; round++) {
    for (const shards of [1, 8] as const) {
      const figures = await appendFor(log, shards, server);
      // The first round is warm-up.
      if (round > 0) rounds[shards].push(figures);
    }
  }
  await nats.close();
  await server.remove();
  const of = (shards: 1 | 8, figure: keyof AppendRound) => median(rounds[shards].map(round => round[figure]));
  for (const shards of [1, 8] as const)
    console.log(
      `${shards} ${shards === 1 ? 'shard' : 'shards'}, ${accounts} accounts, ${scansPerSecond} scans/s: ` +
        `${of(shards, 'scansPerAppend').toFixed(1)} scans an append, NATS ${of(shards, 'natsMicros').toFixed(1)} µs a scan, ` +
        `redirect ${of(shards, 'ownMicros').toFixed(1)} µs a scan, p50 ${of(shards, 'p50Ms').toFixed(2)} ms, p99 ${of(shards, 'p99Ms').toFixed(1)} ms`,
    );
  const both = (figure: keyof AppendRound) => `${of(1, figure).toFixed(1)}/${of(8, figure).toFixed(1)}`;
  return `scans_per_append_1/8 ${both('scansPerAppend')} nats_us_per_scan_1/8 ${both('natsMicros')}`;
}

type AppendRound = Readonly<
  Record<'scansPerAppend' | 'natsMicros' | 'ownMicros' | 'p50Ms' | 'p99Ms', number>
>;

/** Writes scans of many accounts at a steady rate, a few in each turn of the event loop, as requests arrive. */
async function appendFor(log: ScanLog, shards: number, server: Engine): Promise<AppendRound> {
  const scans = Array.from({ length: accounts }, () => encodeScan(someScan({ accountId: ids.next() })));
  const times: number[] = [];
  let [written, appends] = [0, 0];
  const commits = createGroupCommit({
    appenders: Array.from({ length: shards }, (_, shard) => log.appender(shard)),
    spool: {
      append: async () => 'refused',
      journal: { keep: async () => 'lost', discard: () => undefined },
    },
    hold: () => false,
    ids,
    onEvent(event) {
      if (event.kind === 'logged') appends++;
      else if (event.kind === 'lost') throw new Error('NATS did not ack in time');
    },
  });
  const [natsBefore, ownBefore] = [cpuMicrosOf(server.pid), process.cpuUsage()];
  const start = performance.now();
  for (let elapsedMs = 0; elapsedMs < roundMs; elapsedMs = performance.now() - start) {
    const due = Math.floor((elapsedMs * scansPerSecond) / 1_000);
    for (let turn = 0; written < due && turn < 20; turn++) {
      const at = performance.now();
      commits.write(scans[Math.floor(Math.random() * accounts)]!, () => times.push(performance.now() - at));
      written++;
    }
    await new Promise(resolve => setImmediate(resolve));
  }
  await commits.drained();
  const own = process.cpuUsage(ownBefore);
  return {
    scansPerAppend: written / appends,
    natsMicros: (cpuMicrosOf(server.pid) - natsBefore) / written,
    ownMicros: (own.user + own.system) / written,
    p50Ms: median(times),
    p99Ms: p99(times),
  };
}

const [hotRounds, hotScans, scansPerBatch] = [5, 60_000, 50];
const aim = 1.7;

/** Two of three scans are by a visitor who is new. Each round has shards of its own. */
async function benchHotCode(): Promise<number> {
  const [{ engine, clickhouse }, server, postgres] = await Promise.all([
    startMigratedClickHouse(),
    startNats(),
    startPostgres(),
  ]);
  const databaseUrl = await createTestDatabase(postgres.url);
  const db = createPostgres(
    { databaseUrl, databasePooler: 'none', databasePoolSize: 4, databaseTimeoutMs: 30_000 },
    () => undefined,
  );
  const nats = createNats(server.url);
  await ensureStreams(await nats.whenConnected(AbortSignal.timeout(10_000)), {
    ...streams,
    shards: 3 * (hotRounds + 1),
  });
  const log = createScanLog({ nats });
  const settings = { databaseUrl, clickhouseUrl: engine.url, natsUrl: server.url };
  const workers = [await startShardWorker(settings), await startShardWorker(settings)];
  const [code] = await addCodes(db, 1);
  const processes = {
    ingest: () => workers.reduce((sum, { pid }) => sum + cpuMicrosOf(pid), 0),
    postgres: () => cpuMicrosOf(postgres.pid),
    clickhouse: () => cpuMicrosOf(engine.pid),
    nats: () => cpuMicrosOf(server.pid),
  };
  const measured: Record<1 | 2, HotRound[]> = { 1: [], 2: [] };
  for (let round = 0; round <= hotRounds; round++) {
    for (const spread of [1, 2] as const) {
      const shards = spread === 1 ? [3 * round] : [3 * round + 1, 3 * round + 2];
      await fill(log, code!, shards, round * 2 + spread);
      const figures = await timeCounting(db, shards, workers, processes);
      console.log(
        `hot code ${round}/${hotRounds} on ${shards.length}: ${figures.perSecond.toFixed(0)} scans/s, ` +
          `${figures.cores.toFixed(2)} cores (${figures.shares}), counts locked ${(100 * figures.lockShare).toFixed(1)} % of the time, ` +
          `load ${loadavg()[0]!.toFixed(1)}${round === 0 ? ' (warm-up)' : ''}`,
      );
      if (round > 0) measured[spread].push(figures);
    }
  }
  for (const worker of workers) await worker.end();
  await nats.close();
  await db.close();
  await clickhouse.close();
  await Promise.all([engine.remove(), server.remove(), postgres.remove()]);
  const of = (spread: 1 | 2, figure: 'perSecond' | 'cores' | 'lockShare') =>
    median(measured[spread].map(round => round[figure]));
  console.log(
    `hot code: ${of(1, 'perSecond').toFixed(0)} scans/s with ${of(1, 'cores').toFixed(2)} cores on one shard, ` +
      `${of(2, 'perSecond').toFixed(0)} with ${of(2, 'cores').toFixed(2)} on two. One worker locks the counts of the code ` +
      `for ${(100 * of(1, 'lockShare')).toFixed(1)} % of its time: with cores to spare two could be ${(2 / (1 + of(1, 'lockShare'))).toFixed(2)} times as fast`,
  );
  return median(measured[2].map((round, at) => round.perSecond / measured[1][at]!.perSecond));
}

/** Appends the scans of a round, spread as a redirect does it. */
async function fill(log: ScanLog, code: Code, shards: readonly number[], round: number): Promise<void> {
  const chooseShard = createShardChooser(
    shards.length,
    createSpreadLookup([{ accountId: code.accountId, from: new Date(0), shards: shards.length }]),
  );
  const scans = Array.from({ length: hotScans }, () => {
    const person = `${round} ${Math.floor(Math.random() * hotScans)}`;
    return scanOf(code, 0, { visitor: createHash('md5').update(person).digest('hex') });
  });
  for (const [shard, own] of Map.groupBy(scans, scan => chooseShard(encodeScan(scan).bytes)))
    for (let at = 0; at < own.length; at += scansPerBatch)
      await log
        .appender(shards[shard]!)
        .append(encodeBatch(batchOf(...own.slice(at, at + scansPerBatch))), 5_000);
}

type HotRound = {
  readonly perSecond: number;
  readonly cores: number;
  readonly shares: string;
  readonly lockShare: number;
};

async function timeCounting(
  db: Database,
  shards: readonly number[],
  workers: readonly { work(shard: number): Promise<void>; lockedMs(): Promise<number> }[],
  processes: Readonly<Record<string, () => number>>,
): Promise<HotRound> {
  const before = Object.values(processes).map(read => read());
  const counted = await totalOf(db);
  const lockedMs = async () =>
    (await Promise.all(workers.map(worker => worker.lockedMs()))).reduce((a, b) => a + b);
  const lockedBefore = await lockedMs();
  const start = performance.now();
  await Promise.all(shards.map((shard, at) => workers[at]!.work(shard)));
  await waitUntil(
    'all is stored',
    async () => {
      const [open] = await db.query<{ groups: number }>(openGroups);
      return (await totalOf(db)) === counted + hotScans && open!.groups === 0;
    },
    { timeoutMs: 120_000, everyMs: 20 },
  );
  const ms = performance.now() - start;
  const cores = Object.values(processes).map((read, at) => (read() - before[at]!) / (ms * 1_000));
  // Both engines merge what a round has left: the next one must not pay for it.
  await pause(1_000);
  return {
    perSecond: (hotScans * 1_000) / ms,
    cores: cores.reduce((sum, share) => sum + share, 0),
    shares: Object.keys(processes)
      .map((name, at) => `${name} ${cores[at]!.toFixed(2)}`)
      .join(', '),
    lockShare: ((await lockedMs()) - lockedBefore) / ms,
  };
}

async function totalOf(db: Database): Promise<number> {
  const [row] = await db.query<{ total: number }>(total);
  return row!.total;
}

const total = sql('bench-total', 'select coalesce(sum(total_scans), 0)::float8 as total from scan_counts');
const openGroups = sql('bench-open-groups', 'select count(*)::float8 as groups from ingest_groups');
