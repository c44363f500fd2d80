import type { Uuid } from '../../kernel/ids.ts';
import type { BackgroundJob } from '../../platform/background-jobs.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import type { Owner } from '../qr-code.ts';

/** More destinations than these, changed within these minutes, are worth a mail: somebody may have stolen a key. */
const [maxUnnoticed, windowMinutes] = [20, 10];
const rowsPerStep = 10_000;

/** Mails an owner that many codes lead elsewhere. */
export type DestinationNotifications = {
  destinationsChanged(to: { readonly id: Uuid; readonly email: string }, codes: number): void;
};

/** Records that live codes lead elsewhere, in the transaction of the change. */
export async function noteDestinationChanges(
  tx: Database,
  { accountId, mode }: Owner,
  codes: number,
  at: Date,
): Promise<void> {
  if (mode === 'live' && codes > 0) await tx.query(insertChange, [accountId, at, codes]);
}

/** For a closed account. */
export async function deleteDestinationChanges(db: Database, accountId: Uuid): Promise<void> {
  await db.query(deleteOfAccount, [accountId]);
}

/** Removes what is too old to count, also where no mail is sent. */
export const pruneDestinationChangesJob = (db: Database): BackgroundJob => ({
  name: 'prune destination changes',
  everyMs: 60_000,
  async run() {
    return (await db.query(prune, [windowMinutes, rowsPerStep])).length === rowsPerStep;
  },
});

/** Mails the owners of accounts in which many destinations changed, once for the changes of a few minutes. */
export const destinationMailJob = (db: Database, notifications: DestinationNotifications): BackgroundJob => ({
  name: 'mail owners about destinations',
  everyMs: 5000,
  async run() {
    const claimed = await db.query<{ account_id: Uuid; codes: number }>(claim, [windowMinutes, maxUnnoticed]);
    const codesOf = new Map(claimed.map(row => [row.account_id, row.codes]));
    if (codesOf.size === 0) return false;
    const owners = await db.query<{ account_id: Uuid; id: Uuid; email: string }>(selectOwners, [
      [...codesOf.keys()],
    ]);
    for (const { account_id: accountId, id, email } of owners)
      notifications.destinationsChanged({ id, email }, codesOf.get(accountId)!);
    return false;
  },
});

const insertChange = sql(
  'insert-destination-change',
  'insert into destination_changes (account_id, at, codes) values ($1, $2, $3)',
);

const deleteOfAccount = sql(
  'delete-destination-changes',
  'delete from destination_changes where account_id = $1',
);

const prune = sql(
  'prune-destination-changes',
  `delete from destination_changes where ctid = any(array(
     select ctid from destination_changes where at < now() - $1 * interval '1 minute'
      limit $2 for update skip locked)) returning 1`,
);

/**
 * Of several processes one gets the rows of an account: the others wait for its locks, and find them mailed. While a row of
 * the window has been mailed, no other mail is sent.
 */
const claim = sql(
  'claim-destination-changes',
  `with many as (
     select account_id, sum(codes) as codes from destination_changes
      where at >= now() - $1 * interval '1 minute'
      group by account_id having sum(codes) > $2 and bool_and(mailed_at is null)
   ), marked as (
     update destination_changes d set mailed_at = now() from many
      where d.account_id = many.account_id and d.mailed_at is null
     returning d.account_id, many.codes
   )
   select account_id, max(codes)::bigint as codes from marked group by account_id`,
);

const selectOwners = sql(
  'owners-of-changed-destinations',
  `select m.account_id, u.id, u.email from members m join auth_users u on u.id = m.user_id
    where m.account_id = any($1::uuid[])`,
);
