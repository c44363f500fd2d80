import type { Caller } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids, Uuid } from '../kernel/ids.ts';
import type { Page, Paged } from '../kernel/page.ts';
import type { ClickHouse } from '../platform/clickhouse.ts';
import type { Database } from '../platform/postgres.ts';
import { deliveryOf, findAttempts, listLogged, toLogged } from './attempt-log.ts';
import { scanCreated } from './event.ts';
import { requirePlan, type Webhooks } from './service.ts';
import * as store from './store.ts';
import type { Delivery, DeliveryStatus, LoggedAttempt } from './webhook.ts';

type Parts = {
  readonly db: Database;
  readonly clickhouse: ClickHouse;
  readonly webhooks: Pick<Webhooks, 'get'>;
  readonly ids: Ids;
  readonly clock: Clock;
};

export type Detail = { readonly delivery: Delivery; readonly log: readonly LoggedAttempt[] };

export type Deliveries = ReturnType<typeof createDeliveries>;

/** What was sent, what became of it, and sending it again. */
export function createDeliveries({ db, clickhouse, webhooks, ids, clock }: Parts) {
  /** Nothing is sent to an endpoint that is off: to put something into its line would only look like it. */
  async function requireEnabled(caller: Caller, id: Uuid | null): Promise<Uuid> {
    const { enabled, id: found } = await webhooks.get(caller, id);
    if (!enabled) {
      throw new AppError(
        'invalid_transition',
        'This webhook is disabled. Enable it first with enabled: true.',
      );
    }
    return found;
  }

  /** Of the log what it was, of PostgreSQL what it is: a message that PostgreSQL holds has a try to come or has failed. */
  async function withState(caller: Caller, listed: readonly Delivery[]): Promise<Delivery[]> {
    const held = await store.findMessages(
      db,
      caller,
      listed.map(({ id }) => id),
    );
    return listed.map(delivery => held.get(delivery.id) ?? settled(delivery));
  }

  async function get(caller: Caller, id: Uuid | null): Promise<Detail> {
    requirePlan(caller);
    if (!id) notFound();
    const held = (await store.findMessages(db, caller, [id])).get(id);
    const rows = await findAttempts(db, clickhouse, caller, id);
    const logged = deliveryOf(rows, { accountId: caller.accountId, mode: caller.mode });
    const delivery = held ?? (logged && settled(logged)) ?? notFound();
    // The webhook may be gone, and its deliveries with it.
    if (!(await store.findEndpoint(db, caller, delivery.endpointId))) notFound();
    return {
      delivery: { ...delivery, attempts: Math.max(delivery.attempts, rows.length) },
      log: rows.map(toLogged),
    };
  }

  return {
    get,

    async list(
      caller: Caller,
      webhookId: Uuid | null,
      page: Page,
      status: DeliveryStatus | null,
    ): Promise<Paged<Delivery>> {
      const { id } = await webhooks.get(caller, webhookId);
      if (status === 'pending' || status === 'failed') return await store.listMessages(db, id, status, page);
      const logged = await listLogged(clickhouse, caller, id, status, page);
      return { ...logged, items: await withState(caller, logged.items) };
    },

    /** An event of the usual shape about a scan that never was. */
    async sendTest(on: Database, caller: Caller, webhookId: Uuid | null): Promise<Delivery> {
      const endpointId = await requireEnabled(caller, webhookId);
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
        qrCodeId: null,
        body: scanCreated(scan, true),
      };
      return await store.replayMessage(on, { ...message, ...untried, createdAt: now }, now);
    },

    async replay(on: Database, caller: Caller, id: Uuid | null): Promise<Delivery> {
      const { delivery } = await get(caller, id);
      await requireEnabled(caller, delivery.endpointId);
      return await store.replayMessage(on, delivery, clock.now());
    },

    async replayFailed(on: Database, caller: Caller, webhookId: Uuid | null, since: Date): Promise<number> {
      const endpointId = await requireEnabled(caller, webhookId);
      return await store.replayFailed(on, endpointId, since, clock.now());
    },
  };
}

/** How a message stands before its first try. */
export const untried = {
  status: 'pending',
  attempts: 0,
  responseStatus: null,
  error: null,
  lastAt: null,
  nextAt: null,
} as const;

/** The log said that a try was to come, and PostgreSQL no longer holds the message: it is on its way to the log. */
const settled = (delivery: Delivery): Delivery =>
  delivery.status === 'pending' ? { ...delivery, status: 'delivered', error: null } : delivery;

function notFound(): never {
  throw new AppError('not_found', 'No delivery has this id.');
}
