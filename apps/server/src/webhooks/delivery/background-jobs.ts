import type { Clock } from '../../kernel/clock.ts';
import { type BackgroundJobs, createBackgroundJobs } from '../../platform/background-jobs.ts';
import type { Logger } from '../../platform/logger.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import { createDaysAhead, dropOldDays } from '../attempt-days.ts';
import { pruneTestDays } from '../test-limit.ts';
import type { WaitReason } from '../webhook.ts';
import type { Backlog } from './metrics.ts';
import type { Queue } from './queue/queue.ts';
import { moveStoredQueue } from './queue/stored-queue.ts';
import * as statements from './statements.ts';

type Parts = {
  readonly db: Database;
  readonly queue: Pick<Queue, 'depth'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly onBacklog: (backlog: Backlog) => void;
  /** Whether a queue in PostgreSQL is emptied that a process without NATS has left. */
  readonly emptiesStoredQueue?: boolean;
};

const [releaseEveryMs, measureEveryMs] = [1_000, 5_000];
const [pruneEveryMs, daysEveryMs, emptyEveryMs] = [60_000, 3_600_000, 30_000];

/** The periodic work of webhooks. Any number of processes may run it. */
export function createWebhookJobs({
  db,
  queue,
  clock,
  logger,
  onBacklog,
  emptiesStoredQueue = false,
}: Parts): BackgroundJobs {
  async function measure(): Promise<boolean> {
    const now = clock.now();
    const [depth, [row], waiting] = await Promise.all([
      queue.depth(),
      db.query<{ due: number; oldest: Date | null }>(statements.backlog, [now]),
      db.query<{ reason: WaitReason; count: number }>(statements.waiting),
    ]);
    const throttled = { host_rate: 0, first_success: 0 };
    for (const { reason, count } of waiting) throttled[reason] = count;
    const oldest = row?.oldest ?? now;
    onBacklog({
      queued: depth.waiting + depth.unacked,
      due: row?.due ?? 0,
      oldestDueSeconds: (now.getTime() - oldest.getTime()) / 1000,
      throttled,
    });
    return false;
  }

  async function prune(): Promise<boolean> {
    const { more, ...removed } = await pruneWebhooks(db);
    if (Object.values(removed).some(count => count > 0)) logger.info(removed, 'old webhook messages removed');
    return more;
  }

  async function keepDays(): Promise<boolean> {
    await createDaysAhead(db);
    const days = await dropOldDays(db);
    if (days.length > 0) logger.info({ days }, 'old days of the webhook attempt log removed');
    return false;
  }

  async function emptyStoredQueue(): Promise<boolean> {
    const messages = await moveStoredQueue(db);
    if (messages > 0) logger.info({ messages }, 'webhook messages of an earlier process moved');
    return messages > 0;
  }

  return createBackgroundJobs(logger, [
    ...(emptiesStoredQueue
      ? [{ name: 'empty the stored queue', everyMs: emptyEveryMs, run: emptyStoredQueue }]
      : []),
    { name: 'release proven', everyMs: releaseEveryMs, run: () => releaseProven(db, clock.now()) },
    { name: 'measure backlog', everyMs: measureEveryMs, run: measure },
    { name: 'prune webhooks', everyMs: pruneEveryMs, run: prune },
    { name: 'keep days of attempts', everyMs: daysEveryMs, run: keepDays },
  ]);
}

const maxRows = 5_000;

/** Messages that waited for the first success of their endpoint are due once it has had one. True where there may be more. */
export async function releaseProven(db: Database, now: Date): Promise<boolean> {
  return (await db.query(statements.releaseProven, [now, maxRows])).length === maxRows;
}

/** Removes messages and endpoints that the API no longer shows, some at a time, by PostgreSQL's clock alone. */
async function pruneWebhooks(db: Database) {
  const orphans = await db.query(removeOrphans, [maxRows]);
  const failed = await db.query(removeFailed, [maxRows]);
  const endpoints = await db.query(removeDeletedEndpoints);
  await db.query(removePublications);
  await pruneTestDays(db);
  return {
    orphans: orphans.length,
    failed: failed.length,
    endpoints: endpoints.length,
    more: orphans.length === maxRows || failed.length === maxRows,
  };
}

const removeOrphans = sql(
  'webhook-remove-orphans',
  `delete from webhook_messages where id in (
     select m.id from webhook_endpoints e join webhook_messages m on m.endpoint_id = e.id
      where e.deleted_at is not null limit $1
   ) returning 1 as gone`,
);

const removeDeletedEndpoints = sql(
  'webhook-remove-deleted',
  `delete from webhook_endpoints e
    where deleted_at < now() - interval '10 minutes'
      and not exists (select from webhook_messages m where m.endpoint_id = e.id)
   returning 1 as gone`,
);

const removeFailed = sql(
  'webhook-remove-failed',
  `delete from webhook_messages where id in (
     select id from webhook_messages where status = 'failed' and created_at < now() - interval '30 days' limit $1
   ) returning 1 as gone`,
);

const removePublications = sql(
  'webhook-remove-publications',
  `delete from webhook_publications where at < now() - interval '1 day'`,
);
