import type { ClickHouse } from '../platform/clickhouse.ts';
import { type Database, sql } from '../platform/postgres.ts';
import { type AttemptRow, attemptsTable, toColumns } from './attempt-log.ts';

const atOnce = 500;
/** Under the limit that PostgreSQL has for a transaction that stands idle. */
const insertMs = 4_000;

/**
 * Moves attempts from PostgreSQL to ClickHouse, and says how many. They are removed only when ClickHouse has them: a death
 * between the two sends some again, under the same ids. Several processes may do it at once, each with other rows.
 */
export function moveAttempts(db: Database, clickhouse: ClickHouse, signal?: AbortSignal): Promise<number> {
  return db.transaction(async tx => {
    const rows = await tx.query<{ n: number; attempt: AttemptRow }>(take, [atOnce]);
    const [first, last] = [rows[0], rows.at(-1)];
    if (!first || !last) return 0;
    const token = `webhook-attempts-${first.n}-${last.n}-${rows.length}-${first.attempt.id}`;
    const values = rows.map(row => toColumns(row.attempt));
    await clickhouse.insert(attemptsTable, values, token, { timeoutMs: insertMs, signal });
    await tx.query(remove, [rows.map(row => row.n)]);
    return rows.length;
  });
}

const take = sql(
  'webhook-take-attempts',
  'select n, attempt from webhook_attempts order by n limit $1 for update skip locked',
);

const remove = sql('webhook-remove-attempts', 'delete from webhook_attempts where n = any($1::bigint[])');
