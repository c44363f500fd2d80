import type { Config } from '../config.ts';
import type { StreamBound } from '../platform/stream-sizes.ts';
import { type StreamOptions, shardOf } from '../scans/scan-streams.ts';
import { type QueueOptions, streamName } from '../webhooks/queue-stream.ts';

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

/** The most that each of our streams may hold; null for a stream that is not ours. */
export const streamBounds =
  (config: Config) =>
  (stream: string): StreamBound | null => {
    if (shardOf(stream) !== null) return { maxBytes: scanStreamOptions(config).maxBytes };
    return stream === streamName ? { maxMessages: config.webhookQueueMax } : null;
  };
