import { setTimeout as pause } from 'node:timers/promises';
import type { Uuid } from '../../../kernel/ids.ts';
import { type Database, sql } from '../../../platform/postgres/postgres.ts';
import type { Message } from '../../webhook.ts';
import { storeDeferred } from './deferred-messages.ts';
import type { Queue } from './queue.ts';
import { parseMessage, writeWithTrace } from './queue-message.ts';
import type { Unsent, UnsentReason } from './queue-publisher.ts';
import { ackWaitMs, type QueueOptions } from './queue-stream.ts';

export type StoredQueue = Queue & {
  /** Resolves when every ack is written, or PostgreSQL does not take it. */
  close(): Promise<void>;
};

type Options = Pick<QueueOptions, 'maxMessages' | 'maxPerAccount'> & {
  readonly db: Database;
  /** A message that is not acked in time is delivered again. */
  readonly leaseMs?: number;
};

const [fetchSize, maxAcks, pollMs, retryWaitMs] = [500, 1_000, 1_000, 200];
const pruneEveryMs = 60_000;

/**
 * The queue of an installation that is one process, in PostgreSQL. It has the same limits as that in NATS: what finds no room
 * waits with the retries, so an account that floods the queue does not keep the others out of it.
 */
export function createStoredQueue({
  db,
  maxMessages,
  maxPerAccount,
  leaseMs = ackWaitMs,
}: Options): StoredQueue {
  let published = Promise.withResolvers<void>();
  let waiting: Promise<Waiting> | null = null;
  const acked: Message[] = [];
  let acking: Promise<void> | null = null;
  let isClosed = false;
  let prunedMs = Number.NEGATIVE_INFINITY;

  /** How many wait, of each account. Counted once, then kept in step: no other process changes them. */
  function count(): Promise<Waiting> {
    waiting ??= db.query<{ account_id: Uuid; count: number }>(countWaiting).then(
      rows => createWaiting(new Map(rows.map(row => [row.account_id, row.count]))),
      error => {
        waiting = null;
        throw error;
      },
    );
    return waiting;
  }

  function findRefusal({ accountId }: Message, counts: Waiting): UnsentReason | null {
    if (counts.total() >= maxMessages) return 'queue_full';
    return counts.of(accountId) >= maxPerAccount ? 'account_full' : null;
  }

  /** A process that lives marks them however long PostgreSQL is away: otherwise they would be delivered again. */
  async function flushAcks(): Promise<void> {
    while (acked.length > 0) {
      const group = acked.splice(0, maxAcks);
      try {
        const counts = await count();
        await db.query(markDone, [group.map(({ id }) => id)]);
        for (const { accountId } of group) counts.add(accountId, -1);
      } catch {
        acked.unshift(...group);
        if (isClosed) return;
        await pause(retryWaitMs, undefined, { ref: false });
      }
    }
  }

  function ack(message: Message): void {
    acked.push(message);
    acking ??= new Promise(setImmediate).then(flushAcks).finally(() => {
      acking = null;
    });
  }

  async function lease(): Promise<readonly Message[]> {
    const rows = await db.query<{ id: Uuid; message: string }>(leaseWaiting, [fetchSize, leaseMs]);
    const messages: Message[] = [];
    for (const { id, message } of rows) {
      const parsed = parseMessage(message);
      if (parsed) messages.push(parsed);
      // What is not a message of ours would be delivered again and again.
      else await db.query(markDone, [[id]]);
    }
    if (performance.now() - prunedMs > pruneEveryMs) {
      prunedMs = performance.now();
      await db.query(removeDone);
    }
    return messages;
  }

  return {
    async publish(messages, signal) {
      signal.throwIfAborted();
      const counts = await count();
      const unsent: Unsent[] = [];
      const taken: Message[] = [];
      for (const message of messages) {
        const reason = findRefusal(message, counts);
        if (reason) unsent.push({ message, reason, isUnconfirmed: false });
        else {
          taken.push(message);
          counts.add(message.accountId, 1);
        }
      }
      if (taken.length === 0) return unsent;
      try {
        const added = await db.query<{ id: Uuid }>(addToQueue, [
          taken.map(({ id }) => id),
          taken.map(({ accountId }) => accountId),
          taken.map(writeWithTrace),
        ]);
        const ids = new Set(added.map(({ id }) => id));
        for (const { id, accountId } of taken) if (!ids.has(id)) counts.add(accountId, -1);
      } catch (error) {
        for (const { accountId } of taken) counts.add(accountId, -1);
        throw error;
      }
      published.resolve();
      published = Promise.withResolvers();
      return unsent;
    },

    async *read(signal, onError) {
      const aborted = new Promise<void>(resolve =>
        signal.addEventListener('abort', () => resolve(), { once: true }),
      );
      while (!signal.aborted) {
        const more = published.promise;
        try {
          const messages = await lease();
          for (const message of messages) yield { message, ack: () => ack(message) };
          if (messages.length === fetchSize) continue;
        } catch (error) {
          if (signal.aborted) return;
          onError(error);
          await Promise.race([pause(retryWaitMs), aborted]);
          continue;
        }
        const interval = new AbortController();
        await Promise.race([
          more,
          aborted,
          pause(pollMs, undefined, { signal: interval.signal }).catch(() => undefined),
        ]);
        interval.abort();
      }
    },

    async depth() {
      const [row] = await db.query<{ waiting: number; unacked: number }>(measureDepth);
      return row!;
    },

    async close() {
      isClosed = true;
      await acking;
    },
  };
}

