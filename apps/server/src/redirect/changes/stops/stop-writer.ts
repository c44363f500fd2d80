import type { Uuid } from '../../../kernel/ids.ts';
import { type Database, sql } from '../../../platform/postgres/postgres.ts';
import {
  domainSubject,
  hostSubject,
  type StopChange,
  type StopReason,
  type StopRow,
  type StoredDomain,
  toChange,
} from './stop.ts';

/**
 * Writes the stop that the state of an account implies, in the transaction that changed it. The caller broadcasts what it
 * returns after the commit. Changes of stops are serialized, so it should be the last statement of the transaction.
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

/** The same for a domain: redirects know it from then on as it is given here. */
export async function writeDomainChange(
  tx: Database,
  host: string,
  domain: StoredDomain,
  now: Date,
): Promise<StopChange[]> {
  await tx.query(lockVersion);
  return (await tx.query<StopRow>(setDomain, [domainSubject(host), JSON.stringify(domain), now])).map(
    toChange,
  );
}

/** Removes stops that were lifted a day ago or earlier, and records up to which number. Returns how many. */
export async function pruneLifted(tx: Database, limit: number): Promise<number> {
  // First, as every change of a stop does.
  await tx.query(lockVersion);
  return (await tx.query(deleteLifted, [limit])).length;
}

/** A separate statement: the one after it sees what earlier holders of the lock have committed. */
const lockVersion = sql('lock-stop-version', 'select from stop_version for update');

/** Numbers are assigned under the lock of one row, held until the commit: their order is the order of commits. */
const upsert = (from: string) =>
  `with version as (update stop_version set n = n + 1 returning n)
   insert into stops (subject, reason, domain, n, changed_at) ${from}
   on conflict (subject) do update
      set reason = excluded.reason, domain = excluded.domain, n = excluded.n, changed_at = excluded.changed_at,
          relayed = false, claimed_at = null
   returning subject, reason, domain, n`;

/** A closed account is stopped while it has codes left: a deleted code responds as deleted without a stop. */
const setAccountStop = sql(
  'set-account-stop',
  upsert(
    `select 'account/' || a.id,
            case when a.closed_at is not null
                 then case when exists (select from code_counts t where t.account_id = a.id) then 'closed' end
                 when exists (select from suspensions s
                               where s.account_id = a.id and s.qr_code_id is null and s.released_at is null)
                 then 'suspended'
                 when a.held_at is not null then 'held' end,
            null::json, version.n, $2
       from accounts a, version where a.id = $1`,
  ),
);

const setHostStop = sql('set-host-stop', upsert('select $1, $2, null::json, version.n, $3 from version'));

const setDomain = sql(
  'set-domain-of-redirects',
  upsert('select $1, null, $2::json, version.n, $3 from version'),
);

const deleteLifted = sql(
  'delete-lifted-stops',
  `with gone as (
     delete from stops
      where subject = any(array(
        select subject from stops where reason is null and domain is null and relayed and changed_at < now() - interval '1 day' limit $1))
     returning n
   ), raised as (
     update stop_version set floor = greatest(floor, (select max(n) from gone)) where exists (select from gone)
   )
   select n from gone`,
);

/** After a restore: far above what any redirect knows, so that each of them reads all stops again. */
export async function renumberStops(db: Database): Promise<void> {
  await db.query(renumber);
}

const renumber = sql(
  'restore-renumber-stops',
  'update stop_version set n = n + 1000000000, floor = n + 1000000000',
);
