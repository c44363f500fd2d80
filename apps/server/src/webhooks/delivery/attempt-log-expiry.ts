import type { ClickHouse } from '../../platform/clickhouse.ts';
import { type Database, sql } from '../../platform/postgres.ts';
import { attemptsTable } from '../attempt-log.ts';

const dropMs = 60_000;
const { table } = attemptsTable;

/**
 * Drops the days of the attempt log that ended more than thirty days ago, and returns them. PostgreSQL's clock decides: a
 * TTL would follow ClickHouse's clock, and a wrong one would empty the log.
 */
export async function dropOldAttempts(
  db: Database,
  clickhouse: ClickHouse,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const [row] = await db.query<{ day: string }>(firstDayKept);
  const old = await clickhouse.query<{ day: string }>(
    `select distinct partition_id as day from system.parts
      where database = currentDatabase() and table = {table: String} and active and partition_id < {day: String}
      order by day`,
    { table, day: row!.day },
    { signal },
  );
  // Partitions of this table are named by digits; anything else must not get into the statement.
  const days = old.map(({ day }) => day.replaceAll(/\D/g, ''));
  for (const day of days)
    await clickhouse.command(
      `alter table webhook_attempts drop partition id '${day}'`,
      {},
      { timeoutMs: dropMs, signal },
    );
  return days;
}

const firstDayKept = sql(
  'webhook-first-day-kept',
  `select to_char((now() at time zone 'UTC')::date - 30, 'YYYYMMDD') as day`,
);
