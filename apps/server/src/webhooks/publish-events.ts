import type { Mode } from '../kernel/caller.ts';
import type { Uuid } from '../kernel/ids.ts';
import { type Database, sql } from '../platform/postgres/postgres.ts';
import {
  accountReleased,
  accountSuspended,
  deriveEventId,
  messageId,
  qrCodeReleased,
  qrCodeSuspended,
} from './event.ts';
import { takeMessages, withinLimits } from './test-limit.ts';
import type { EventKind } from './webhook.ts';

/** A code that was suspended, for one reason. */
export type Suspended = CodeEvent & { readonly suspendedAt: Date };

/** A code whose last suspension was released, with the reason of that suspension. */
export type Released = CodeEvent & { readonly releasedAt: Date };

type CodeEvent = {
  readonly qrCodeId: Uuid;
  readonly accountId: Uuid;
  readonly mode: Mode;
  readonly reason: string;
};

/**
 * Publishes suspensions of codes, in the transaction that suspends them: both commit or neither. Idempotent: the same
 * reason and time give the same ids.
 */
export function publishSuspended(tx: Database, suspended: readonly Suspended[]): Promise<void> {
  const events = suspended.map(code => ({ ...code, at: code.suspendedAt }));
  return publish(tx, 'qrcode.suspended', events, qrCodeSuspended);
}

/** The same for codes that are no longer suspended. */
export function publishReleased(tx: Database, released: readonly Released[]): Promise<void> {
  const events = released.map(code => ({ ...code, at: code.releasedAt }));
  return publish(tx, 'qrcode.released', events, qrCodeReleased);
}

/** A suspension of an account, or its release. */
export type AccountEvent = { readonly accountId: Uuid; readonly reason: string; readonly at: Date };

/** One message for each endpoint of the account, in both modes, however many codes it has. */
export function publishAccountSuspended(tx: Database, account: AccountEvent): Promise<void> {
  return publish(tx, 'account.suspended', inBothModes(account), accountSuspended);
}

/** The same for the release of an account, with the reason of its suspension. */
export function publishAccountReleased(tx: Database, account: AccountEvent): Promise<void> {
  return publish(tx, 'account.released', inBothModes(account), accountReleased);
}

const inBothModes = (account: AccountEvent) =>
  (['live', 'test'] as const).map(mode => ({ ...account, mode, qrCodeId: null }));

type PublishedEvent = AccountEvent & { readonly mode: Mode; readonly qrCodeId: Uuid | null };

/** Messages per statement: some megabytes of bodies. */
const maxPerStatement = 10_000;

/** Reads the subscribers first: most accounts have none, and then no body is made for their codes. */
async function publish<Event extends PublishedEvent>(
  tx: Database,
  kind: EventKind,
  events: readonly Event[],
  writeBody: (event: Event, at: Date) => string,
): Promise<void> {
  if (events.length === 0) return;
  const accounts = [...new Set(events.map(({ accountId }) => accountId))];
  const subscribers = Map.groupBy(
    await tx.query<Subscriber>(findSubscribers, [kind, accounts]),
    ({ account_id, mode }) => account_id + mode,
  );
  const wanted = events.flatMap(event => {
    const endpoints = subscribers.get(event.accountId + event.mode);
    if (!endpoints) return [];
    const eventId = deriveEventId(event.at, kind, event.qrCodeId ?? event.accountId, event.reason);
    const body = writeBody(event, event.at);
    return endpoints.map(({ id, limited }) => ({
      ...event,
      id: messageId(eventId, id),
      endpointId: id,
      body,
      isLimited: limited,
    }));
  });
  const messages = await withinLimits(wanted, amounts => takeMessages(tx, amounts));
  for (let start = 0; start < messages.length; start += maxPerStatement) {
    const part = messages.slice(start, start + maxPerStatement);
    await tx.query(addMessages, [
      kind,
      part.map(message => message.id),
      part.map(message => message.endpointId),
      part.map(message => message.accountId),
      part.map(message => message.mode),
      part.map(message => message.qrCodeId),
      part.map(message => message.body),
      part.map(message => message.at),
    ]);
  }
}

type Subscriber = {
  readonly id: Uuid;
  readonly account_id: Uuid;
  readonly mode: Mode;
  /** Whether the account has a limit of messages per day. */
  readonly limited: boolean;
};

const findSubscribers = sql(
  'webhook-find-subscribers',
  `select e.id, e.account_id, e.mode, not p.webhooks as limited
     from webhook_endpoints e
     join accounts a on a.id = e.account_id
     join plans p on p.name = a.plan and (p.webhooks or e.mode = 'test')
    where e.account_id = any($2::uuid[]) and e.enabled and e.deleted_at is null and $1 = any(e.events)
    order by e.id`,
);

/** Due at once: a retry poller picks them up. */
const addMessages = sql(
  'webhook-publish-events',
  `insert into webhook_messages (id, endpoint_id, account_id, mode, qr_code_id, event, body, created_at, status, tries, attempts,
                                 next_at)
   select id, endpoint, account, mode, code, $1, body, at, 'pending', 0, 0, at
     from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::mode[], $6::uuid[], $7::text[], $8::timestamptz[])
            as published (id, endpoint, account, mode, code, body, at)
    order by id
   on conflict (id) do nothing`,
);
