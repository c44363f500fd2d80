import {
  type DeliveryList,
  operations,
  type UpdateWebhook,
  type Attempt as WireAttempt,
  type Delivery as WireDelivery,
  type Webhook as WireWebhook,
} from '@signpost/contract';
import { disconnectSignal } from '../http/connections/client-disconnect.ts';
import type { Routes } from '../http/routes.ts';
import { AppError } from '../kernel/errors.ts';
import { formatId, parseId, zeroId } from '../kernel/ids.ts';
import { presentPage } from '../kernel/page.ts';
import { distinctTags } from '../qrcodes/tags/tag.ts';
import type { Deliveries, DeliveryDetail } from './deliveries.ts';
import type { SecretCipher } from './secret.ts';
import type { Webhooks, WebhookWithSecret } from './service.ts';
import type { TestUsage } from './test-limit.ts';
import { type Delivery, isTest, type LoggedAttempt, type Webhook } from './webhook.ts';

const dayInSeconds = 86_400;

/** The API of webhooks. Wire names are mapped here and nowhere else. */
export function addWebhookRoutes(
  routes: Routes,
  webhooks: Webhooks,
  deliveries: Deliveries,
  cipher: SecretCipher,
): void {
  // An answer that is kept for a repeated request has the secret in it.
  const bodyCipher = {
    encrypt: (body: string) => encrypt(cipher, body),
    decrypt: (body: string) => decrypt(cipher, body),
  };

  routes.add(
    operations.createWebhook,
    async ({ db, caller, body }) => {
      const { url, description = '', events = ['scan.created'], enabled = true } = body;
      const includeCodeDetails = readIncludeCodeDetails(body) ?? false;
      const { qrIds = null, tags = null } = readFilter(body);
      const webhook = { url, description, events, includeCodeDetails, qrIds, tags, enabled };
      return presentWithSecret(await webhooks.create(db, caller, webhook));
    },
    { bodyCipher, prepare: ({ caller, body }) => webhooks.check(caller, body) },
  );

  routes.add(operations.listWebhooks, async ({ db, caller }) => ({
    data: (await webhooks.list(db, caller)).map(present),
  }));

  routes.add(operations.getWebhook, async ({ db, caller, params }) =>
    present(await webhooks.get(db, caller, parseId('whk', params.id))),
  );

  routes.add(
    operations.updateWebhook,
    async ({ db, caller, params, body }) => {
      const { url, description, events, enabled } = body;
      const includeCodeDetails = readIncludeCodeDetails(body);
      const change = { url, description, events, enabled, includeCodeDetails, ...readFilter(body) };
      return present(await webhooks.update(db, caller, parseId('whk', params.id), change));
    },
    {
      prepare: ({ db, caller, params, body }) =>
        webhooks.checkChange(db, caller, parseId('whk', params.id), body),
    },
  );

  routes.add(operations.deleteWebhook, async ({ db, caller, params }) => {
    await webhooks.delete(db, caller, parseId('whk', params.id));
    return { deleted: true as const, id: params.id };
  });

  routes.add(
    operations.rotateWebhookSecret,
    async ({ db, caller, params, body }) => {
      const seconds = body.old_secret_expires_in ?? dayInSeconds;
      return presentWithSecret(await webhooks.rotate(db, caller, parseId('whk', params.id), seconds));
    },
    { bodyCipher },
  );

  routes.add(operations.testWebhook, async ({ db, caller, params }) =>
    presentDelivery(await deliveries.sendTest(db, caller, parseId('whk', params.id))),
  );

  routes.add(operations.listWebhookDeliveries, async ({ db, caller, params, query, raw }) => {
    const page = { page: query.page ?? 1, limit: query.limit ?? 20 };
    const [id, status] = [parseId('whk', params.id), query.status ?? null];
    const found = await deliveries.list(db, caller, id, page, status, disconnectSignal(raw.reply));
    return {
      data: found.items.map(presentDelivery),
      pagination: presentPage(found),
      test_limit: presentUsage(await deliveries.testUsage(db, caller)),
    };
  });

  routes.add(operations.replayFailedDeliveries, async ({ db, caller, params, body }) => ({
    replayed: await deliveries.replayFailed(db, caller, parseId('whk', params.id), parseSince(body.since)),
  }));

  routes.add(operations.getWebhookDelivery, async ({ db, caller, params }) => {
    const id = parseId('msg', params.id);
    const { delivery, log } = await deliveries.get(db, caller, id);
    return { ...presentDelivery(delivery), body: delivery.body, attempt_log: log.map(presentAttempt) };
  });

  routes.add(
    operations.replayWebhookDelivery,
    async ({ db, caller }, { delivery }: DeliveryDetail) =>
      presentDelivery(await deliveries.replay(db, caller, delivery)),
    {
      prepare: ({ db, caller, params }) => deliveries.get(db, caller, parseId('msg', params.id)),
    },
  );
}

