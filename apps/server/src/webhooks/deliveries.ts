import type { Caller } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids, Uuid } from '../kernel/ids.ts';
import type { Page, Paged } from '../kernel/page.ts';
import type { Share } from '../limits/shares/share.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import { readAtOnce } from '../platform/postgres/reading/read-at-once.ts';
import { defaultFields } from '../scans/scan.ts';
import { assembleDelivery, findAttempts, listLogged } from './attempt-log.ts';
import { noDetails, scanCreated } from './event.ts';
import * as messageStore from './message-store.ts';
import { requirePlan, type Webhooks } from './service.ts';
import * as store from './store.ts';
import { isLimited, readTestUsage, type TestUsage, takeTestEvent } from './test-limit.ts';
import { accepts, type Delivery, type DeliveryStatus, type LoggedAttempt, type Webhook } from './webhook.ts';

type Parts = {
  readonly lists: Pick<Share, 'take'>;
  readonly webhooks: Pick<Webhooks, 'get'>;
  readonly ids: Ids;
  readonly clock: Clock;
};

export type DeliveryDetail = { readonly delivery: Delivery; readonly log: readonly LoggedAttempt[] };

export type Deliveries = ReturnType<typeof createDeliveries>;

/** How long a statement may take: a long list must not hold a connection of the API. */
const statementMs = 3_000;

/** Deliveries of webhooks: their state, tests, and replays. */
export function createDeliveries({ lists, webhooks, ids, clock }: Parts) {
  /** Nothing is sent to a disabled webhook: accepting a message for it would only look as if. */
  async function requireEnabled(db: Database, caller: Caller, id: Uuid | null): Promise<Webhook> {
    const webhook = await webhooks.get(db, caller, id);
    if (!webhook.enabled) {
      throw new AppError('invalid_transition', 'This webhook is turned off. Turn it on first.');
    }
    return webhook;
  }

  /** The log has the last attempt, and the messages the current state of those that are pending or have failed. */
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

  async function get(db: Database, caller: Caller, id: Uuid | null): Promise<DeliveryDetail> {
    requirePlan(caller);
    if (!id) notFound();
    return await readAtOnce(db, statementMs, async tx => {
      const stored = (await messageStore.findMessages(tx, caller, [id])).get(id);
      const attempts = await findAttempts(tx, caller, id);
      const logged = assembleDelivery(attempts, { accountId: caller.accountId, mode: caller.mode });
      const delivery = stored ?? (logged && withoutPending(logged)) ?? notFound();
      // Deliveries of a deleted webhook are not shown.
      if (!(await store.findEndpoint(tx, caller, delivery.endpointId))) notFound();
      return {
        delivery: { ...delivery, attempts: Math.max(delivery.attempts, attempts.length) },
        log: attempts.map(({ result }) => result),
      };
    });
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
      const slot = await lists.take(caller.accountId, { signal });
      try {
        return await readAtOnce(db, statementMs, async tx => {
          const logged = await listLogged(tx, caller, id, status, page);
          return { ...logged, items: await withCurrentState(tx, caller, logged.items) };
        });
      } finally {
        slot.release();
      }
    },

    /** What is used of the day's messages; null where there is no limit. */
    async testUsage(db: Database, caller: Caller): Promise<TestUsage | null> {
      return isLimited(caller) ? await readTestUsage(db, caller) : null;
    },

    /** Sends an event of the usual shape about a scan that did not happen. */
    async sendTest(db: Database, caller: Caller, webhookId: Uuid | null): Promise<Delivery> {
      const { id: endpointId, includeCodeDetails } = await requireEnabled(db, caller, webhookId);
      const now = clock.now();
      const scan = {
        id: ids.next(),
        qrCodeId: ids.next(),
        atMs: now.getTime(),
        country: 'DE',
        city: 'Berlin',
        device: 'ios' as const,
      };
      await takeTestEvent(db, caller);
      const { accountId, mode } = caller;
      const message = {
        id: ids.next(),
        endpointId,
        accountId,
        mode,
        event: 'scan.created' as const,
        qrCodeId: null,
        body: scanCreated(scan, true, includeCodeDetails ? { ...defaultFields, ...noDetails } : undefined),
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

/** The last attempt to begin failed, but the message is gone: an attempt that began earlier, and ended later, delivered it. */
const withoutPending = (delivery: Delivery): Delivery =>
  delivery.status === 'pending' ? { ...delivery, status: 'delivered', error: null } : delivery;

function notFound(): never {
  throw new AppError('not_found', 'No delivery has this id.');
}
