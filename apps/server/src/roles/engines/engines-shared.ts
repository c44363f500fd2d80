import { randomUUID } from 'node:crypto';
import type { Config } from '../../config/config.ts';
import { recordReached } from '../../ingest/lag/lag.ts';
import { createStreamMetrics } from '../../ingest/lag/stream-metrics.ts';
import { collectNotRedirected } from '../../ingest/not-redirected.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Lifecycle } from '../../kernel/running/lifecycle.ts';
import { createRoundTrips } from '../../kernel/running/round-trips.ts';
import { throttle } from '../../kernel/running/throttle.ts';
import { createRedisLimiters } from '../../limits/redis-limiters.ts';
import { diagnoseNats } from '../../platform/diagnosis/nats.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Nats } from '../../platform/nats/nats.ts';
import { measureStreams } from '../../platform/nats/stream-sizes.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import { watchForSole } from '../../platform/process-channel.ts';
import { createRedis, type RedisClient } from '../../platform/redis/redis.ts';
import { createWriteCheck } from '../../platform/write-check.ts';
import type { ChangeNumber } from '../../redirect/changes/change.ts';
import { ChangeFeed, type UnnumberedChanges } from '../../redirect/changes/change-feed.ts';
import type { ChangeHandler } from '../../redirect/changes/change-sequence.ts';
import { createChangeStream, keepChangeStream } from '../../redirect/changes/change-stream.ts';
import { Lease } from '../../redirect/changes/lease.ts';
import { createLeaseRegistry } from '../../redirect/changes/lease-registry.ts';
import { sendToIngest } from '../../redirect/not-redirected.ts';
import { createSharedUnknownHosts } from '../../redirect/unknown-hosts.ts';
import { ackedWriter, createAckedPositions } from '../../scans/log/acked-positions.ts';
import { openBoundedLog } from '../../scans/log/bounded-log.ts';
import { createScanLog, type LogAppender, type ScanLog } from '../../scans/log/scan-log.ts';
import { keepStreams } from '../../scans/log/streams.ts';
import { createQueue } from '../../webhooks/delivery/queue/queue.ts';
import { createHostRateLimiter } from '../../webhooks/delivery/rates/host-rate-limiter.ts';
import { rateLimitsFor } from '../../webhooks/delivery/rates/rate-reservation.ts';
import { openLinks } from '../links.ts';
import type { Engines, LinkLease } from './engines.ts';
import {
  changeStreamOptions,
  leaseMs,
  queueOptions,
  queueStreamBounds,
  type StreamBounds,
  scanStreamBounds,
  scanStreamOptions,
} from './stream-options.ts';

type Parts = {
  readonly config: Config;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly redis: RedisClient;
  readonly busNats: Nats;
  /** The NATS of the scan log. */
  readonly openLogNats: () => Nats;
};

const renewEveryMs = 500;
/** The limits of a call to the lease registry. After half a lease it could not be repeated in time. */
const leaseTimeouts = { minMs: 100, maxMs: leaseMs / 2 };
const connectMs = 2_000;
/** A webhook can wait longer for Redis than a call of the API: counting alone would be worse. */
const hostRatesTimeoutMs = 1_000;

/** For any number of processes, which meet in Redis and NATS. */
export function openSharedEngines(parts: Parts): Engines {
  const { config, logger, lifecycle, clock, redis, busNats, openLogNats } = parts;
  const openPatient = (redisTimeoutMs: number) => {
    const onError = (error: Error) => logger.debug({ err: error }, 'redis connection error');
    const patient = createRedis({ ...config, redisTimeoutMs }, onError, { queueOffline: true });
    lifecycle.defer('patient redis', () => patient.disconnect());
    return patient;
  };
  let scanLog: ScanLog | undefined;
  return {
    isAlone: false,
    limiters: createRedisLimiters({ redis, timeoutMs: config.redisTimeoutMs, openPatient }),
    watched: { redis, nats: busNats },
    watchedLog: () => ({ logNats: openLogNats() }),
    openNotifier(onSlow) {
      keepStream(parts);
      return openLinks({ ...parts, nats: busNats }, onSlow);
    },
    openLease: (handler, readUnnumbered, db) => openLease(parts, { handler, readUnnumbered, db }),
    openAppenders: db => openAppenders(parts, db),
    get scanLog() {
      scanLog ??= createScanLog({ nats: openLogNats() });
      return scanLog;
    },
    maxLogBytes: scanStreamOptions(config).maxBytes,
    async measure() {
      const measured = [
        measureOn(openLogNats(), scanStreamBounds(config)),
        measureOn(busNats, queueStreamBounds(config)),
      ];
      return (await Promise.all(measured)).flat();
    },
    openQueue: () => createQueue(busNats, queueOptions(config)),
    openHostRates: onShared =>
      createHostRateLimiter({
        redis: openPatient(hostRatesTimeoutMs),
        limits: rateLimitsFor(config.webhookHostRate),
        onShared,
      }),
    unknownHosts: createSharedUnknownHosts(clock, redis, error =>
      logger.debug({ err: error }, 'unknown host not noted'),
    ),
    handOver: sendToIngest(busNats),
    collect: db => collectNotRedirected({ nats: busNats, db, logger }),
  };
}

