import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { ids, someScan, withPromises } from '@signpost/testing/scans.ts';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { createNats } from '../../platform/nats/nats.ts';
import type { Scan } from '../scan.ts';
import { openScanWriter } from '../scan-writer.ts';
import { encodeScan } from './format/scan-bytes.ts';
import { createScanLog, type ScanLog } from './scan-log.ts';
import { createShardChooser } from './sharding.ts';
import { createSpreadLookup } from './spreads.ts';
import { keepStreams } from './streams.ts';

const shards = 8;

async function readAll(log: ScanLog, shard: number): Promise<Scan[][]> {
  const last = await log.lastPosition(shard);
  const entries: Scan[][] = [];
  if (last === 0) return entries;
  for await (const entry of log.read(shard, 0, AbortSignal.timeout(60_000))) {
    if (entry.kind === 'batch') entries.push([...entry.batch.scans]);
    if (entry.position >= last) break;
  }
  return entries;
}

test('8 shards, 1,000 accounts: no entry of the log holds scans of two shards, also after NATS was killed', async () => {
  const server = await startNats();
  const nats = createNats(server.url);
  const spoolDir = mkdtempSync(join(tmpdir(), 'spool-'));
  const stopStreams = keepStreams(
    nats,
    { shards, replicas: 1, maxAgeMs: 3_600_000, maxBytes: 64 * 1024 * 1024 },
    () => undefined,
  );
  onTestFinished(async () => {
    stopStreams();
    await nats.close();
    await server.remove();
    rmSync(spoolDir, { recursive: true });
  });
  const log = createScanLog({ nats });
  for (let shard = 0; shard < shards; shard++)
    await waitUntil('the streams exist', () => log.lastPosition(shard).then(() => true));
  const accounts = Array.from({ length: 1_000 }, () => ids.next());
  // The scans of two accounts are spread by visitor.
  const spreads = accounts.slice(0, 2).map(accountId => ({ accountId, from: new Date(0), shards: 3 }));
  const getSpread = createSpreadLookup(spreads);
  let appends = 0;
  const writer = await openScanWriter({
    appenders: Array.from({ length: shards }, (_, shard) => log.appender(shard)),
    getSpread,
    clock: systemClock,
    ids,
    spoolDir,
    spoolMaxMb: 100,
    onEvent: ({ kind }) => (appends += kind === 'logged' ? 1 : 0),
  });
  const { write } = withPromises(writer);
  const written = new Map<string, string>();
  const writeSome = (count: number) =>
    Promise.all(
      Array.from({ length: count }, async (_, n) => {
        const accountId = accounts[n % 3 === 0 ? n % 2 : Math.floor(Math.random() * accounts.length)]!;
        const scan = someScan({ accountId, visitor: crypto.randomUUID().replaceAll('-', '') });
        written.set(scan.id, await write(scan));
      }),
    );
  for (let round = 0; round < 40; round++) await writeSome(250);
  expect(new Set(written.values())).toEqual(new Set(['logged']));
  // Scans that arrive together share an append.
  expect(appends).toBeLessThan(written.size / 5);
  await server.kill('SIGKILL');
  await writeSome(2_000);
  expect([...written.values()].filter(outcome => outcome === 'spooled').length).toBe(2_000);
  await server.start();
  await waitUntil('the spool is empty', () => writer.spooled().segments === 0, { timeoutMs: 30_000 });
  await writer.close();

  const chooseShard = createShardChooser(shards, getSpread);
  const found = new Set<string>();
  const perShard: number[] = [];
  for (let shard = 0; shard < shards; shard++) {
    const entries = await readAll(log, shard);
    for (const scans of entries) {
      expect(new Set(scans.map(scan => chooseShard(encodeScan(scan).bytes)))).toEqual(new Set([shard]));
      for (const { id } of scans) found.add(id);
    }
    perShard.push(entries.length);
  }
  expect(found).toEqual(new Set(written.keys()));
  expect(Math.min(...perShard)).toBeGreaterThan(0);
});
