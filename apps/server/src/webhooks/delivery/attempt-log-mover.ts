import type { ClickHouse } from '../../platform/clickhouse.ts';
import { type Database, sql } from '../../platform/postgres.ts';
import { type AttemptRow, attemptsTable, toColumns } from '../attempt-log.ts';

const maxRows = 500;
/** Below PostgreSQL's limit for an idle transaction. */
const insertMs = 4_000;

/**
 * Moves attempts from PostgreSQL to ClickHouse, and returns how many. They are deleted only once ClickHouse has them: a
 * crash in between sends some again, under the same ids. Several processes may run it at once, each on other rows.
 */
export function moveAttempts(db: Database, clickhouse: ClickHouse, signal?: AbortSignal): Promise<number> {
  return db.transaction(async tx => {
    const rows = await tx.query<{ n: number; attempt: AttemptRow }>(lockAttempts, [maxRows]);
    const [first, last] = [rows[0], rows.at(-1)];
    if (!first || !last) return 0;
    const token = `webhook-attempts-${first.n}-${last.n}-${rows.length}-${first.attempt.id}`;
    const values = rows.map(row => toColumns(row.attempt));
    await clickhouse.insert(attemptsTable, values, token, { timeoutMs: insertMs, signal });
    await tx.query(deleteAttempts, [rows.map(row => row.n)]);
    return rows.length;
  });
}

const lockAttempts = sql(
  'webhook-lock-attempts',
  'select n, attempt from webhook_attempts order by n limit $1 for update skip locked',
);

const deleteAttempts = sql(
  'webhook-delete-attempts',
  'delete from webhook_attempts where n = any($1::bigint[])',
);
