import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { startNats } from '@signpost/testing/engines/nats.ts';
import { p99 } from '@signpost/testing/percentile.ts';
import { ids, someScan, withPromises } from '@signpost/testing/scans.ts';
import { systemClock } from '../apps/server/src/kernel/clock.ts';
import { createNats, type NatsConnection } from '../apps/server/src/platform/nats/nats.ts';
import { decodeBatch, encodeBatch } from '../apps/server/src/scans/log/format/batch.ts';
import { createScanLog } from '../apps/server/src/scans/log/scan-log.ts';
import { ensureStreams, toStreamName } from '../apps/server/src/scans/log/streams.ts';
import { openScanWriter } from '../apps/server/src/scans/scan-writer.ts';
import { median } from './median.ts';
import { record } from './record.ts';

const rounds = 7;
const roundMs = 1000;
const diskMs = 5000;
const writers = 64;

/**
 * Scans through the group commit against bare publishes of the same bytes on the same connection, in turns: sequentially
 * (the latency of a single scan), and by many writers (the gain of sharing an ack).
 */
export default async function bench(args: readonly string[]): Promise<void> {
  const server = await startNats();
  const nats = createNats(server.url);
  const connection = await nats.whenConnected(AbortSignal.timeout(10_000));
  await ensureStreams(connection, {
    shards: 1,
    replicas: 1,
    maxAgeMs: 3_600_000,
    maxBytes: 64 * 1024 * 1024,
  });
  const spoolDir = mkdtempSync(join(tmpdir(), 'spool-'));
  const outcomes = new Map<string, number>();
  const writer = await openScanWriter({
    appenders: [createScanLog({ nats }).appender(0)],
    clock: systemClock,
    ids,
    spoolDir,
    spoolMaxMb: 100,
    onEvent: ({ kind }) => outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1),
  });
  const { write } = withPromises(writer);
  const js = jetstream(connection);
  const bare = async () => {
    const { bytes } = encodeBatch({ id: ids.next(), scans: [someScan()] });
    await js.publish('scans.0', bytes);
  };
  const ours = async () => {
    await write(someScan());
  };

  const bytesPerLoneScan = await storedBytes(connection, ours);
  const lone = { bare: [] as number[], ours: [] as number[] };
  const crowd = { bare: [] as number[], ours: [] as number[], bareTogether: [] as number[] };
  for (let round = 0; round <= rounds; round++) {
    const alone = { bare: await oneByOne(bare), ours: await oneByOne(ours) };
    const many = { bare: await togetherWith(bare), ours: await togetherWith(ours) };
    // The first round is warm-up.
    if (round === 0) continue;
    lone.bare.push(alone.bare.medianMs);
    lone.ours.push(alone.ours.medianMs);
    crowd.bare.push(alone.bare.perSecond);
    crowd.bareTogether.push(many.bare.perSecond);
    crowd.ours.push(many.ours.perSecond);
  }
  await server.kill('SIGKILL');
  const alone = await togetherWith(ours, diskMs);
  const disk = await bareDisk(join(spoolDir, 'bare'), writers * 110);
  await writer.close();
  await nats.close();
  await server.remove();
  rmSync(spoolDir, { recursive: true });

  const loneRatio = median(lone.ours) / median(lone.bare);
  const appendRatio = median(crowd.ours) / median(crowd.bare);
  const togetherRatio = median(crowd.ours) / median(crowd.bareTogether);
  console.log(`batch: ${batchSpeed()}; a single scan takes ${bytesPerLoneScan.toFixed(0)} bytes in the log`);
  console.log(
    `lone: bare publish ${median(lone.bare).toFixed(3)} ms, scan ${median(lone.ours).toFixed(3)} ms (medians)`,
  );
  console.log(
    `${writers} writers: ${Math.round(median(crowd.ours))} scans/s; bare publishes one by one ${Math.round(median(crowd.bare))}/s, ` +
      `${writers} at once ${Math.round(median(crowd.bareTogether))}/s (ratio ${togetherRatio.toFixed(2)})`,
  );
  console.log(
    `without NATS, ${writers} writers: ${Math.round(alone.perSecond)} scans/s on disk, ` +
      `median ${alone.medianMs.toFixed(1)} ms, p99 ${alone.p99Ms.toFixed(1)} ms; ` +
      `a bare write and fdatasync: median ${disk.medianMs.toFixed(1)} ms, p99 ${disk.p99Ms.toFixed(1)} ms`,
  );
  console.log(`events: ${[...outcomes].map(([kind, count]) => `${kind} ${count}`).join(', ')}`);
  record(args, 'log', {
    scansPerSecond: median(crowd.ours),
    appendsPerSecond: median(crowd.bareTogether),
    bytesPerScan: bytesPerScan(),
    bytesPerLoneScan,
    loneMs: median(lone.ours),
  });
  console.log(`log append_ratio ${appendRatio.toFixed(2)} lone_ratio ${loneRatio.toFixed(2)}`);
}

