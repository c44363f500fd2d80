import type { Config } from '../config.ts';
import type { QueueOptions } from '../webhooks/queue-stream.ts';

/** The queue of webhooks as the settings want it, for those who write to it and those who read. */
export const queueOptions = (config: Config): QueueOptions => ({
  replicas: config.scanLogReplicas,
  maxMessages: config.webhookQueueMax,
  maxPerAccount: config.webhookQueuePerAccount,
});
