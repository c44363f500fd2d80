import { type Database, sql } from '../../../platform/postgres/postgres.ts';
import type { Unsent } from './queue-publisher.ts';

/** Messages per statement: some megabytes of bodies. */
const maxPerStatement = 5_000;

/**
 * An unconfirmed message normally has its first attempt from the queue, which removes it here. Where that attempt came
 * before this row, the check of unconfirmed messages removes it, well before this delay ends.
 */
const unconfirmedDelayMs = 10_000;

/**
 * Stores messages that the queue did not take where retries wait, due at once. In the same transaction it notes that their
 * group is published: a crash leaves both or neither.
 */
export function deferMessages(db: Database, token: string, unsent: readonly Unsent[]): Promise<void> {
  return db.transaction(async tx => {
    await storeDeferred(tx, unsent);
    await tx.query(addPublication, [token]);
  });
}

export async function storeDeferred(
  tx: Database,
  unsent: readonly Pick<Unsent, 'message' | 'isUnconfirmed'>[],
): Promise<void> {
  for (let start = 0; start < unsent.length; start += maxPerStatement) {
    const part = unsent.slice(start, start + maxPerStatement);
    const messages = part.map(({ message }) => message);
    await tx.query(addDeferred, [
      messages.map(({ id }) => id),
      messages.map(({ endpointId }) => endpointId),
      messages.map(({ accountId }) => accountId),
      messages.map(({ mode }) => mode),
      messages.map(({ qrCodeId }) => qrCodeId),
      messages.map(({ event }) => event),
      messages.map(({ body }) => body),
      messages.map(({ createdAt }) => createdAt),
      messages.map(({ trace }) => trace ?? null),
      part.map(({ isUnconfirmed }) => (isUnconfirmed ? unconfirmedDelayMs : 0)),
      start,
    ]);
  }
}

/** Notes that all messages of a group are in the queue or in PostgreSQL. */
export const addPublication = sql(
  'webhook-add-publication',
  'insert into webhook_publications (token) values ($1) on conflict do nothing',
);

/** In the order of their scans: the first due is attempted first. */
const addDeferred = sql(
  'webhook-add-deferred',
  `insert into webhook_messages (id, endpoint_id, account_id, mode, qr_code_id, event, body, created_at, trace, status, tries,
                                 attempts, next_at)
   select id, endpoint, account, mode, code, event, body, at, trace, 'pending', 0, 0,
          now() + wait * interval '1 millisecond' + ($11::integer + n) * interval '1 microsecond'
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::mode[], $5::uuid[], $6::text[], $7::text[], $8::timestamptz[],
                 $9::text[], $10::integer[])
            with ordinality as unsent (id, endpoint, account, mode, code, event, body, at, trace, wait, n)
   on conflict (id) do nothing`,
);