async function oneByOne(work: () => Promise<void>) {
  const times: number[] = [];
  const end = performance.now() + roundMs;
  while (performance.now() < end) {
    const at = performance.now();
    await work();
    times.push(performance.now() - at);
  }
  return { medianMs: median(times), perSecond: (times.length * 1000) / roundMs };
}

async function togetherWith(work: () => Promise<void>, ms = roundMs) {
  const times: number[] = [];
  const began = performance.now();
  const end = began + ms;
  await Promise.all(
    Array.from({ length: writers }, async () => {
      for (let at = performance.now(); at < end; at = performance.now()) {
        await work();
        times.push(performance.now() - at);
      }
    }),
  );
  const perSecond = (times.length * 1000) / (performance.now() - began);
  return { perSecond, ...spread(times) };
}

/** The time that the disk alone takes for what the writers write at once. */
async function bareDisk(path: string, size: number) {
  const handle = await open(path, 'w');
  const data = Buffer.alloc(size, 1);
  const times: number[] = [];
  const end = performance.now() + diskMs;
  for (let at = performance.now(); at < end; at = performance.now()) {
    await handle.write(data);
    await handle.datasync();
    times.push(performance.now() - at);
  }
  await handle.close();
  return spread(times);
}

function spread(times: number[]) {
  return { medianMs: median(times), p99Ms: p99(times) };
}

/** Bytes in NATS for a scan in a batch of its own. */
async function storedBytes(connection: NatsConnection, write: () => Promise<void>): Promise<number> {
  for (let written = 0; written < 1000; written++) await write();
  const { state } = await (await jetstreamManager(connection)).streams.info(toStreamName(0));
  return state.bytes / state.messages;
}

/** Bytes for a scan in a batch of 50. */
function bytesPerScan(): number {
  const scans = Array.from({ length: 50 }, () => someScan());
  return encodeBatch({ id: ids.next(), scans }).bytes.length / scans.length;
}

/** Encoding and decoding a batch of 50, per scan. */
function batchSpeed(): string {
  const scans = Array.from({ length: 50 }, () => someScan());
  const batch = { id: ids.next(), scans };
  const { bytes } = encodeBatch(batch);
  const nanosAScan = (work: () => void) => {
    const times: number[] = [];
    for (let round = 0; round < 9; round++) {
      const began = performance.now();
      for (let i = 0; i < 1000; i++) work();
      times.push(((performance.now() - began) * 1e6) / (1000 * scans.length));
    }
    return Math.round(median(times));
  };
  const [seal, open] = [nanosAScan(() => encodeBatch(batch)), nanosAScan(() => decodeBatch(bytes))];
  return `${Math.round(bytes.length / scans.length)} bytes a scan, sealed in ${seal} ns, opened in ${open} ns`;
}
