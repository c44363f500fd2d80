import type { Uuid } from '../../kernel/ids.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import { removeCodeSums } from '../../scans/retention/month-sums.ts';
import type { RowStore } from '../../scans/stores/row-storage.ts';
import type { Eraser } from '../ingest.ts';
import { claimTask, renewClaim } from './task-claims.ts';

/** A deleted code whose scans are due to be erased, and how many sweeps it has had. */
type Erasure = { readonly qr_code_id: Uuid; readonly account_id: Uuid; readonly sweeps: number };

const codesPerSweep = 2_000;

/**
 * Erases what is due, if this process gets the claim. The cost of a mask that ClickHouse writes depends on the size of the
 * part, so the deletions of half a minute share one. If there are more codes than fit, the same claim covers the rest.
 */
export async function runErasure(...parts: Parameters<typeof eraseDue>): Promise<number> {
  const [db, , signal, , maxCodes = codesPerSweep] = parts;
  if ((await db.query(isDue)).length === 0 || !(await claimTask(db, 'hide'))) return 0;
  let swept = 0;
  for (let codes = maxCodes; codes === maxCodes && !signal?.aborted; swept += codes)
    codes = await eraseDue(...parts);
  return swept;
}

/**
 * Erases what is due, from every store, and returns how many codes it swept. A code is swept at once; after half a minute,
 * when every insert that began before the deletion has ended; and a quarter of an hour later, for an insert that was stuck.
 * Scans that are still in the log are skipped when they are counted, since their code is deleted.
 */
export async function eraseDue(
  db: Database,
  rows: Pick<RowStore, 'erase'>,
  signal?: AbortSignal,
  otherStores?: Eraser,
  maxCodes = codesPerSweep,
): Promise<number> {
  const due = await db.query<Erasure>(claimDue, [maxCodes]);
  if (due.length === 0) return 0;
  const ids = due.map(erasure => erasure.qr_code_id);
  try {
    await db.query(eraseVisitors, [ids]);
    await db.query(eraseCounts, [ids]);
    await db.query(eraseNotRedirected, [ids]);
    const accounts = [...new Set(due.map(erasure => erasure.account_id))];
    await removeCodeSums(db, accounts, ids);
    const renew = async () => {
      await db.query(renewDue, [ids]);
      await renewClaim(db, 'hide');
    };
    const { visible, reason } = await rows.erase(accounts, ids, renew, signal);
    await otherStores?.erase(accounts, ids, renew, signal);
    await db.query(recordSweep, toColumns(due.filter(erasure => !visible.has(erasure.qr_code_id))));
    await db.query(dropDone);
    if (visible.size > 0)
      throw new Error(`The scans of ${visible.size} deleted codes are not hidden yet: ${reason}`);
    return due.length;
  } catch (error) {
    await release(db, due);
    throw error;
  }
}

/** The next run, of any process, takes those that were not swept. */
async function release(db: Database, due: readonly Erasure[]): Promise<void> {
  try {
    await db.query(releaseDue, toColumns(due));
  } catch {
    // PostgreSQL is down: no process can take them, and once it is back, the claim has expired by itself.
  }
}

const toColumns = (due: readonly Erasure[]) => [
  due.map(erasure => erasure.qr_code_id),
  due.map(erasure => erasure.sweeps),
];

const isDue = sql('is-erasure-due', 'select from erasures where sweep_at <= now() limit 1');

/**
 * First sweeps come before repeated ones, round-robin over accounts: an account that deletes very many codes only delays
 * itself. The claim lasts a little longer than one partition may take; another process then redoes a sweep that was cut off.
 */
const claimDue = sql(
  'claim-due-erasures',
  `with ranked as (
     select qr_code_id, sweeps > 0 as is_repeat, sweep_at,
            row_number() over (partition by account_id, sweeps > 0 order by sweep_at) as rank
       from erasures where sweep_at <= now()
   ), due as (
     select e.qr_code_id from erasures e join ranked r on r.qr_code_id = e.qr_code_id
      where e.sweep_at <= now()
      order by r.is_repeat, r.rank, r.sweep_at limit $1 for update of e skip locked
   )
   update erasures e set sweep_at = now() + interval '75 seconds'
     from due where e.qr_code_id = due.qr_code_id
   returning e.qr_code_id, e.account_id, e.sweeps`,
);

const renewDue = sql(
  'renew-due-erasures',
  `update erasures set sweep_at = now() + interval '75 seconds' where qr_code_id = any($1::uuid[])`,
);

const eraseVisitors = sql('erase-visitors', 'delete from visitors where qr_code_id = any($1::uuid[])');

const eraseNotRedirected = sql(
  'erase-not-redirected',
  'delete from not_redirected where qr_code_id = any($1::uuid[])',
);

const eraseCounts = sql('erase-counts', 'delete from scan_counts where qr_code_id = any($1::uuid[])');

/** If another process has recorded the same sweep in the meantime, it stays one sweep. */
const claimedAs = `from unnest($1::uuid[], $2::smallint[]) as claimed (id, sweeps)
    where e.qr_code_id = claimed.id and e.sweeps = claimed.sweeps`;

const recordSweep = sql(
  'record-sweep',
  `update erasures e
      set sweeps = e.sweeps + 1,
          sweep_at = now() + case e.sweeps when 0 then interval '30 seconds' else interval '15 minutes' end
     ${claimedAs}`,
);

const releaseDue = sql('release-due-erasures', `update erasures e set sweep_at = now() ${claimedAs}`);

const dropDone = sql('drop-done-erasures', 'delete from erasures where sweeps >= 3');
