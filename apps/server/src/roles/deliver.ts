import { createIds } from '../kernel/ids.ts';
import type { ClickHouse } from '../platform/clickhouse.ts';
import { createPostgres } from '../platform/postgres.ts';
import { createRedis } from '../platform/redis.ts';
import { createAddressGuard } from '../webhooks/address-guard.ts';
import { createWebhookChores } from '../webhooks/chores.ts';
import { createCourier } from '../webhooks/courier.ts';
import { createHostRates } from '../webhooks/host-rates.ts';
import { createCourierMetrics } from '../webhooks/metrics.ts';
import { createQueue } from '../webhooks/queue.ts';
import { createHostResolver } from '../webhooks/resolver.ts';
import { createSecretBox } from '../webhooks/secret.ts';
import { createSender } from '../webhooks/sender.ts';
import { limitsFor } from '../webhooks/turns.ts';
import { watchEngines } from './readiness-checks.ts';
import type { Shared } from './shared.ts';
import { queueOptions } from './stream-options.ts';

/** Brings webhook messages to the owners' URLs; starts at once. */
export async function startDeliver(
  { config, logger, metrics, pools, lifecycle, readiness, clock, nats, tracer }: Shared,
  clickhouse: ClickHouse,
): Promise<void> {
  const lost = (error: Error) => logger.warn({ err: error }, 'postgres connection lost');
  const db = createPostgres(config, lost, pools.of('deliver'));
  lifecycle.defer('postgres of deliver', () => db.close());
  watchEngines(readiness, { postgres: db, nats, clickhouse }, ['postgres', 'nats']);
  if (config.webhookSecretKeys.length === 0) {
    logger.warn('WEBHOOK_SECRET_KEYS is not set: no webhook can be made or sent');
  }
  warnOfOpenRanges(config.webhookAllowCidrs, logger);

  const queue = createQueue(nats, queueOptions(config));
  const { counters, backlog, shared } = createCourierMetrics(metrics.registry);
  const rates = openRates({ config, logger, lifecycle }, shared);
  const resolver = createHostResolver(createAddressGuard(config.webhookAllowCidrs), config.webhookDnsServers);
  const sender = createSender({ resolver, clock });
  lifecycle.defer('sender', () => sender.close());
  const chores = createWebhookChores({ db, clickhouse, queue, clock, logger, onBacklog: backlog });
  lifecycle.defer('webhook chores', () => chores.stop());
  const courier = createCourier({
    db,
    queue,
    sender,
    rates,
    box: createSecretBox(config.webhookSecretKeys),
    clock,
    ids: createIds(clock),
    logger,
    counters,
    places: config.webhookPlaces,
    tracer,
  });
  lifecycle.defer('courier', () => courier.stop(config.shutdownTimeoutMs / 2));
  chores.start();
  courier.start();
}

/** A webhook can wait longer for Redis than a call of the API: to count alone would be the greater fault. */
const redisTimeoutMs = 1_000;

function openRates(
  { config, logger, lifecycle }: Pick<Shared, 'config' | 'logger' | 'lifecycle'>,
  onShared: (isShared: boolean) => void,
) {
  const onError = (error: Error) => logger.debug({ err: error }, 'redis connection error');
  const redis = createRedis({ ...config, redisTimeoutMs }, onError, { patient: true });
  lifecycle.defer('redis of deliver', () => redis.disconnect());
  let wasShared = true;
  return createHostRates({
    redis,
    limits: limitsFor(config.webhookHostRate),
    onShared(isShared, error) {
      onShared(isShared);
      if (wasShared && !isShared)
        logger.warn({ err: error }, 'redis is away: this process keeps the rates of webhook hosts by itself');
      if (!wasShared && isShared) logger.info('redis keeps the rates of webhook hosts again');
      wasShared = isShared;
    },
  });
}

/** Said loudly: whoever may make a webhook can reach these addresses through this process. */
export function warnOfOpenRanges(ranges: readonly string[], logger: Pick<Shared['logger'], 'warn'>): void {
  if (ranges.length > 0) {
    logger.warn({ ranges }, 'WEBHOOK_ALLOW_CIDRS opens private addresses to whoever may make a webhook');
  }
}
