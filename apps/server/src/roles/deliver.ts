import { createPostgres } from '../platform/postgres/postgres.ts';
import { createAddressGuard } from '../webhooks/address-guard.ts';
import { createSender } from '../webhooks/delivery/attempts/sender.ts';
import { createWebhookJobs } from '../webhooks/delivery/background-jobs.ts';
import { Dispatcher } from '../webhooks/delivery/dispatcher.ts';
import { createDispatcherMetrics } from '../webhooks/delivery/metrics.ts';
import { createHostResolver } from '../webhooks/resolver.ts';
import { createSecretCipher } from '../webhooks/secret.ts';
import { pickNats, watchEngines } from './engines/readiness-checks.ts';
import type { Shared } from './shared.ts';

/** Delivers webhook messages to the owners' URLs once the process has started. */
export async function startDeliver({
  config,
  logger,
  metrics,
  pools,
  lifecycle,
  readiness,
  clock,
  engines,
  tracer,
  onConnectionLost,
}: Shared): Promise<void> {
  const db = createPostgres(config, onConnectionLost, pools.observerFor('deliver'));
  lifecycle.defer('postgres of deliver', () => db.close());
  watchEngines(readiness, { postgres: db, ...pickNats(engines) }, ['postgres', 'nats']);
  if (config.webhookSecretKeys.length === 0) {
    logger.warn(
      'WEBHOOK_SECRET_KEYS is not set: no webhook can be created or sent. Set it to turn webhooks on',
    );
  }
  warnOfOpenRanges(config.webhookAllowCidrs, logger);

  const queue = engines.openQueue(db);
  const { counters, backlog, shared } = createDispatcherMetrics(metrics.registry);
  const rateLimiter = engines.openHostRates(logHostRates(logger, shared));
  const resolver = createHostResolver(createAddressGuard(config.webhookAllowCidrs), config.webhookDnsServers);
  const sender = createSender({ resolver, clock });
  lifecycle.defer('sender', () => sender.close());
  const jobs = createWebhookJobs({
    db,
    queue,
    clock,
    logger,
    onBacklog: backlog,
    emptiesStoredQueue: !engines.isAlone,
  });
  lifecycle.defer('webhook jobs', () => jobs.stop());
  const dispatcher = new Dispatcher({
    db,
    queue,
    sender,
    rateLimiter,
    cipher: createSecretCipher(config.webhookSecretKeys),
    clock,
    logger,
    counters,
    concurrency: config.webhookConcurrency,
    tracer,
  });
  lifecycle.defer('dispatcher', () => dispatcher.stop(config.shutdownTimeoutMs / 2));
  lifecycle.whenStarted(() => {
    jobs.start();
    dispatcher.start();
  });
}

/** Reports once when Redis is away and each process limits alone, and once when it is back. */
function logHostRates(logger: Shared['logger'], onShared: (isShared: boolean) => void) {
  let wasShared = true;
  return (isShared: boolean, error?: unknown) => {
    onShared(isShared);
    if (wasShared && !isShared)
      logger.warn({ err: error }, 'redis is away: this process limits the rates of webhook hosts alone');
    if (!wasShared && isShared)
      logger.info('redis is back: all processes limit the rates of webhook hosts together');
    wasShared = isShared;
  };
}

/** A warning, since everybody who may create a webhook can reach these addresses through this process. */
function warnOfOpenRanges(ranges: readonly string[], logger: Pick<Shared['logger'], 'warn'>): void {
  if (ranges.length > 0) {
    logger.warn(
      { ranges },
      'WEBHOOK_ALLOW_CIDRS opens private addresses to everybody who may create a webhook',
    );
  }
}
