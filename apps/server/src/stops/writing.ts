import type { Uuid } from '../kernel/ids.ts';
import { type Database, sql } from '../platform/postgres.ts';
import { hostSubject, type StopChange, type StopReason } from './stop.ts';

/**
 * Writes down what the state of an account means for its links, in the transaction that changed it. Tell redirects of what
 * it returns after the commit. Changes come one after another, so make it the last statement of the transaction.
 */
export async function writeAccountStop(tx: Database, accountId: Uuid, now: Date): Promise<StopChange[]> {
  await tx.query(lockVersion);
  return (await tx.query<StopRow>(setAccountStop, [accountId, now])).map(toChange);
}

/** The same for a host: set with a reason, lifted with null. */
export async function writeHostStop(
  tx: Database,
  host: string,
  reason: Extract<StopReason, 'blocked'> | null,
  now: Date,
): Promise<StopChange[]> {
  await tx.query(lockVersion);
  return (await tx.query<StopRow>(setHostStop, [hostSubject(host), reason, now])).map(toChange);
}

/** Removes stops that were lifted a day ago or earlier, and says up to which number; how many. */
export async function forgetLifted(tx: Database, most: number): Promise<number> {
  // First, as whoever changes a stop does.
  await tx.query(lockVersion);
  return (await tx.query(deleteLifted, [most])).length;
}

type StopRow = { subject: string; reason: StopReason | null; n: number };

const toChange = ({ subject, reason, n }: StopRow): StopChange => ({ subject, reason, n });

/** A statement of its own: the one behind it sees what everybody has committed who had the lock before. */
const lockVersion = sql('lock-stop-version', 'select from stop_version for update');

/** Numbers are given out under the lock of one row, which is held until the commit: their order is the order of commits. */
const upsert = (from: string) =>
  `with version as (update stop_version set n = n + 1 returning n)
   insert into stops as kept (subject, reason, n, changed_at) ${from}
   on conflict (subject) do update
      set reason = excluded.reason, n = excluded.n, changed_at = excluded.changed_at, told = false, claimed_at = null
   returning subject, reason, n`;

/** A closed account stops its links for as long as any are left: what was deleted answers by itself. */
const setAccountStop = sql(
  'set-account-stop',
  upsert(
    `select 'account/' || a.id,
            case when a.closed_at is not null
                 then case when exists (select from code_tallies t where t.account_id = a.id) then 'closed' end
                 when exists (select from suspensions s
                               where s.account_id = a.id and s.qr_code_id is null and s.released_at is null)
                 then 'suspended'
                 when a.held_at is not null then 'held' end,
            version.n, $2
       from accounts a, version where a.id = $1`,
  ),
);

const setHostStop = sql('set-host-stop', upsert('select $1, $2, version.n, $3 from version'));

const deleteLifted = sql(
  'delete-lifted-stops',
  `with gone as (
     delete from stops
      where subject = any(array(
        select subject from stops where reason is null and told and changed_at < now() - interval '1 day' limit $1))
     returning n
   ), raised as (
     update stop_version set floor = greatest(floor, (select max(n) from gone)) where exists (select from gone)
   )
   select n from gone`,
);
