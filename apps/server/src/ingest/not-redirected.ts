import type { Msg, Subscription } from '@nats-io/transport-node';
import type { Logger } from '../platform/logger.ts';
import type { Nats, NatsConnection } from '../platform/nats/nats.ts';
import { type Postgres, sql } from '../platform/postgres/postgres.ts';
import {
  type NotRedirectedBatch,
  notRedirectedSubject,
  refusedReply,
  storedReply,
} from '../scans/not-redirected.ts';
import { isUuid } from './counting/check.ts';
import { addBatches } from './statements.ts';

/** Of a code that is deleted nothing is kept. */
const addNotRedirected = sql(
  'add-not-redirected',
  `insert into not_redirected as held (qr_code_id, day, reason, requests)
   select c.id, added.day, added.reason, sum(added.requests)
     from unnest($1::uuid[], $2::date[], $3::text[], $4::bigint[]) as added (id, day, reason, requests)
     join qr_codes c on c.id = added.id and c.status <> 'deleted'
    group by c.id, added.day, added.reason
    order by c.id, added.day, added.reason
   on conflict (qr_code_id, day, reason) do update set requests = held.requests + excluded.requests`,
);

type Parts = {
  readonly nats: Pick<Nats, 'connection' | 'onStatus'>;
  readonly db: Pick<Postgres, 'transaction'>;
  readonly logger: Pick<Logger, 'warn'>;
};

/** Stores a batch, once however often it is handed over. */
export async function storeNotRedirected(
  db: Pick<Postgres, 'transaction'>,
  batch: NotRedirectedBatch,
): Promise<void> {
  await db.transaction(async tx => {
    const added = await tx.query(addBatches, [[batch.id]]);
    if (added.length === 0) return;
    await tx.query(
      addNotRedirected,
      [0, 1, 2, 3].map(column => batch.counts.map(count => count[column])),
    );
  });
}

/** Stores what redirects hand over; of several ingest processes one gets each batch. Returns the stop function. */
export function collectNotRedirected({ nats, db, logger }: Parts): () => void {
  let subscription: Subscription | undefined;

  async function handle(message: Msg): Promise<void> {
    const batch = readBatch(message);
    if (!batch) {
      logger.warn(
        { bytes: message.data.length },
        'a batch of requests that were not redirected is unreadable',
      );
      message.respond(refusedReply);
      return;
    }
    try {
      await storeNotRedirected(db, batch);
      message.respond(storedReply);
    } catch (error) {
      // Without a reply the redirect sends it again.
      logger.warn({ err: error }, 'requests that were not redirected are not stored yet');
    }
  }

  function subscribe(connection: NatsConnection): void {
    subscription = connection.subscribe(notRedirectedSubject, {
      queue: 'ingest',
      callback: (error, message) => {
        if (!error) void handle(message);
      },
    });
  }
  const connection = nats.connection();
  if (connection) subscribe(connection);
  const stopWatching = nats.onStatus(status => {
    if (status.kind === 'connected' && status.fresh) subscribe(status.connection);
  });
  return () => {
    stopWatching();
    subscription?.unsubscribe();
  };
}

function readBatch(message: Msg): NotRedirectedBatch | null {
  try {
    const batch = message.json<NotRedirectedBatch | null>();
    return isUuid(batch?.id) && Array.isArray(batch?.counts) && batch.counts.every(isCount) ? batch : null;
  } catch {
    return null;
  }
}

/** A reason that this version does not know is kept: a newer redirect may send it. */
const isCount = (count: unknown): boolean =>
  Array.isArray(count) &&
  isUuid(count[0]) &&
  isDay(count[1]) &&
  typeof count[2] === 'string' &&
  /^[a-z_]{1,32}$/.test(count[2]) &&
  Number.isSafeInteger(count[3]) &&
  count[3] > 0;

const isDay = (value: unknown): boolean =>
  typeof value === 'string' && /^20\d\d-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));
