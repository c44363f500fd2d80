import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { ciScale } from '@signpost/testing/ci-scale.ts';
import { type NatsCluster, startNatsCluster } from '@signpost/testing/engines/nats-cluster.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { load } from '@signpost/testing/load.ts';
import { readThrough } from '@signpost/testing/scan-log.ts';
import { ids } from '@signpost/testing/scans.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../apps/server/src/kernel/clock.ts';
import { createNats, type Nats } from '../../apps/server/src/platform/nats/nats.ts';
import type { LogEntry } from '../../apps/server/src/scans/log/format/entry.ts';
import { createScanLog, type ScanLog } from '../../apps/server/src/scans/log/scan-log.ts';
import { keepStreams, toStreamName } from '../../apps/server/src/scans/log/streams.ts';
import { openScanWriter } from '../../apps/server/src/scans/scan-writer.ts';

const kills = ciScale(6, 4);

let cluster: NatsCluster;
let nats: Nats;
let log: ScanLog;
let spoolDir: string;

beforeAll(async () => {
  cluster = await startNatsCluster(3);
  nats = createNats(cluster.url);
  keepStreams(
    nats,
    { shards: 1, replicas: 3, maxAgeMs: 3_600_000, maxBytes: 64 * 1024 * 1024 },
    () => undefined,
  );
  log = createScanLog({ nats });
  spoolDir = mkdtempSync(join(tmpdir(), 'spool-'));
  await waitUntil('the stream has a leader', async () => (await leader()) !== '');
});

afterAll(async () => {
  await nats.close();
  await cluster.remove();
  rmSync(spoolDir, { recursive: true });
});

async function state() {
  const connection = await nats.whenConnected(AbortSignal.timeout(10_000));
  const manager = await jetstreamManager(connection, { checkAPI: false, timeout: 2000 });
  return manager.streams.info(toStreamName(0));
}

const leader = async () => (await state()).cluster?.leader ?? '';

test('three nodes, three replicas: with the leader killed under load again and again, no scan is lost', async () => {
  const keeper = await openScanWriter({
    appenders: [log.appender(0)],
    clock: systemClock,
    ids,
    spoolDir,
    spoolMaxMb: 100,
  });
  const entries: LogEntry[] = [];
  const ending = new AbortController();
  const reading = (async () => {
    for await (const entry of log.read(0, 0, ending.signal)) entries.push(entry);
  })();
  const running = load(keeper, 400);
  for (let kill = 0; kill < kills; kill++) {
    await pause(1000);
    const name = await leader();
    const node = cluster.nodes.get(name)!;
    await node.kill('SIGKILL');
    await waitUntil('another one leads', async () => !['', name].includes(await leader()));
    await pause(500);
    await node.start();
    await waitUntil(
      'all three are up to date',
      async () => (await state()).cluster?.replicas?.filter(({ current }) => current).length === 2,
    );
  }
  const ledger = await running.stop();
  await waitUntil('the spool is empty', () => keeper.spooled().segments === 0);
  await keeper.close();

  const read = await readThrough(log, 0);
  await waitUntil('the reader is through', () => entries.at(-1)?.position === read.positions.at(-1));
  ending.abort();
  await reading;

  const outcomes = Map.groupBy(ledger.values(), kept => kept);
  expect(outcomes.get('lost') ?? []).toEqual([]);
  expect([...ledger.keys()].filter(id => !read.scanIds.has(id))).toEqual([]);
  expect(read.scanIds.size).toBe(ledger.size);
  expect(read.scansOfDistinctBatches).toBe(ledger.size);
  expect(read.positions).toEqual(read.positions.map((_, i) => i + 1));
  // Who read along all the time has seen the same as who reads it through afterwards.
  expect(entries.map(({ position }) => position)).toEqual(read.positions);
  console.log(
    `leader kills ${kills}: ${ledger.size} scans, ${outcomes.get('logged')?.length ?? 0} logged, ` +
      `${outcomes.get('spooled')?.length ?? 0} spooled, 0 lost; ${read.positions.length} batches, ${read.distinctBatches} distinct`,
  );
});