const measureOn = async (nats: Nats, bounds: StreamBounds) =>
  measureStreams(await nats.whenConnected(AbortSignal.timeout(connectMs)), bounds);

/** Creates the stream of changes where it is missing. */
function keepStream({ config, logger, lifecycle, busNats }: Parts): void {
  const warn = throttle(1000);
  const keep = keepChangeStream(busNats, changeStreamOptions(config), error =>
    warn(skipped => logger.warn({ err: error, skipped }, 'stream of changes not created')),
  );
  lifecycle.defer('stream of changes', keep);
}

type LeaseParts = {
  readonly handler: ChangeHandler;
  readonly readUnnumbered: () => Promise<UnnumberedChanges>;
  readonly db: Database;
};

/**
 * Beside a `signpost solo`, whose changes reach no other process, there is no lease: every scan is looked up in PostgreSQL.
 * So an installation can grow while its links are served.
 */
function openLease(parts: Parts, { handler, readUnnumbered, db }: LeaseParts): LinkLease {
  const { config, lifecycle, logger, busNats } = parts;
  const id = randomUUID();
  keepStream(parts);
  const log = createChangeStream(busNats, changeStreamOptions(config));
  const changes = new ChangeFeed({ nats: busNats, history: log, processId: id, handler, readUnnumbered });
  lifecycle.defer('changes of links', () => changes.stop());
  const trips = createRoundTrips(leaseTimeouts);
  const onError = (error: Error) => logger.debug({ err: error }, 'redis connection error');
  const redis = createRedis(config, onError, { trips });
  lifecycle.defer('redis of leases', () => redis.disconnect());
  const registry = createLeaseRegistry(redis, { leaseMs, timeoutMs: leaseTimeouts.maxMs });
  const solo = watchForSole(db, () =>
    logger.info('no `signpost solo` is running: links are served from memory'),
  );
  lifecycle.defer('watch for solo', solo.stop);
  const received = {
    isSubscribed: () => !solo.mayRun() && changes.isSubscribed(),
    losses: () => changes.losses(),
    isBehind: (newest: ChangeNumber) => changes.isBehind(newest),
    catchUp: (newest: ChangeNumber | null) => changes.catchUp(newest),
    applyUnnumbered: () => changes.applyUnnumbered(),
  };
  return {
    lease: new Lease({ id, registry, changes: received, leaseMs, renewEveryMs }),
    changes,
    roundTripMs: () => trips.smoothedMs,
  };
}

/** The shards of the log in NATS. Streams that are missing are created. */
function openAppenders(parts: Parts, db: Database): readonly LogAppender[] {
  const { config, logger, lifecycle, metrics } = parts;
  const nats = parts.openLogNats();
  const streams = scanStreamOptions(config);
  lifecycle.defer(
    'streams',
    keepStreams(nats, streams, error => {
      const cause = diagnoseNats(error, 'NATS');
      const fault = cause ? `${cause.finding}. ${cause.remedy}` : undefined;
      logger.warn({ err: error, fault }, 'scan log not ready');
    }),
  );
  const shards = Array.from({ length: streams.shards }, (_, shard) => shard);
  const streamMetrics = createStreamMetrics(metrics.registry);
  const { log, fill } = openBoundedLog({
    nats,
    shards: streams.shards,
    maxBytes: streams.maxBytes,
    onAck: (shard, position) => positions[shard]!.acked(position),
    onSizes: sizes => streamMetrics.set(sizes),
  });
  lifecycle.defer('fill of the log', () => fill.stop());
  // With a database user that may only read, ingest alone records how far the log reaches.
  const mayWriteLogs = createWriteCheck(db, 'scan_logs');
  const positions = shards.map(shard => {
    const writeAcked = ackedWriter(db, shard);
    return createAckedPositions({
      nats,
      async readState() {
        const state = await log.readState(shard);
        if (await mayWriteLogs()) await recordReached(db, log, { shard, state }).catch(() => undefined);
        return state;
      },
      write: async (...position) => {
        if (await mayWriteLogs()) await writeAcked(...position);
      },
    });
  });
  lifecycle.defer('acked positions', () => Promise.all(positions.map(position => position.stop())));
  return shards.map(log.appender);
}
