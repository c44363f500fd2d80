import type { Config } from '../config.ts';
import type { StreamOptions } from '../scans/scan-streams.ts';
import type { QueueOptions } from '../webhooks/queue-stream.ts';

/** The queue of webhooks as the settings want it, for those who write to it and those who read. */
export const queueOptions = (config: Config): QueueOptions => ({
  replicas: config.scanLogReplicas,
  maxMessages: config.webhookQueueMax,
  maxPerAccount: config.webhookQueuePerAccount,
});

const [dayMs, mebibyte] = [24 * 60 * 60 * 1000, 1024 * 1024];

/** The scan log as the settings want it, for those who make it where it is not there. */
export const scanStreamOptions = (config: Config): StreamOptions => ({
  shards: config.scanShards,
  replicas: config.scanLogReplicas,
  maxAgeMs: config.scanLogDays * dayMs,
  maxBytes: config.scanLogMaxMb * mebibyte,
});
