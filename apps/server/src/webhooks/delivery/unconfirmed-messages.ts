import type { Uuid } from '../../kernel/ids.ts';
import type { ClickHouse } from '../../platform/clickhouse.ts';
import type { Logger } from '../../platform/logger.ts';
import { type Database, sql } from '../../platform/postgres.ts';
import type { Message } from '../webhook.ts';

type Parts = {
  readonly db: Database;
  readonly clickhouse: Pick<ClickHouse, 'query'>;
  readonly logger: Pick<Logger, 'warn'>;
};

/** Long enough for an outcome that was just being written, and well before the rows are due. */
const checkAfterMs = 3_000;

/**
 * Unconfirmed messages are in PostgreSQL and perhaps in the queue. One that was delivered from the queue before its row was
 * written would be sent again, so a little later the attempt log is searched for it. If this process ends before that,
 * such a message arrives twice, under one id.
 */
export function createUnconfirmedCheck({ db, clickhouse, logger }: Parts) {
  return (messages: readonly Message[]): void => {
    const check = () =>
      removeDelivered(db, clickhouse, messages).catch(error =>
        logger.warn({ err: error, messages: messages.length }, 'unconfirmed webhooks not checked'),
      );
    setTimeout(check, checkAfterMs).unref();
  };
}

/** Removes messages that wait in PostgreSQL for a first attempt but were delivered from the queue. */
export async function removeDelivered(
  db: Database,
  clickhouse: Pick<ClickHouse, 'query'>,
  messages: readonly Message[],
): Promise<void> {
  const ids = messages.map(({ id }) => id);
  // PostgreSQL first: an attempt that is moved meanwhile is found twice, not missed. While ClickHouse is away, PostgreSQL
  // has all of them.
  await db.query(removeRecentlyDelivered, [ids]);
  const times = messages.map(({ createdAt }) => createdAt.getTime());
  const delivered = await clickhouse.query<{ message_id: Uuid }>(findDelivered, {
    accounts: [...new Set(messages.map(({ accountId }) => accountId))],
    endpoints: [...new Set(messages.map(({ endpointId }) => endpointId))],
    ids,
    from: Math.min(...times),
    to: Math.max(...times),
  });
  if (delivered.length > 0) await db.query(removeUnattempted, [delivered.map(row => row.message_id)]);
}

const deleteUnattempted = `delete from webhook_messages m where m.id = any($1::uuid[]) and m.status = 'pending' and m.attempts = 0`;

const removeUnattempted = sql('webhook-remove-unattempted', deleteUnattempted);

const removeRecentlyDelivered = sql(
  'webhook-remove-delivered',
  `${deleteUnattempted} and exists (
     select from webhook_attempts a where a.message_id = m.id and a.attempt ->> 'status' = 'delivered')`,
);

/** In the order of the table's key. */
const findDelivered = `select distinct message_id from webhook_attempts
  where account_id in {accounts: Array(UUID)} and endpoint_id in {endpoints: Array(UUID)}
    and created_at between fromUnixTimestamp64Milli({from: Int64}) and fromUnixTimestamp64Milli({to: Int64})
    and message_id in {ids: Array(UUID)} and status = 'delivered'`;
