import { randomUUID } from 'node:crypto';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import type { Config } from '../../../apps/server/src/config/config.ts';
import { isSolo } from '../../../apps/server/src/kernel/addresses/engine-address.ts';
import { systemClock } from '../../../apps/server/src/kernel/clock.ts';
import { createNats } from '../../../apps/server/src/platform/nats/nats.ts';
import { type EncodedBatch, encodeBatch } from '../../../apps/server/src/scans/log/format/batch.ts';
import { encodeScan } from '../../../apps/server/src/scans/log/format/scan-bytes.ts';
import { createScanLog } from '../../../apps/server/src/scans/log/scan-log.ts';
import { createShardChooser } from '../../../apps/server/src/scans/log/sharding.ts';
import type { Scan } from '../../../apps/server/src/scans/scan.ts';
import { openSpool } from '../../../apps/server/src/scans/spool/spool.ts';

const batchSize = 1000;

/** Appends scans as a redirect does: to the log in NATS or, beside `signpost solo`, to a spool that it adopts. */
export async function appendScans(config: Config, scans: readonly Scan[]): Promise<void> {
  const batches: EncodedBatch[] = [];
  for (let from = 0; from < scans.length; from += batchSize)
    batches.push(encodeBatch({ id: randomUUID(), scans: scans.slice(from, from + batchSize) }));
  if (isSolo(config)) await leaveInSpool(config, batches);
  else await sendToLog(config, createShardChooser(config.scanShards)(encodeScan(scans[0]!).bytes), batches);
}

async function leaveInSpool(config: Config, batches: readonly EncodedBatch[]): Promise<void> {
  const maxBytes = config.spoolMaxMb * 1024 * 1024;
  const spool = await openSpool({ dir: config.spoolDir, maxBytes, clock: systemClock });
  try {
    for (const batch of batches) {
      const outcome = await spool.append(batch);
      if (outcome === 'refused') throw new Error(`SPOOL_DIR: ${config.spoolDir} has no room for the scans.`);
    }
  } finally {
    await spool.close();
  }
}

async function sendToLog(config: Config, shard: number, batches: readonly EncodedBatch[]): Promise<void> {
  const nats = createNats(config.logNatsUrl, () => undefined);
  try {
    await waitUntil('NATS answers', () => nats.connection() !== null, { timeoutMs: 10_000 });
    const appender = createScanLog({ nats }).appender(shard);
    for (const batch of batches) await appender.append(batch, 5000);
  } finally {
    await nats.close();
  }
}
