import type { Limiters } from '../../limits/limiters.ts';
import type { Nats } from '../../platform/nats/nats.ts';
import type { StreamSize } from '../../platform/nats/stream-sizes.ts';
import type { Database, Postgres } from '../../platform/postgres/postgres.ts';
import type { RedisClient } from '../../platform/redis/redis.ts';
import type { UnnumberedChanges } from '../../redirect/changes/change-feed.ts';
import type { ChangeNotifier } from '../../redirect/changes/change-notifier.ts';
import type { ChangeHandler } from '../../redirect/changes/change-sequence.ts';
import type { UnknownHosts } from '../../redirect/unknown-hosts.ts';
import type { LogAppender, ScanLog } from '../../scans/log/scan-log.ts';
import type { NotRedirectedBatch } from '../../scans/not-redirected.ts';
import type { Queue } from '../../webhooks/delivery/queue/queue.ts';
import type { HostRateLimiter } from '../../webhooks/delivery/rates/host-rate-limiter.ts';

/**
 * What the roles use to work together. There are two implementations: Redis and NATS, for any number of processes, and one
 * in the memory and on the disk of the only process. No role and no feature knows which it works with.
 */
export type Engines = {
  /** Whether no other process can be there. */
  readonly isAlone: boolean;
  readonly limiters: Limiters;
  /** Other engines that the process depends on. */
  readonly watched: { readonly redis?: RedisClient; readonly nats?: Nats };
  /** The NATS of the scan log, if there is one; opened where it is first needed. */
  watchedLog(): { readonly logNats?: Nats };
  /** Makes changes of links and stops hold on every process that serves short links. */
  openNotifier(onSlow: (silent: readonly string[]) => void): ChangeNotifier;
  /** The right to serve short links from memory, which ends when a change might be missed. */
  openLease(
    handler: ChangeHandler,
    readUnnumbered: () => Promise<UnnumberedChanges>,
    db: Database,
  ): LinkLease;
  /** Where a process that serves short links appends its scans: one for each shard of the log. */
  openAppenders(db: Database): readonly LogAppender[];
  /** The scan log as it is counted from. */
  readonly scanLog: Omit<ScanLog, 'appender'>;
  /** The limit of a shard of the log. */
  readonly maxLogBytes: number;
  /** How full the logs and queues are. */
  measure(): Promise<readonly StreamSize[]>;
  /** Removes what is older than the log is kept, if the log does not do so itself. */
  trimExpired?(db: Database): Promise<number>;
  /** New webhook messages. The roles of one process share it. */
  openQueue(db: Database): Queue;
  openHostRates(onShared: (isShared: boolean, error?: unknown) => void): HostRateLimiter;
  /** Names that nobody has, of every process that serves short links. */
  readonly unknownHosts: UnknownHosts;
  /** Hands over requests that were not redirected; whether they are stored. */
  handOver(batch: NotRedirectedBatch): Promise<boolean>;
  /** Stores what is handed over. Returns the stop function. */
  collect(db: Postgres): () => void;
};

/** The lease, and what is known of the changes that are received under it. */
export type LinkLease = {
  readonly lease: {
    isGood(): boolean;
    readonly term: number;
    renewedMsAgo(): number;
    readonly timesLost: number;
    start(): void;
    stop(): Promise<void>;
  };
  readonly changes: {
    /** Changes when a change may have been missed. */
    readonly epoch: number;
    /** The number of the last change that was applied. */
    readonly applied: number;
    /** Changes that did not arrive and were read again. */
    readonly caughtUp: number;
  };
  /** How long a call about the lease usually takes; null if that is not known. */
  roundTripMs(): number | null;
};
