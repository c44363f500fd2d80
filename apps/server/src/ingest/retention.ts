import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Uuid } from '../kernel/ids.ts';
import { runEvery } from '../platform/background-jobs.ts';
import { type Database, sql } from '../platform/postgres/postgres.ts';
import {
  addAccountSums,
  addSums,
  clearSums,
  findDeletedCodes,
  removeCodeSums,
} from '../scans/retention/month-sums.ts';
import {
  asRun,
  claimRun,
  closeMonths,
  RunTaken,
  readState,
  recordSummed,
  releaseRun,
  renewRun,
} from '../scans/retention/removal-run.ts';
import { whenNotCopied } from '../scans/retention/retention.ts';
import { type Month, nextMonth } from '../scans/stores/month.ts';
import type { MonthStore } from '../scans/stores/month-storage.ts';

type Parts = {
  readonly db: Database;
  readonly months: MonthStore;
  /** Null: no month is removed. */
  readonly retentionMonths: number | null;
};

type Removal = {
  readonly removed: readonly Month[];
  /** Due, and left to a later run: their scans are on their way to the store, or are being erased, read or copied. */
  readonly waiting: readonly Month[];
  /** Another process is at it, or was until it was killed a moment ago. */
  readonly isTaken: boolean;
};

/** Deleted codes whose scans are still stored; with more of them, the sums wait for their erasure. */
const maxExcludedCodes = 2_000;

const sumsPerTransaction = 5_000;

/** A run that is not heard of for some of these has ended. */
const beatMs = 2_000;

/** How often a drop is tried in one run, and the wait in between. */
const [dropAttempts, dropPauseMs] = [40, 500];
/** How long a run waits for scans that are counted and not stored. */
const [openAttempts, openPauseMs] = [300, 100];

/**
 * Removes the months that SCAN_RETENTION_MONTHS no longer keeps, the oldest first. First no scan of them is counted any more;
 * then each is summed, figures change over to the sums, and its scans are dropped. A run that ends in between is continued by
 * the next one, of any process.
 */
export async function removeOldMonths(
  { db, months, retentionMonths }: Parts,
  signal: AbortSignal,
): Promise<Removal> {
  const nothing = { removed: [], waiting: [], isTaken: false };
  const { countedFrom, retainedFrom, keptFrom } = await readState(db, retentionMonths);
  const closedTo = keptFrom !== null && keptFrom > countedFrom ? keptFrom : countedFrom;
  // Without the setting, a removal that has begun is still completed.
  const isDue = (month: Month) =>
    month < closedTo && (keptFrom !== null || (retainedFrom !== null && month < retainedFrom));
  const due = (await months.listMonths()).filter(isDue);
  if (due.length === 0 && closedTo === countedFrom) return nothing;
  const run = randomUUID();
  if (!(await claimRun(db, run))) return { ...nothing, isTaken: true };
  const stopBeating = runEvery(beatMs, () => void renewRun(db, run).catch(() => undefined));
  const removed: Month[] = [];
  try {
    await asRun(db, run, tx => closeMonths(tx, closedTo));
    for (const month of due) {
      const isSummed = retainedFrom !== null && month < retainedFrom;
      if (!isSummed && !(await sumMonth(db, months, run, month, signal))) break;
      if (!(await dropMonth(db, months, month, signal))) break;
      removed.push(month);
    }
  } catch (error) {
    if (!(error instanceof RunTaken)) throw error;
  } finally {
    stopBeating();
    await releaseRun(db, run);
  }
  return { removed, waiting: due.slice(removed.length), isTaken: false };
}

/** False if scans of the month are still on their way to the store, or out of it. */
async function sumMonth(
  db: Database,
  months: MonthStore,
  run: Uuid,
  month: Month,
  signal: AbortSignal,
): Promise<boolean> {
  if (!(await areGroupsStored(db, signal))) return false;
  const rows = await db.query<{ id: Uuid }>(codesToErase, [maxExcludedCodes + 1]);
  if (rows.length > maxExcludedCodes) return false;
  const excluded = rows.map(({ id }) => id);
  await asRun(db, run, tx => clearSums(tx, month));
  for await (const sums of months.readSums(month, excluded, signal))
    for (let from = 0; from < sums.length; from += sumsPerTransaction)
      await asRun(db, run, tx => addSums(tx, month, sums.slice(from, from + sumsPerTransaction)));
  await asRun(db, run, async tx => {
    await addAccountSums(tx, month);
    // Their erasure may have looked for sums before these were written.
    const deleted = await findDeletedCodes(tx, month);
    const accounts = [...new Set(deleted.map(({ accountId }) => accountId))];
    await removeCodeSums(
      tx,
      accounts,
      deleted.map(({ qrCodeId }) => qrCodeId),
    );
    await recordSummed(tx, month, nextMonth(month));
  });
  return true;
}

/** Waits until the groups that are open now are stored: they may have scans that were counted before their month was closed. */
async function areGroupsStored(db: Database, signal: AbortSignal): Promise<boolean> {
  const names = async () => (await db.query<{ name: string }>(openGroups)).map(({ name }) => name);
  const open = await names();
  for (let attempt = 0; attempt < openAttempts; attempt++) {
    const now = new Set(await names());
    if (!open.some(name => now.has(name))) return true;
    await pause(openPauseMs, undefined, { signal });
  }
  return false;
}

async function dropMonth(
  db: Database,
  months: MonthStore,
  month: Month,
  signal: AbortSignal,
): Promise<boolean> {
  for (let attempt = 0; attempt < dropAttempts; attempt++) {
    if (await whenNotCopied(db, tx => months.drop(tx, month))) return true;
    await pause(dropPauseMs, undefined, { signal });
  }
  return false;
}

const codesToErase = sql(
  'scan-retention-codes-to-erase',
  'select qr_code_id as id from erasures where sweeps = 0 limit $1',
);

const openGroups = sql(
  'scan-retention-open-groups',
  `select shard || '.' || log || '.' || to_position as name from ingest_groups`,
);
