import type { Uuid } from '../kernel/ids.ts';
import type { ClickHouse } from '../platform/clickhouse.ts';
import type { Logger } from '../platform/logger.ts';
import { type Database, sql } from '../platform/postgres.ts';
import type { Message } from './webhook.ts';

type Log = Pick<ClickHouse, 'query'>;

type Parts = {
  readonly db: Database;
  readonly clickhouse: Log;
  readonly logger: Pick<Logger, 'warn'>;
};

/** Long enough for a delivery that was just being written down, and well before the rows are due. */
const checkAfterMs = 3_000;

/**
 * Messages whose publishing had no answer lie in PostgreSQL, and perhaps in the queue. One that was delivered from there before
 * its row was written would be sent again, so the log of attempts is asked a little later. Where this process ends
 * before that, such a message arrives twice, with one id.
 */
export function createDoubtCheck({ db, clickhouse, logger }: Parts) {
  return (messages: readonly Message[]): void => {
    const check = () =>
      removeDelivered(db, clickhouse, messages).catch(error =>
        logger.warn({ err: error, messages: messages.length }, 'doubtful webhooks not checked'),
      );
    setTimeout(check, checkAfterMs).unref();
  };
}

/** Removes those that wait untried in PostgreSQL and were delivered all the same. */
export async function removeDelivered(
  db: Database,
  clickhouse: Log,
  messages: readonly Message[],
): Promise<void> {
  const ids = messages.map(({ id }) => id);
  // PostgreSQL first: what is moved meanwhile is found twice, not missed. It has all of them while ClickHouse is away.
  await db.query(removeFresh, [ids]);
  const times = messages.map(({ createdAt }) => createdAt.getTime());
  const logged = await clickhouse.query<{ message_id: Uuid }>(findDelivered, {
    accounts: [...new Set(messages.map(({ accountId }) => accountId))],
    endpoints: [...new Set(messages.map(({ endpointId }) => endpointId))],
    ids,
    from: Math.min(...times),
    to: Math.max(...times),
  });
  if (logged.length > 0) await db.query(removeUntried, [logged.map(row => row.message_id)]);
}

const untried = `delete from webhook_messages m where m.id = any($1::uuid[]) and m.status = 'pending' and m.attempts = 0`;

const removeUntried = sql('webhook-remove-untried', untried);

const removeFresh = sql(
  'webhook-remove-delivered',
  `${untried} and exists (
     select from webhook_attempts a where a.message_id = m.id and a.attempt ->> 'status' = 'delivered')`,
);

/** In the order of the table. */
const findDelivered = `select distinct message_id from webhook_attempts
  where account_id in {accounts: Array(UUID)} and endpoint_id in {endpoints: Array(UUID)}
    and created_at between fromUnixTimestamp64Milli({from: Int64}) and fromUnixTimestamp64Milli({to: Int64})
    and message_id in {ids: Array(UUID)} and status = 'delivered'`;
