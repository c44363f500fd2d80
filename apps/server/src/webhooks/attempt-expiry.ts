import type { ClickHouse } from '../platform/clickhouse.ts';
import { type Database, sql } from '../platform/postgres.ts';
import { attemptsTable } from './attempt-log.ts';

const dropMs = 60_000;
const { table } = attemptsTable;

/**
 * Drops the days of the delivery log whose last moment was thirty days ago, and says which. PostgreSQL says what day it
 * is: a TTL would go by the clock of ClickHouse, and a wrong one would empty the log.
 */
export async function dropOldAttempts(
  db: Database,
  clickhouse: ClickHouse,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const [row] = await db.query<{ day: string }>(firstKept);
  const old = await clickhouse.query<{ day: string }>(
    `select distinct partition_id as day from system.parts
      where database = currentDatabase() and table = {table: String} and active and partition_id < {day: String}
      order by day`,
    { table, day: row!.day },
    { signal },
  );
  // Only digits, as ClickHouse names the partitions of this table.
  const days = old.map(({ day }) => day.replaceAll(/\D/g, ''));
  for (const day of days)
    await clickhouse.command(
      `alter table ${table} drop partition id '${day}'`,
      {},
      { timeoutMs: dropMs, signal },
    );
  return days;
}

const firstKept = sql(
  'webhook-first-day-kept',
  `select to_char((now() at time zone 'UTC')::date - 30, 'YYYYMMDD') as day`,
);
