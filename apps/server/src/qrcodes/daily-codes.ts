import { refuseReleased } from '../accounts/account.ts';
import type { Caller } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Uuid } from '../kernel/ids.ts';
import type { Chore } from '../platform/chores.ts';
import { type Database, sql } from '../platform/postgres.ts';
import { holdBlockList } from './block-list.ts';
import { lockTally } from './statements.ts';
import type { Inserted } from './store.ts';

const dayMs = 24 * 60 * 60_000;
const forgottenAtOnce = 10_000;

/** Whether this is somebody whose codes of a day are counted: a person of an account that was made by sign-up. */
export const countsByDay = ({ signedUp, via, mode }: Caller): boolean =>
  signedUp && via.kind === 'user' && mode === 'live';

/**
 * An insert that keeps to a number of codes in any 24 hours. It is counted in PostgreSQL under the account's lock, so that
 * it holds over all processes and also while Redis is away, and codes that were deleted since count all the same.
 */
export async function insertWithinDay(
  db: Database,
  caller: Caller,
  { count, limit, now }: { readonly count: number; readonly limit: number; readonly now: Date },
  insert: (tx: Database) => Promise<Inserted>,
): Promise<Inserted> {
  return await db.transaction(async tx => {
    // The order in which every insert locks.
    await holdBlockList(tx);
    await tx.query(lockTally, [caller.accountId, caller.mode]);
    const since = new Date(now.getTime() - dayMs);
    await tx.query(forgetOlder, [caller.accountId, since]);
    const made = await tx.query<Made>(madeSince, [caller.accountId, since]);
    const used = made.reduce((sum, { codes }) => sum + codes, 0);
    if (used + count > limit) throw tooManyToday(made, used, count, limit);
    const inserted = await insert(tx);
    if (Array.isArray(inserted)) await tx.query(noteMade, [caller.accountId, now, count]);
    return inserted;
  });
}

/** Of an account that is closed, once none can be made there any more. */
export async function forgetDailyCodes(db: Database, accountId: Uuid): Promise<void> {
  await db.query(forgetAll, [accountId]);
}

/** Removes what is a day old and counts no more, also of accounts that never make another code. */
export const forgetsDailyCodes = (db: Database, clock: Clock): Chore => ({
  name: 'forget codes of the day before',
  everyMs: 3_600_000,
  async run() {
    const before = new Date(clock.now().getTime() - dayMs);
    return (await db.query(forgetOld, [before, forgottenAtOnce])).length === forgottenAtOnce;
  },
});

/** An insert that comes too late once the account is no longer held. */
export async function insertWhileHeld(
  db: Database,
  caller: Caller,
  insert: (tx: Database) => Promise<Inserted>,
): Promise<Inserted> {
  return await db.transaction(async tx => {
    await holdBlockList(tx);
    await tx.query(lockTally, [caller.accountId, caller.mode]);
    await refuseReleased(tx, caller);
    return await insert(tx);
  });
}

type Made = { readonly at: Date; readonly codes: number };

/** Says when so many would fit; of more than ever do, when the most would. */
function tooManyToday(made: readonly Made[], used: number, count: number, limit: number): AppError {
  let left = used;
  const frees = made.find(({ codes }) => {
    left -= codes;
    return left + Math.min(count, limit) <= limit;
  });
  const resetsAt = frees && new Date(frees.at.getTime() + dayMs);
  const asked = count === 1 ? '' : ` This call asks for ${count} more.`;
  const next =
    count > limit
      ? `Ask for at most ${limit} at a time.`
      : `Try again after ${resetsAt?.toISOString() ?? 'a day'}, or create them through the API.`;
  return new AppError(
    'quota_exceeded',
    `Your account can create ${limit} QR codes in the dashboard in 24 hours, and has created ${used}.${asked} ${next}`,
    { limit, used, ...(resetsAt ? { resetsAt } : {}) },
  );
}

const forgetOlder = sql(
  'forget-older-daily-codes',
  'delete from daily_codes where account_id = $1 and at <= $2',
);
const forgetAll = sql('forget-daily-codes', 'delete from daily_codes where account_id = $1');
const forgetOld = sql(
  'forget-old-daily-codes',
  `delete from daily_codes where ctid = any(array(
     select ctid from daily_codes where at <= $1 limit $2 for update skip locked)) returning 1`,
);
const madeSince = sql(
  'daily-codes-since',
  'select at, codes from daily_codes where account_id = $1 and at > $2 order by at',
);
const noteMade = sql(
  'note-daily-codes',
  'insert into daily_codes (account_id, at, codes) values ($1, $2, $3)',
);
