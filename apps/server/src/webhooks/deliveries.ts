import type { Caller } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids, Uuid } from '../kernel/ids.ts';
import type { Page, Paged } from '../kernel/page.ts';
import type { QueryShare } from '../limits/query-share.ts';
import type { Database } from '../platform/postgres.ts';
import { defaultFields } from '../scans/scan.ts';
import { deliveryOf, findAttempts, listLogged, toLogged } from './attempt-log.ts';
import { scanCreated } from './event.ts';
import * as messageStore from './message-store.ts';
import { requirePlan, type Webhooks } from './service.ts';
import * as store from './store.ts';
import { accepts, type Delivery, type DeliveryStatus, type LoggedAttempt, type Webhook } from './webhook.ts';

type Parts = {
  readonly queries: QueryShare;
  readonly webhooks: Pick<Webhooks, 'get'>;
  readonly ids: Ids;
  readonly clock: Clock;
};

export type DeliveryDetail = { readonly delivery: Delivery; readonly log: readonly LoggedAttempt[] };

export type Deliveries = ReturnType<typeof createDeliveries>;

/** Deliveries of webhooks: their state, tests, and replays. */
export function createDeliveries({ queries, webhooks, ids, clock }: Parts) {
  /** Nothing is sent to a disabled webhook: accepting a message for it would only look as if. */
  async function requireEnabled(db: Database, caller: Caller, id: Uuid | null): Promise<Webhook> {
    const webhook = await webhooks.get(db, caller, id);
    if (!webhook.enabled) {
      throw new AppError('invalid_transition', 'This webhook is turned off. Turn it on first.');
    }
    return webhook;
  }

  /** The log has the last attempt, PostgreSQL the current state: a message in PostgreSQL is pending or has failed. */
  async function withCurrentState(
    db: Database,
    caller: Caller,
    listed: readonly Delivery[],
  ): Promise<Delivery[]> {
    const stored = await messageStore.findMessages(
      db,
      caller,
      listed.map(({ id }) => id),
    );
    return listed.map(delivery => stored.get(delivery.id) ?? withoutPending(delivery));
  }

  /** Queries ClickHouse too, so it must not run inside a transaction. */
  async function get(
    db: Database,
    caller: Caller,
    id: Uuid | null,
    signal?: AbortSignal,
  ): Promise<DeliveryDetail> {
    requirePlan(caller);
    if (!id) notFound();
    const stored = (await messageStore.findMessages(db, caller, [id])).get(id);
    const rows = await queries.by(caller.accountId, { signal }, clickhouse =>
      findAttempts(db, clickhouse, caller, id),
    );
    const logged = deliveryOf(rows, { accountId: caller.accountId, mode: caller.mode });
    const delivery = stored ?? (logged && withoutPending(logged)) ?? notFound();
    // Deliveries of a deleted webhook are not shown.
    if (!(await store.findEndpoint(db, caller, delivery.endpointId))) notFound();
    return {
      delivery: { ...delivery, attempts: Math.max(delivery.attempts, rows.length) },
      log: rows.map(toLogged),
    };
  }

  return {
    get,

    async list(
      db: Database,
      caller: Caller,
      webhookId: Uuid | null,
      page: Page,
      status: DeliveryStatus | null,
      signal?: AbortSignal,
    ): Promise<Paged<Delivery>> {
      const { id } = await webhooks.get(db, caller, webhookId);
      if (status === 'pending' || status === 'failed')
        return await messageStore.listMessages(db, id, status, page);
      const logged = await queries.by(caller.accountId, { most: 2, signal }, clickhouse =>
        listLogged(clickhouse, caller, id, status, page),
      );
      return { ...logged, items: await withCurrentState(db, caller, logged.items) };
    },

    /** Sends an event of the usual shape about a scan that did not happen. */
    async sendTest(db: Database, caller: Caller, webhookId: Uuid | null): Promise<Delivery> {
      const { id: endpointId, includeRouting } = await requireEnabled(db, caller, webhookId);
      const now = clock.now();
      const scan = {
        id: ids.next(),
        qrCodeId: ids.next(),
        atMs: now.getTime(),
        country: 'DE',
        city: 'Berlin',
        device: 'ios' as const,
      };
      const { accountId, mode } = caller;
      const message = {
        id: ids.next(),
        endpointId,
        accountId,
        mode,
        event: 'scan.created' as const,
        qrCodeId: null,
        body: scanCreated(scan, true, includeRouting ? defaultFields : undefined),
      };
      return await messageStore.replayMessage(db, { ...message, ...unattempted, createdAt: now }, now);
    },

    /** Takes a delivery that `get` returned. */
    async replay(db: Database, caller: Caller, delivery: Delivery): Promise<Delivery> {
      const webhook = await requireEnabled(db, caller, delivery.endpointId);
      if (!accepts(webhook, delivery)) {
        throw new AppError(
          'invalid_transition',
          `This webhook no longer subscribes to ${delivery.event}. Add it to its events first.`,
        );
      }
      return await messageStore.replayMessage(db, delivery, clock.now());
    },

    async replayFailed(db: Database, caller: Caller, webhookId: Uuid | null, since: Date): Promise<number> {
      const webhook = await requireEnabled(db, caller, webhookId);
      return await messageStore.replayFailed(db, webhook, since, clock.now());
    },
  };
}

/** The state of a message before its first attempt. */
export const unattempted = {
  status: 'pending',
  attempts: 0,
  responseStatus: null,
  error: null,
  lastAt: null,
  nextAt: null,
  waitingFor: null,
} as const;

/** The log shows it as pending, but it is no longer in PostgreSQL: it was delivered, and the log does not have that yet. */
const withoutPending = (delivery: Delivery): Delivery =>
  delivery.status === 'pending' ? { ...delivery, status: 'delivered', error: null } : delivery;

function notFound(): never {
  throw new AppError('not_found', 'No delivery has this id.');
}
