import type { Config } from '../config/config.ts';
import type { Routes } from '../http/routes.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Ids, Uuid } from '../kernel/ids.ts';
import type { Share } from '../limits/shares/share.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import { createAddressGuard } from './address-guard.ts';
import { createDeliveries } from './deliveries.ts';
import { createHostResolver } from './resolver.ts';
import { addWebhookRoutes } from './routes.ts';
import { createSecretCipher } from './secret.ts';
import { createWebhooks } from './service.ts';
import { disableAccountEndpoints } from './store.ts';

type Parts = {
  readonly routes: Routes;
  readonly config: Config;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly deliveryLists: Share;
};

/** What owners manage: endpoints, their secrets, and the log of deliveries. */
export function registerWebhooks({ routes, config, ids, clock, deliveryLists }: Parts) {
  const cipher = createSecretCipher(config.webhookSecretKeys);
  const resolver = createHostResolver(createAddressGuard(config.webhookAllowCidrs), config.webhookDnsServers);
  const webhooks = createWebhooks({ ids, clock, resolver, cipher, limit: config.webhooksPerAccount });
  const deliveries = createDeliveries({ lists: deliveryLists, webhooks, ids, clock });
  addWebhookRoutes(routes, webhooks, deliveries, cipher);
  return {
    disableAll: (tx: Database, accountId: Uuid, createdBy?: Uuid) =>
      disableAccountEndpoints(tx, accountId, clock.now(), createdBy),
  };
}
