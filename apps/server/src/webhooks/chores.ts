import type { Clock } from '../kernel/clock.ts';
import { type Chores, createChores } from '../platform/chores.ts';
import type { ClickHouse } from '../platform/clickhouse.ts';
import type { Logger } from '../platform/logger.ts';
import { type Database, sql } from '../platform/postgres.ts';
import { dropOldAttempts } from './attempt-expiry.ts';
import { moveAttempts } from './log-mover.ts';
import type { Backlog } from './metrics.ts';
import type { Queue } from './queue.ts';
import * as statements from './settle-statements.ts';
import type { WaitReason } from './webhook.ts';

type Parts = {
  readonly db: Database;
  readonly clickhouse: ClickHouse;
  readonly queue: Pick<Queue, 'depth'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly onBacklog: (backlog: Backlog) => void;
};

const [moveEveryMs, releaseEveryMs, measureEveryMs] = [500, 1_000, 5_000];
const [tidyEveryMs, dropEveryMs] = [60_000, 3_600_000];

/** What has to be done beside the deliveries. Any process may. */
export function createWebhookChores({ db, clickhouse, queue, clock, logger, onBacklog }: Parts): Chores {
  async function measure(): Promise<boolean> {
    const now = clock.now();
    const [depth, [row], held] = await Promise.all([
      queue.depth(),
      db.query<{ due: number; oldest: Date | null }>(statements.backlog, [now]),
      db.query<{ reason: WaitReason; count: number }>(statements.waiting),
    ]);
    const heldBack = { host_rate: 0, first_success: 0 };
    for (const { reason, count } of held) heldBack[reason] = count;
    const oldest = row?.oldest ?? now;
    onBacklog({
      queued: depth.waiting + depth.underWay,
      due: row?.due ?? 0,
      oldestDueSeconds: (now.getTime() - oldest.getTime()) / 1000,
      heldBack,
    });
    return false;
  }

  async function tidy(): Promise<boolean> {
    const { more, ...removed } = await tidyWebhooks(db);
    if (Object.values(removed).some(count => count > 0)) logger.info(removed, 'old webhook messages removed');
    return more;
  }

  async function dropDays(signal: AbortSignal): Promise<boolean> {
    const days = await dropOldAttempts(db, clickhouse, signal);
    if (days.length > 0) logger.info({ days }, 'old days of the webhook log removed');
    return false;
  }

  return createChores(logger, [
    {
      name: 'move attempts',
      everyMs: moveEveryMs,
      run: async signal => (await moveAttempts(db, clickhouse, signal)) > 0,
    },
    { name: 'release proven', everyMs: releaseEveryMs, run: () => releaseProven(db, clock.now()) },
    { name: 'measure backlog', everyMs: measureEveryMs, run: measure },
    { name: 'tidy webhooks', everyMs: tidyEveryMs, run: tidy },
    { name: 'drop old attempts', everyMs: dropEveryMs, run: dropDays },
  ]);
}

const atOnce = 5_000;

/** What waited for the first success of an endpoint is due once it has had it. True where there may be more. */
export async function releaseProven(db: Database, now: Date): Promise<boolean> {
  return (await db.query(statements.releaseProven, [now, atOnce])).length === atOnce;
}

/** Removes what nobody can ask for any more, by PostgreSQL's clock alone, some at a time. */
export async function tidyWebhooks(db: Database) {
  const orphans = await db.query(removeOrphans, [atOnce]);
  const failed = await db.query(removeFailed, [atOnce]);
  const endpoints = await db.query(removeDeleted);
  await db.query(removeAnnouncements);
  return {
    ofDeleted: orphans.length,
    failed: failed.length,
    endpoints: endpoints.length,
    more: orphans.length === atOnce || failed.length === atOnce,
  };
}

const removeOrphans = sql(
  'webhook-remove-orphans',
  `delete from webhook_messages where id in (
     select m.id from webhook_endpoints e join webhook_messages m on m.endpoint_id = e.id
      where e.deleted_at is not null limit $1
   ) returning 1 as gone`,
);

const removeDeleted = sql(
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

const removeAnnouncements = sql(
  'webhook-remove-announcements',
  `delete from webhook_announcements where at < now() - interval '1 day'`,
);
