import type { Uuid } from '../../kernel/ids.ts';
import type { BackgroundJob } from '../../platform/background-jobs.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import type { Owner } from '../qr-code.ts';

/** More codes than these, led elsewhere or deleted within these minutes, are worth a mail: somebody may have stolen a key. */
const [maxUnnoticed, windowMinutes] = [20, 10];
const rowsPerStep = 10_000;

export type MassChange = 'destination' | 'deletion';

/** Mails a person about changes of many codes. */
export type MassChangeNotifications = {
  massChange(to: { readonly id: Uuid; readonly email: string }, kind: MassChange, codes: number): void;
};

/** Records that live codes lead elsewhere or were deleted, in the transaction of the change. */
export async function noteMassChange(
  tx: Database,
  { accountId, mode }: Owner,
  kind: MassChange,
  codes: number,
  at: Date,
): Promise<void> {
  if (mode === 'live' && codes > 0) await tx.query(insertChange, [accountId, kind, at, codes]);
}

/** For a closed account. */
export async function deleteMassChanges(db: Database, accountId: Uuid): Promise<void> {
  await db.query(deleteOfAccount, [accountId]);
}

/** Removes what is too old to count, also where no mail is sent. */
export const pruneMassChangesJob = (db: Database): BackgroundJob => ({
  name: 'prune mass changes',
  everyMs: 60_000,
  async run() {
    return (await db.query(prune, [windowMinutes, rowsPerStep])).length === rowsPerStep;
  },
});

/** Mails owners and admins, who revoke keys, of accounts in which many codes changed: once for the changes of a few minutes. */
export const massChangeMailJob = (db: Database, notifications: MassChangeNotifications): BackgroundJob => ({
  name: 'mail owners and admins about mass changes',
  everyMs: 5000,
  async run() {
    const claimed = await db.query<Claimed>(claim, [windowMinutes, maxUnnoticed]);
    if (claimed.length === 0) return false;
    const managers = await db.query<{ account_id: Uuid; id: Uuid; email: string }>(selectManagers, [
      claimed.map(row => row.account_id),
    ]);
    for (const { account_id: accountId, kind, codes } of claimed)
      for (const { id, email } of managers.filter(manager => manager.account_id === accountId))
        notifications.massChange({ id, email }, kind, codes);
    return false;
  },
});

type Claimed = { readonly account_id: Uuid; readonly kind: MassChange; readonly codes: number };

const insertChange = sql(
  'insert-mass-change',
  'insert into mass_changes (account_id, kind, at, codes) values ($1, $2, $3, $4)',
);

const deleteOfAccount = sql('delete-mass-changes', 'delete from mass_changes where account_id = $1');

const prune = sql(
  'prune-mass-changes',
  `delete from mass_changes where ctid = any(array(
     select ctid from mass_changes where at < now() - $1 * interval '1 minute'
      limit $2 for update skip locked)) returning 1`,
);

/**
 * Of several processes one gets the rows of an account: the others wait for its locks, and find them mailed. While a row of
 * the window has been mailed, no other mail of its kind is sent.
 */
const claim = sql(
  'claim-mass-changes',
  `with many as (
     select account_id, kind, sum(codes) as codes from mass_changes
      where at >= now() - $1 * interval '1 minute'
      group by account_id, kind having sum(codes) > $2 and bool_and(mailed_at is null)
   ), marked as (
     update mass_changes d set mailed_at = now() from many
      where d.account_id = many.account_id and d.kind = many.kind and d.mailed_at is null
     returning d.account_id, d.kind, many.codes
   )
   select account_id, kind, max(codes)::bigint as codes from marked group by account_id, kind`,
);

const selectManagers = sql(
  'managers-of-mass-changes',
  `select distinct m.account_id, u.id, u.email from members m join auth_users u on u.id = m.user_id
    where m.account_id = any($1::uuid[]) and m.role in ('owner', 'admin')`,
);
