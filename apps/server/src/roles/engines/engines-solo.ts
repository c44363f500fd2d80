import type { Config } from '../../config/config.ts';
import { trimExpired } from '../../ingest/lag/trimming.ts';
import { storeNotRedirected } from '../../ingest/not-redirected.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Lifecycle } from '../../kernel/running/lifecycle.ts';
import { createLocalLimiters } from '../../limits/local-limiters.ts';
import type { Logger } from '../../platform/logger.ts';
import { createPostgres, type Postgres } from '../../platform/postgres/postgres.ts';
import { SoleProcess } from '../../platform/sole-process.ts';
import { createSoleChanges } from '../../redirect/changes/sole-changes.ts';
import { openFileLog } from '../../scans/file-log/file-log.ts';
import { secondsSinceReader } from '../../scans/log/readers.ts';
import { createStoredQueue, type StoredQueue } from '../../webhooks/delivery/queue/stored-queue.ts';
import { createLocalRateLimiter } from '../../webhooks/delivery/rates/local-rate-limiter.ts';
import { rateLimitsFor } from '../../webhooks/delivery/rates/rate-reservation.ts';
import type { CommandChange } from '../command-change.ts';
import type { Engines } from './engines.ts';
import { withSetting } from './starting.ts';
import { leaseMs, queueOptions } from './stream-options.ts';

type Parts = {
  readonly config: Config;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
  readonly clock: Clock;
};

const [mebibyte, dayMs] = [1024 * 1024, 24 * 60 * 60 * 1000];

/**
 * For one process and PostgreSQL: limits and changes in memory, the scan log on its disk, webhooks queued in PostgreSQL.
 * Resolves once it is certain that no other process works on the same database.
 */
export async function openSoloEngines({ config, logger, lifecycle, clock }: Parts): Promise<Engines> {
  const limiters = createLocalLimiters();
  const sole = new SoleProcess({
    databaseUrl: config.databaseDirectUrl,
    leaseMs,
    async onMessage({ change }) {
      const { accounts = [], ...links } = change as CommandChange;
      changes.apply(links);
      for (const account of accounts) await limiters.endToken(account);
    },
    onMessageFailed: error => logger.error({ err: error }, 'message of a command not applied'),
    onReplaced() {
      logger.fatal('another process has taken over this database: stopping');
      process.exit(1);
    },
    onLost: error =>
      logger.warn({ err: error }, 'lock of the only process lost: reading links from postgres'),
    onRegained: () => logger.info('lock of the only process regained'),
  });
  const changes = createSoleChanges(sole);
  await sole.start();
  lifecycle.defer('lock of the only process', () => sole.stop());
  await requireNoOthers(config);

  const maxLogBytes = config.spoolMaxMb * mebibyte;
  const log = await withSetting('SPOOL_DIR', 'Name a directory that this user may write.', () =>
    openFileLog({ root: config.spoolDir, clock, maxBytes: maxLogBytes }),
  );
  lifecycle.defer('scan log', () => log.close());

  let queue: StoredQueue | null = null;
  let ingestDb: Postgres | null = null;
  const hostRates = createLocalRateLimiter(rateLimitsFor(config.webhookHostRate));
  return {
    isAlone: true,
    limiters,
    watched: {},
    watchedLog: () => ({}),
    openNotifier: () => changes,
    openLease(handler) {
      changes.attach(handler);
      return {
        lease: {
          isGood: () => sole.isHeld(),
          get term() {
            return sole.term;
          },
          renewedMsAgo: () => sole.confirmedMsAgo(),
          get timesLost() {
            return sole.timesLost;
          },
          start: () => undefined,
          stop: async () => undefined,
        },
        changes: {
          // Without the lock another process may have changed anything.
          get epoch() {
            return sole.term;
          },
          get applied() {
            return changes.applied;
          },
          caughtUp: 0,
        },
        roundTripMs: () => null,
      };
    },
    openAppenders: () => [log.appender()],
    scanLog: log,
    maxLogBytes,
    async measure() {
      const { bytes } = await log.readSize();
      return [{ stream: 'scan-log', bytes, maxBytes: maxLogBytes, used: bytes / maxLogBytes }];
    },
    trimExpired: db => trimExpired(db, log, clock.now().getTime() - config.scanLogDays * dayMs),
    openQueue(db) {
      if (queue) return queue;
      const opened = createStoredQueue({ db, ...queueOptions(config) });
      lifecycle.defer('webhook queue', () => opened.close());
      queue = opened;
      return opened;
    },
    openHostRates(onShared) {
      onShared(true);
      return { reserve: async request => hostRates.reserve(request) };
    },
    unknownHosts: createUnknownHosts(clock),
    async handOver(batch) {
      if (!ingestDb) return false;
      await storeNotRedirected(ingestDb, batch);
      return true;
    },
    collect(db) {
      ingestDb = db;
      return () => {
        ingestDb = null;
      };
    },
  };
}

/** Processes that are not solo hold no lock, but one of them counts scans and says so every few seconds. */
async function requireNoOthers(config: Config): Promise<void> {
  const db = createPostgres({ ...config, databasePoolSize: 1 }, () => undefined);
  const seconds = await secondsSinceReader(db).finally(() => db.close());
  if (seconds !== null)
    throw new Error(
      `Another Signpost counted scans on this database ${Math.round(seconds)} s ago, and \`signpost solo\` works only alone. Stop it, and try again after 10 s.`,
    );
}
