import type { Config } from '../../config/config.ts';
import type { StreamBound } from '../../platform/nats/stream-sizes.ts';
import type { ChangeStreamOptions } from '../../redirect/changes/change-stream.ts';
import { parseShard, type StreamOptions } from '../../scans/log/streams.ts';
import { type QueueOptions, streamName } from '../../webhooks/delivery/queue/queue-stream.ts';

/** How long a process may trust its memory without a sign that changes still reach it. */
export const leaseMs = 2000;

/** The options of the webhook queue by the settings, for its writers and readers. */
export const queueOptions = (config: Config): QueueOptions => ({
  replicas: config.scanLogReplicas,
  maxMessages: config.webhookQueueMax,
  maxPerAccount: config.webhookQueuePerAccount,
});

/** The options of the stream of changes by the settings, for those who edit and for redirects. */
export const changeStreamOptions = (config: Pick<Config, 'scanLogReplicas'>): ChangeStreamOptions => ({
  replicas: config.scanLogReplicas,
  timeoutMs: leaseMs / 2,
});

const [dayMs, mebibyte] = [24 * 60 * 60 * 1000, 1024 * 1024];

/** The options of the scan log by the settings, for those who create it where it is missing. */
export const scanStreamOptions = (config: Config): StreamOptions => ({
  shards: config.scanShards,
  replicas: config.scanLogReplicas,
  maxAgeMs: config.scanLogDays * dayMs,
  maxBytes: config.scanLogMaxMb * mebibyte,
});

/** The upper bound of each of our streams in a NATS; null for a stream that is not ours, or belongs elsewhere. */
export type StreamBounds = (stream: string) => StreamBound | null;

export const scanStreamBounds =
  (config: Config): StreamBounds =>
  stream =>
    parseShard(stream) === null ? null : { maxBytes: scanStreamOptions(config).maxBytes };

export const queueStreamBounds =
  (config: Config): StreamBounds =>
  stream =>
    stream === streamName ? { maxMessages: config.webhookQueueMax } : null;
