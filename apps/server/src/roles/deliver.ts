import { createIds } from '../kernel/ids.ts';
import type { ClickHouse } from '../platform/clickhouse.ts';
import { createPostgres } from '../platform/postgres.ts';
import { createAddressGuard } from '../webhooks/address-guard.ts';
import { createWebhookChores } from '../webhooks/chores.ts';
import { createCourier } from '../webhooks/courier.ts';
import { createCourierMetrics } from '../webhooks/metrics.ts';
import { createQueue } from '../webhooks/queue.ts';
import { createHostResolver } from '../webhooks/resolver.ts';
import { createSecretBox } from '../webhooks/secret.ts';
import { createSender } from '../webhooks/sender.ts';
import { watchEngines } from './readiness-checks.ts';
import type { Shared } from './shared.ts';

/** Brings webhook messages to the owners' URLs; starts at once. */
export async function startDeliver(
  { config, logger, metrics, lifecycle, readiness, clock, nats, tracer }: Shared,
  clickhouse: ClickHouse,
): Promise<void> {
  const db = createPostgres(config, error => logger.warn({ err: error }, 'postgres connection lost'));
  lifecycle.defer('postgres of deliver', () => db.close());
  watchEngines(readiness, { postgres: db, nats, clickhouse }, ['postgres', 'nats']);
  if (config.webhookSecretKeys.length === 0) {
    logger.warn('WEBHOOK_SECRET_KEYS is not set: no webhook can be made or sent');
  }
  warnOfOpenRanges(config.webhookAllowCidrs, logger);

  const queue = createQueue(nats, config.scanLogReplicas);
  const { counters, backlog } = createCourierMetrics(metrics.registry);
  const resolver = createHostResolver(createAddressGuard(config.webhookAllowCidrs), config.webhookDnsServers);
  const sender = createSender({ resolver, clock });
  lifecycle.defer('sender', () => sender.close());
  const chores = createWebhookChores({ db, clickhouse, queue, clock, logger, onBacklog: backlog });
  lifecycle.defer('webhook chores', () => chores.stop());
  const courier = createCourier({
    db,
    queue,
    sender,
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

/** Said loudly: whoever may make a webhook can reach these addresses through this process. */
export function warnOfOpenRanges(ranges: readonly string[], logger: Pick<Shared['logger'], 'warn'>): void {
  if (ranges.length > 0) {
    logger.warn({ ranges }, 'WEBHOOK_ALLOW_CIDRS opens private addresses to whoever may make a webhook');
  }
}
