import type { Uuid } from '../kernel/ids.ts';
import type { ClickHouse } from '../platform/clickhouse.ts';
import { codesIn, hideRows } from '../platform/hide-rows.ts';
import { type Database, sql } from '../platform/postgres.ts';
import { keepTurn, takeTurn } from './erasure-turns.ts';
import type { Eraser } from './ingest.ts';

/** A deleted code whose scans are due to be erased, and how often they were. */
type Erasure = { readonly qr_code_id: Uuid; readonly account_id: Uuid; readonly sweeps: number };

const codesAtOnce = 2_000;
const deleteMs = 60_000;

/**
 * Erases what is due, when it is the turn of this process. Every mask that ClickHouse writes costs by the part that it is for,
 * so the deletions of half a minute share one. Where there are more than fit, the same turn goes on with the rest.
 */
export async function eraseInTurn(...parts: Parameters<typeof eraseDue>): Promise<number> {
  const [db, , signal, , most = codesAtOnce] = parts;
  if ((await db.query(isDue)).length === 0 || !(await takeTurn(db, 'hide'))) return 0;
  let swept = 0;
  for (let codes = most; codes === most && !signal?.aborted; swept += codes) codes = await eraseDue(...parts);
  return swept;
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
  most = codesAtOnce,
): Promise<number> {
  const due = await db.query<Erasure>(takeDue, [most]);
  if (due.length === 0) return 0;
  const ids = due.map(erasure => erasure.qr_code_id);
  try {
    await db.query(eraseVisitors, [ids]);
    await db.query(eraseCounts, [ids]);
    const accounts = [...new Set(due.map(erasure => erasure.account_id))];
    const renew = async () => {
      await db.query(keepDue, [ids]);
      await keepTurn(db, 'hide');
    };
    const rows = { table: 'scans', accounts, codes: ids } as const;
    const limits = { timeoutMs: deleteMs, signal };
    const months = await hideRows(clickhouse, rows, limits, renew);
    const seen = await codesIn(clickhouse, rows, months, limits);
    await others?.erase(accounts, ids, renew, signal);
    await db.query(noteSweep, columnsOf(due.filter(erasure => !seen.has(erasure.qr_code_id))));
    await db.query(dropDone);
    if (seen.size > 0) throw new Error(busyWords(seen.size, months));
    return due.length;
  } catch (error) {
    await giveBack(db, due);
    throw error;
  }
}

const busyWords = (codes: number, months: readonly string[]) =>
  `The scans of ${codes} deleted codes are not hidden yet: ClickHouse is busy with parts of ${months.join(', ')}. The next turn goes on. If this lasts, look at system.mutations and system.merges.`;

/** The next turn, of any process, takes those that were not swept. */
async function giveBack(db: Database, due: readonly Erasure[]): Promise<void> {
  try {
    await db.query(makeDue, columnsOf(due));
  } catch {
    // Without PostgreSQL nobody can take them; once it is back, the claim has run out by itself.
  }
}

const columnsOf = (due: readonly Erasure[]) => [due.map(one => one.qr_code_id), due.map(one => one.sweeps)];

const isDue = sql('is-erasure-due', 'select from erasures where sweep_at <= now() limit 1');

/**
 * What nobody has hidden yet comes first, and the accounts take turns: one that deletes very many codes delays itself. Whoever
 * takes them has a little longer than one partition may take; a sweep that was cut off is then done by another.
 */
const takeDue = sql(
  'take-due-erasures',
  `with ranked as (
     select qr_code_id, sweeps > 0 as is_repeat, sweep_at,
            row_number() over (partition by account_id, sweeps > 0 order by sweep_at) as place
       from erasures where sweep_at <= now()
   ), due as (
     select e.qr_code_id from erasures e join ranked r on r.qr_code_id = e.qr_code_id
      where e.sweep_at <= now()
      order by r.is_repeat, r.place, r.sweep_at limit $1 for update of e skip locked
   )
   update erasures e set sweep_at = now() + interval '75 seconds'
     from due where e.qr_code_id = due.qr_code_id
   returning e.qr_code_id, e.account_id, e.sweeps`,
);

const keepDue = sql(
  'keep-due-erasures',
  `update erasures set sweep_at = now() + interval '75 seconds' where qr_code_id = any($1::uuid[])`,
);

const eraseVisitors = sql('erase-visitors', 'delete from visitors where qr_code_id = any($1::uuid[])');

const eraseCounts = sql('erase-counts', 'delete from scan_counts where qr_code_id = any($1::uuid[])');

/** Where another process has noted the same sweep meanwhile, it stays one sweep. */
const sweptAs = `from unnest($1::uuid[], $2::smallint[]) as taken (id, sweeps)
    where e.qr_code_id = taken.id and e.sweeps = taken.sweeps`;

const noteSweep = sql(
  'note-sweep',
  `update erasures e
      set sweeps = e.sweeps + 1,
          sweep_at = now() + case e.sweeps when 0 then interval '30 seconds' else interval '15 minutes' end
     ${sweptAs}`,
);

const makeDue = sql('make-erasures-due', `update erasures e set sweep_at = now() ${sweptAs}`);

const dropDone = sql('drop-done-erasures', 'delete from erasures where sweeps >= 3');
