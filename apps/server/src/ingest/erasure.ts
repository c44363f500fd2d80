import type { Uuid } from '../kernel/ids.ts';
import type { ClickHouse } from '../platform/clickhouse.ts';
import { hideRows } from '../platform/hide-rows.ts';
import { type Database, sql } from '../platform/postgres.ts';
import { takeTurn } from './erasure-turns.ts';
import type { Eraser } from './ingest.ts';

/** A deleted code whose scans are due to be erased. */
type Erasure = { readonly qr_code_id: Uuid; readonly account_id: Uuid };

const deleteMs = 60_000;

/**
 * Erases what is due, when it is the turn of this process. Every mask that ClickHouse writes costs by the part that it is for,
 * so the deletions of half a minute share one.
 */
export async function eraseInTurn(...parts: Parameters<typeof eraseDue>): Promise<number> {
  const [db] = parts;
  if ((await db.query(isDue)).length === 0 || !(await takeTurn(db, 'hide'))) return 0;
  return eraseDue(...parts);
}

/**
 * Erases what is due, from every store, and returns how many codes it swept. A code is swept at once; after half a minute,
 * when every insert that began before the deletion has ended; and a quarter of an hour later, for one that was stuck.
 * What is still in the log by then is left out when it is counted, since its code is deleted.
 */
export async function eraseDue(
  db: Database,
  clickhouse: ClickHouse,
  signal?: AbortSignal,
  others?: Eraser,
): Promise<number> {
  const due = await db.query<Erasure>(takeDue);
  if (due.length === 0) return 0;
  const ids = due.map(erasure => erasure.qr_code_id);
  await db.query(eraseVisitors, [ids]);
  await db.query(eraseCounts, [ids]);
  const accounts = [...new Set(due.map(erasure => erasure.account_id))];
  await others?.erase(accounts, ids, signal);
  const rows = { table: 'scans', accounts, codes: ids } as const;
  await hideRows(clickhouse, rows, { timeoutMs: deleteMs, signal }, () => db.query(keepDue, [ids]));
  await db.query(noteSweep, [ids]);
  await db.query(dropDone);
  return due.length;
}

const isDue = sql('is-erasure-due', 'select from erasures where sweep_at <= now() limit 1');

/** Whoever takes them has a little longer than one statement of ClickHouse may take; a sweep that was cut off is then done by another. */
const takeDue = sql(
  'take-due-erasures',
  `with due as (
     select qr_code_id from erasures where sweep_at <= now() order by sweep_at limit 2000 for update skip locked
   )
   update erasures e set sweep_at = now() + interval '75 seconds'
     from due where e.qr_code_id = due.qr_code_id
   returning e.qr_code_id, e.account_id`,
);

const keepDue = sql(
  'keep-due-erasures',
  `update erasures set sweep_at = now() + interval '75 seconds' where qr_code_id = any($1::uuid[])`,
);

const eraseVisitors = sql('erase-visitors', 'delete from visitors where qr_code_id = any($1::uuid[])');

const eraseCounts = sql('erase-counts', 'delete from scan_counts where qr_code_id = any($1::uuid[])');

const noteSweep = sql(
  'note-sweep',
  `update erasures
      set sweeps = sweeps + 1,
          sweep_at = now() + case sweeps when 0 then interval '30 seconds' else interval '15 minutes' end
    where qr_code_id = any($1::uuid[])`,
);

const dropDone = sql('drop-done-erasures', 'delete from erasures where sweeps >= 3');
