import type { Caller } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids, Uuid } from '../kernel/ids.ts';
import type { Page, Paged } from '../kernel/page.ts';
import type { Questions } from '../limits/questions.ts';
import type { Database } from '../platform/postgres.ts';
import { deliveryOf, findAttempts, listLogged, toLogged } from './attempt-log.ts';
import { scanCreated } from './event.ts';
import { requirePlan, type Webhooks } from './service.ts';
import * as store from './store.ts';
import { type Delivery, type DeliveryStatus, type LoggedAttempt, takes, type Webhook } from './webhook.ts';

type Parts = {
  readonly questions: Questions;
  readonly webhooks: Pick<Webhooks, 'get'>;
  readonly ids: Ids;
  readonly clock: Clock;
};

export type Detail = { readonly delivery: Delivery; readonly log: readonly LoggedAttempt[] };

export type Deliveries = ReturnType<typeof createDeliveries>;

/** What was sent, what became of it, and sending it again. */
export function createDeliveries({ questions, webhooks, ids, clock }: Parts) {
  /** Nothing is sent to an endpoint that is off: to put something into its line would only look like it. */
  async function requireEnabled(on: Database, caller: Caller, id: Uuid | null): Promise<Webhook> {
    const webhook = await webhooks.get(on, caller, id);
    if (!webhook.enabled) {
      throw new AppError(
        'invalid_transition',
        'This webhook is disabled. Enable it first with enabled: true.',
      );
    }
    return webhook;
  }

  /** Of the log what it was, of PostgreSQL what it is: a message that PostgreSQL holds has a try to come or has failed. */
  async function withState(on: Database, caller: Caller, listed: readonly Delivery[]): Promise<Delivery[]> {
    const held = await store.findMessages(
      on,
      caller,
      listed.map(({ id }) => id),
    );
    return listed.map(delivery => held.get(delivery.id) ?? settled(delivery));
  }

  /** Asks ClickHouse as well: no part of a transaction. */
  async function get(on: Database, caller: Caller, id: Uuid | null, signal?: AbortSignal): Promise<Detail> {
    requirePlan(caller);
    if (!id) notFound();
    const held = (await store.findMessages(on, caller, [id])).get(id);
    const rows = await questions.by(caller.accountId, { signal }, clickhouse =>
      findAttempts(on, clickhouse, caller, id),
    );
    const logged = deliveryOf(rows, { accountId: caller.accountId, mode: caller.mode });
    const delivery = held ?? (logged && settled(logged)) ?? notFound();
    // The webhook may be gone, and its deliveries with it.
    if (!(await store.findEndpoint(on, caller, delivery.endpointId))) notFound();
    return {
      delivery: { ...delivery, attempts: Math.max(delivery.attempts, rows.length) },
      log: rows.map(toLogged),
    };
  }

  return {
    get,

    async list(
      on: Database,
      caller: Caller,
      webhookId: Uuid | null,
      page: Page,
      status: DeliveryStatus | null,
      signal?: AbortSignal,
    ): Promise<Paged<Delivery>> {
      const { id } = await webhooks.get(on, caller, webhookId);
      if (status === 'pending' || status === 'failed') return await store.listMessages(on, id, status, page);
      const logged = await questions.by(caller.accountId, { most: 2, signal }, clickhouse =>
        listLogged(clickhouse, caller, id, status, page),
      );
      return { ...logged, items: await withState(on, caller, logged.items) };
    },

    /** An event of the usual shape about a scan that never was. */
    async sendTest(on: Database, caller: Caller, webhookId: Uuid | null): Promise<Delivery> {
      const { id: endpointId } = await requireEnabled(on, caller, webhookId);
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
        body: scanCreated(scan, true),
      };
      return await store.replayMessage(on, { ...message, ...untried, createdAt: now }, now);
    },

    /** Of a delivery that was found by `get`. */
    async replay(on: Database, caller: Caller, delivery: Delivery): Promise<Delivery> {
      const webhook = await requireEnabled(on, caller, delivery.endpointId);
      if (!takes(webhook, delivery)) {
        throw new AppError(
          'invalid_transition',
          `This webhook does not take ${delivery.event} any more. Add it to its events first.`,
        );
      }
      return await store.replayMessage(on, delivery, clock.now());
    },

    async replayFailed(on: Database, caller: Caller, webhookId: Uuid | null, since: Date): Promise<number> {
      const webhook = await requireEnabled(on, caller, webhookId);
      return await store.replayFailed(on, webhook, since, clock.now());
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
  waitingFor: null,
} as const;

/** The log said that a try was to come, and PostgreSQL no longer holds the message: it is on its way to the log. */
const settled = (delivery: Delivery): Delivery =>
  delivery.status === 'pending' ? { ...delivery, status: 'delivered', error: null } : delivery;

function notFound(): never {
  throw new AppError('not_found', 'No delivery has this id.');
}
