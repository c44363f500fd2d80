import type { Clock } from '../kernel/clock.ts';
import { type Chores, createChores } from '../platform/chores.ts';
import type { ClickHouse } from '../platform/clickhouse.ts';
import type { Logger } from '../platform/logger.ts';
import { type Database, sql } from '../platform/postgres.ts';
import { moveAttempts } from './log-mover.ts';
import type { Backlog } from './metrics.ts';
import type { Queue } from './queue.ts';
import * as statements from './settle-statements.ts';

type Parts = {
  readonly db: Database;
  readonly clickhouse: ClickHouse;
  readonly queue: Pick<Queue, 'depth'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  readonly onBacklog: (backlog: Backlog) => void;
};

const [moveEveryMs, measureEveryMs, tidyEveryMs] = [500, 5_000, 60_000];

/** What has to be done beside the deliveries. Any process may. */
export function createWebhookChores({ db, clickhouse, queue, clock, logger, onBacklog }: Parts): Chores {
  async function measure(): Promise<boolean> {
    const now = clock.now();
    const [depth, [row]] = await Promise.all([
      queue.depth(),
      db.query<{ due: number; oldest: Date | null }>(statements.backlog, [now]),
    ]);
    const oldest = row?.oldest ?? now;
    onBacklog({
      queued: depth.waiting + depth.underWay,
      due: row?.due ?? 0,
      oldestDueSeconds: (now.getTime() - oldest.getTime()) / 1000,
    });
    return false;
  }

  return createChores(logger, [
    {
      name: 'move attempts',
      everyMs: moveEveryMs,
      run: async signal => (await moveAttempts(db, clickhouse, signal)) > 0,
    },
    { name: 'measure backlog', everyMs: measureEveryMs, run: measure },
    { name: 'tidy webhooks', everyMs: tidyEveryMs, run: () => tidyWebhooks(db, clock) },
  ]);
}

const atOnce = 5_000;
const dayMs = 24 * 60 * 60 * 1000;

/** Removes what nobody can ask for any more, some at a time. True where there is more. */
export async function tidyWebhooks(db: Database, clock: Clock): Promise<boolean> {
  const before = (days: number) => new Date(clock.now().getTime() - days * dayMs);
  const orphans = await db.query(removeOrphans, [atOnce]);
  const failed = await db.query(removeFailed, [before(30), atOnce]);
  await db.query(removeDeleted);
  await db.query(removeAnnouncements, [before(1)]);
  return orphans.length === atOnce || failed.length === atOnce;
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
      and not exists (select from webhook_messages m where m.endpoint_id = e.id)`,
);

const removeFailed = sql(
  'webhook-remove-failed',
  `delete from webhook_messages where id in (
     select id from webhook_messages where status = 'failed' and created_at < $1 limit $2
   ) returning 1 as gone`,
);

const removeAnnouncements = sql(
  'webhook-remove-announcements',
  'delete from webhook_announcements where at < $1',
);