/** How many messages wait, in all and of each account. */
type Waiting = { total(): number; of(accountId: Uuid): number; add(accountId: Uuid, count: number): void };

function createWaiting(counts: Map<Uuid, number>): Waiting {
  let total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const of = (accountId: Uuid) => counts.get(accountId) ?? 0;
  return {
    total: () => total,
    of,
    add(accountId, count) {
      total += count;
      const sum = of(accountId) + count;
      if (sum > 0) counts.set(accountId, sum);
      else counts.delete(accountId);
    },
  };
}

/** Moves what a process without NATS left in its queue to where retries wait, due at once. Resolves to how many. */
export async function moveStoredQueue(db: Database): Promise<number> {
  const rows = await db.query<{ message: string }>(leaseWaiting, [fetchSize, ackWaitMs]);
  const messages = rows.map(({ message }) => parseMessage(message)).filter(message => message !== null);
  if (messages.length === 0) return 0;
  await db.transaction(async tx => {
    await storeDeferred(
      tx,
      messages.map(message => ({ message, isUnconfirmed: false })),
    );
    await tx.query(markDone, [messages.map(({ id }) => id)]);
  });
  return messages.length;
}

export async function countQueued(db: Database): Promise<number> {
  const [row] = await db.query<{ waiting: number; unacked: number }>(measureDepth);
  return row!.waiting + row!.unacked;
}

const countWaiting = sql(
  'webhook-queue-count',
  'select account_id, count(*) as count from webhook_queue where done_at is null group by account_id',
);

const addToQueue = sql(
  'webhook-queue-add',
  `insert into webhook_queue (id, account_id, message)
   select id, account, message from unnest($1::uuid[], $2::uuid[], $3::text[]) as new (id, account, message)
   on conflict (id) do nothing returning id`,
);

/** Oldest first. */
const leaseWaiting = sql(
  'webhook-queue-lease',
  `with chosen as (
     select n from webhook_queue
      where done_at is null and (leased_until is null or leased_until < now())
      order by n limit $1 for update skip locked
   ), leased as (
     update webhook_queue q set leased_until = now() + $2 * interval '1 millisecond'
       from chosen where q.n = chosen.n returning q.n, q.id, q.message
   )
   select id, message from leased order by n`,
);

const markDone = sql(
  'webhook-queue-done',
  `update webhook_queue set done_at = now(), message = '' where id = any($1::uuid[]) and done_at is null`,
);

const removeDone = sql(
  'webhook-queue-remove-done',
  `delete from webhook_queue where done_at < now() - interval '2 minutes'`,
);

const measureDepth = sql(
  'webhook-queue-depth',
  `select count(*) filter (where leased_until is null or leased_until < now()) as waiting,
          count(*) filter (where leased_until >= now()) as unacked
     from webhook_queue where done_at is null`,
);