const encrypt = (cipher: SecretCipher, body: string) => cipher.encrypt(Buffer.from(body)).toString('base64');
const decrypt = (cipher: SecretCipher, body: string) =>
  cipher.decrypt(Buffer.from(body, 'base64')).toString();

/** `include_routing` is an alias. Where both are sent and differ, we must not guess. */
function readIncludeCodeDetails({
  include_code_details: given,
  include_routing: alias,
}: Pick<UpdateWebhook, 'include_code_details' | 'include_routing'>): boolean | undefined {
  if (given === undefined || alias === undefined || given === alias) return given ?? alias;
  throw new AppError(
    'invalid_request',
    'include_routing and include_code_details differ. Send only include_code_details.',
    { param: 'include_routing' },
  );
}

/** Ids that no code can have stand for one that nobody has. */
const readFilter = ({ qr_ids, tags }: Pick<UpdateWebhook, 'qr_ids' | 'tags'>) => ({
  qrIds: qr_ids === null ? null : qr_ids?.map(id => parseId('qr', id) ?? zeroId),
  tags: tags && distinctTags(tags),
});

/** Clamped to years that PostgreSQL can compare with. */
function parseSince(text: string): Date {
  const at = /^[+-]?\d{4,6}-\d\d-\d\dT\d\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) {
    throw new AppError('invalid_request', 'since must be a time in ISO 8601, like 2026-11-15T08:00:00Z.', {
      param: 'since',
    });
  }
  return new Date(Math.min(Math.max(at, Date.UTC(2000)), Date.UTC(2200)));
}

const present = (webhook: Webhook): WireWebhook => ({
  id: formatId('whk', webhook.id),
  url: webhook.url,
  description: webhook.description,
  events: [...webhook.events],
  include_code_details: webhook.includeCodeDetails,
  include_routing: webhook.includeCodeDetails,
  qr_ids: webhook.qrIds?.map(id => formatId('qr', id)) ?? null,
  tags: webhook.tags && [...webhook.tags],
  enabled: webhook.enabled,
  disabled_reason: webhook.disabledReason,
  failing_since: webhook.failingSince?.toISOString() ?? null,
  old_secret_expires_at: webhook.oldSecretUntil?.toISOString() ?? null,
  created_at: webhook.createdAt.toISOString(),
  updated_at: webhook.updatedAt.toISOString(),
});

const presentWithSecret = ({ webhook, secret }: WebhookWithSecret) => ({ ...present(webhook), secret });

const presentDelivery = (delivery: Delivery): WireDelivery => ({
  id: formatId('msg', delivery.id),
  webhook_id: formatId('whk', delivery.endpointId),
  event: delivery.event,
  test: isTest(delivery),
  status: delivery.status,
  attempts: delivery.attempts,
  response_status: delivery.responseStatus,
  error: delivery.error,
  created_at: delivery.createdAt.toISOString(),
  last_attempt_at: delivery.lastAt?.toISOString() ?? null,
  next_attempt_at: delivery.nextAt?.toISOString() ?? null,
  waiting_for: delivery.waitingFor,
});

const presentUsage = (usage: TestUsage | null): DeliveryList['test_limit'] =>
  usage && {
    per_day: usage.limit,
    used: usage.used,
    not_queued: usage.refused,
    resets_at: usage.resetsAt.toISOString(),
  };

const presentAttempt = (attempt: LoggedAttempt): WireAttempt => ({
  at: attempt.at.toISOString(),
  duration_ms: attempt.durationMs,
  succeeded: attempt.error === null,
  response_status: attempt.responseStatus,
  error: attempt.error,
  response_body: attempt.response,
});
