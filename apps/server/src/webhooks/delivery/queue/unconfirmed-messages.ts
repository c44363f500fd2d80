import type { Logger } from '../../../platform/logger.ts';
import { type Database, sql } from '../../../platform/postgres/postgres.ts';
import type { Message } from '../../webhook.ts';

type Parts = {
  readonly db: Database;
  readonly logger: Pick<Logger, 'warn'>;
};

/** Long enough for an outcome that was just being written, and well before the rows are due. */
const checkAfterMs = 3_000;

/**
 * Unconfirmed messages are in PostgreSQL and perhaps in the queue. One that was delivered from the queue before its row was
 * written would be sent again, so a little later the attempt log is searched for it. If this process ends before that,
 * such a message arrives twice, under one id.
 */
export function createUnconfirmedCheck({ db, logger }: Parts) {
  return (messages: readonly Message[]): void => {
    const check = () =>
      removeDelivered(db, messages).catch(error =>
        logger.warn({ err: error, messages: messages.length }, 'unconfirmed webhooks not checked'),
      );
    setTimeout(check, checkAfterMs).unref();
  };
}

/** Removes messages that wait in PostgreSQL for a first attempt but were delivered from the queue. */
export async function removeDelivered(db: Database, messages: readonly Message[]): Promise<void> {
  await db.query(removeUnattempted, [messages.map(({ id }) => id)]);
}

/** They were attempted just now, so the other days of the log are not searched. */
const removeUnattempted = sql(
  'webhook-remove-unattempted',
  `delete from webhook_messages m where m.id = any($1::uuid[]) and m.status = 'pending' and m.attempts = 0 and exists (
     select from webhook_attempts a
      where a.message_id = m.id and a.status = 'delivered' and a.at > now() - interval '1 hour')`,
);
