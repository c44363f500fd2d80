import type { Caller } from '../../kernel/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { BackgroundJob } from '../../platform/background-jobs.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import { lockCounts } from '../code-counts.ts';
import { lockBlockList } from '../targets/blocked-hosts.ts';
import { type InsertOutcome, isInserted } from './insertion.ts';

const dayMs = 24 * 60 * 60_000;
const rowsPerStep = 10_000;

/** It applies to users of accounts that signed up, for live codes made in the dashboard. */
export const hasDailyLimit = ({ signedUp, via, mode }: Caller): boolean =>
  signedUp && via.kind === 'user' && mode === 'live';

/**
 * An insert that keeps to a limit of codes in any 24 hours. They are counted in PostgreSQL under the account's lock, so the
 * limit holds over all processes and also while Redis is away. Codes deleted since still count.
 */
export async function insertWithinDailyLimit(
  db: Database,
  caller: Caller,
  { count, limit, now }: { readonly count: number; readonly limit: number; readonly now: Date },
  insert: (tx: Database) => Promise<InsertOutcome>,
): Promise<InsertOutcome> {
  return await db.transaction(async tx => {
    // Every insert locks in this order.
    await lockBlockList(tx);
    await lockCounts(tx, caller);
    const since = new Date(now.getTime() - dayMs);
    await tx.query(deleteOlder, [caller.accountId, since]);
    const created = await tx.query<Creation>(createdSince, [caller.accountId, since]);
    const used = created.reduce((sum, { codes }) => sum + codes, 0);
    if (used + count > limit) throw tooManyToday(created, used, count, limit);
    const inserted = await insert(tx);
    if (isInserted(inserted)) await tx.query(recordCreation, [caller.accountId, now, count]);
    return inserted;
  });
}

/** For a closed account, once no code can be created in it. */
export async function deleteDailyCodes(db: Database, accountId: Uuid): Promise<void> {
  await db.query(deleteAll, [accountId]);
}

/** Removes rows older than a day, which no longer count, also of accounts that never create another code. */
export const pruneDailyCodesJob = (db: Database, clock: Clock): BackgroundJob => ({
  name: 'prune daily codes',
  everyMs: 3_600_000,
  async run() {
    const before = new Date(clock.now().getTime() - dayMs);
    return (await db.query(prune, [before, rowsPerStep])).length === rowsPerStep;
  },
});

type Creation = { readonly at: Date; readonly codes: number };

/** States when this many will fit; where they never will, when the limit is free again. */
function tooManyToday(created: readonly Creation[], used: number, count: number, limit: number): AppError {
  let left = used;
  const frees = created.find(({ codes }) => {
    left -= codes;
    return left + Math.min(count, limit) <= limit;
  });
  const resetsAt = frees && new Date(frees.at.getTime() + dayMs);
  const requested = count === 1 ? '' : ` This call asks for ${count} more.`;
  const next =
    count > limit
      ? `Ask for at most ${limit} at a time.`
      : `Try again after ${resetsAt?.toISOString() ?? 'a day'}, or create them through the API.`;
  return new AppError(
    'quota_exceeded',
    `Your account can create ${limit} QR codes in the dashboard in 24 hours, and has created ${used}.${requested} ${next}`,
    { limit, used, ...(resetsAt ? { resetsAt } : {}) },
  );
}

const deleteOlder = sql(
  'delete-older-daily-codes',
  'delete from daily_codes where account_id = $1 and at <= $2',
);
const deleteAll = sql('delete-daily-codes', 'delete from daily_codes where account_id = $1');
const prune = sql(
  'prune-daily-codes',
  `delete from daily_codes where ctid = any(array(
     select ctid from daily_codes where at <= $1 limit $2 for update skip locked)) returning 1`,
);
const createdSince = sql(
  'daily-codes-since',
  'select at, codes from daily_codes where account_id = $1 and at > $2 order by at',
);
const recordCreation = sql(
  'record-daily-codes',
  'insert into daily_codes (account_id, at, codes) values ($1, $2, $3)',
);
