import type { Mode } from '../kernel/caller.ts';
import type { Uuid } from '../kernel/ids.ts';
import { type Database, sql } from '../platform/postgres.ts';
import {
  accountReleased,
  accountSuspended,
  eventIdOf,
  messageId,
  qrCodeReleased,
  qrCodeSuspended,
} from './event.ts';
import type { EventKind } from './webhook.ts';

/** A code that was stopped for safety, for one reason. */
export type Suspended = OfCode & { readonly suspendedAt: Date };

/** A code whose last suspension was released, with the reason of it. */
export type Released = OfCode & { readonly releasedAt: Date };

type OfCode = {
  readonly qrCodeId: Uuid;
  readonly accountId: Uuid;
  readonly mode: Mode;
  readonly reason: string;
};

/**
 * Tells owners that codes were stopped. Part of the transaction that stops them: it is told if, and only if, that commits.
 * Told again, with the same reason and time, it has the same ids.
 */
export function announceSuspended(tx: Database, suspended: readonly Suspended[]): Promise<void> {
  const told = suspended.map(one => ({ ...one, at: one.suspendedAt }));
  return announce(tx, 'qrcode.suspended', told, qrCodeSuspended);
}

/** The same for codes that nothing stops any more. */
export function announceReleased(tx: Database, released: readonly Released[]): Promise<void> {
  const told = released.map(one => ({ ...one, at: one.releasedAt }));
  return announce(tx, 'qrcode.released', told, qrCodeReleased);
}

/** An account that was stopped for safety, or released from that. */
export type OfAccount = { readonly accountId: Uuid; readonly reason: string; readonly at: Date };

/** One message for each endpoint of the account, of both modes, however many codes it has. */
export function announceAccountSuspended(tx: Database, account: OfAccount): Promise<void> {
  return announce(tx, 'account.suspended', inBothModes(account), accountSuspended);
}

/** The same for an account that was released, with the reason that it was stopped for. */
export function announceAccountReleased(tx: Database, account: OfAccount): Promise<void> {
  return announce(tx, 'account.released', inBothModes(account), accountReleased);
}

const inBothModes = (account: OfAccount) =>
  (['live', 'test'] as const).map(mode => ({ ...account, mode, qrCodeId: null }));

type Told = OfAccount & { readonly mode: Mode; readonly qrCodeId: Uuid | null };

/** Messages of one statement: some megabytes of bodies. */
const atOnce = 10_000;

/** Who listens is asked first: of most accounts nobody does, and then nothing is worked out for their codes. */
async function announce<One extends Told>(
  tx: Database,
  kind: EventKind,
  told: readonly One[],
  bodyOf: (one: One, at: Date) => string,
): Promise<void> {
  if (told.length === 0) return;
  const accounts = [...new Set(told.map(({ accountId }) => accountId))];
  const listeners = Map.groupBy(
    await tx.query<Listener>(findListeners, [kind, accounts]),
    ({ account_id, mode }) => account_id + mode,
  );
  const messages = told.flatMap(one => {
    const endpoints = listeners.get(one.accountId + one.mode);
    if (!endpoints) return [];
    const eventId = eventIdOf(one.at, kind, one.qrCodeId ?? one.accountId, one.reason);
    const body = bodyOf(one, one.at);
    return endpoints.map(({ id }) => ({ ...one, id: messageId(eventId, id), endpointId: id, body }));
  });
  for (let start = 0; start < messages.length; start += atOnce) {
    const part = messages.slice(start, start + atOnce);
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

type Listener = { readonly id: Uuid; readonly account_id: Uuid; readonly mode: Mode };

const findListeners = sql(
  'webhook-find-listeners',
  `select e.id, e.account_id, e.mode
     from webhook_endpoints e
     join accounts a on a.id = e.account_id
     join plans p on p.name = a.plan and p.webhooks
    where e.account_id = any($2::uuid[]) and e.enabled and e.deleted_at is null and $1 = any(e.events)
    order by e.id`,
);

/** Due at once, for whoever looks in PostgreSQL for what is. */
const addMessages = sql(
  'webhook-announce-events',
  `insert into webhook_messages (id, endpoint_id, account_id, mode, qr_code_id, event, body, created_at, status, tries, attempts,
                                 next_at)
   select id, endpoint, account, mode, code, $1, body, at, 'pending', 0, 0, at
     from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::mode[], $6::uuid[], $7::text[], $8::timestamptz[])
            as told (id, endpoint, account, mode, code, body, at)
    order by id
   on conflict (id) do nothing`,
);
