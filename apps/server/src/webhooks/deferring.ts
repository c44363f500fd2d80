import { type Database, sql } from '../platform/postgres.ts';
import type { Unsent } from './queue-publisher.ts';

/** Messages of one statement: some megabytes of bodies. */
const atOnce = 5_000;

/**
 * One that may be in the queue has its first try from there, as a rule; that removes it here. Where the try was first, the check
 * of doubtful messages removes it, well before this.
 */
const doubtMs = 10_000;

/**
 * Puts messages that the queue did not take where retries wait, due at once, and notes with them that their group is
 * announced: a crash leaves both or neither.
 */
export function deferMessages(db: Database, token: string, unsent: readonly Unsent[]): Promise<void> {
  return db.transaction(async tx => {
    for (let at = 0; at < unsent.length; at += atOnce) {
      const part = unsent.slice(at, at + atOnce);
      const of = part.map(({ message }) => message);
      await tx.query(addDeferred, [
        of.map(({ id }) => id),
        of.map(({ endpointId }) => endpointId),
        of.map(({ accountId }) => accountId),
        of.map(({ mode }) => mode),
        of.map(({ qrCodeId }) => qrCodeId),
        of.map(({ event }) => event),
        of.map(({ body }) => body),
        of.map(({ createdAt }) => createdAt),
        of.map(({ trace }) => trace ?? null),
        part.map(({ isDoubtful }) => (isDoubtful ? doubtMs : 0)),
        at,
      ]);
    }
    await tx.query(addAnnouncement, [token]);
  });
}

/** Notes that all messages of a group are where they belong. */
export const addAnnouncement = sql(
  'add-announcement',
  'insert into webhook_announcements (token) values ($1) on conflict do nothing',
);

/** In the order of their scans: what is due first is tried first. */
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
