import type { ClickHouse } from '../../platform/clickhouse/clickhouse.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import {
  hasOpenMutation,
  rewriteMonth,
  type StoppedRewrite,
  stopFailed,
} from '../../scans/stores/clickhouse/month-rewriting.ts';
import {
  type HiddenMonthRecord,
  recordMonths,
  recordRewriteRequested,
  recordRewriteStopped,
  recordRewriteVersion,
} from './hidden-months.ts';
import { claimTask, releaseClaim } from './task-claims.ts';

/** The parts of a month with hidden rows: how many rows they hold, and how many of them are hidden. */
export type HiddenMonth = {
  readonly month: string;
  readonly rows: number;
  readonly hidden: number;
  /** The oldest version of these parts: the number of the last mutation applied to a part. */
  readonly version: number;
  /** Rows in other parts, which have no hidden rows but lack roll-ups. */
  readonly rowsWithoutRollUps: number;
};

export type HiddenRows = {
  readonly rows: number;
  /** How long ago the oldest of them may have been hidden; 0 if there are none. */
  readonly oldestSeconds: number;
  /** The month whose rewrite was requested; null if none was. */
  readonly rewrittenMonth: string | null;
  /** Rewrites that kept failing. */
  readonly stopped: readonly StoppedRewrite[];
};

const limits = { shareOfRows: 0.01, ageSeconds: 14 * 86_400, failingSeconds: 3_600 };
const countTimeoutMs = 60_000;

/**
 * An erasure hides rows and drops the roll-ups of their parts. ClickHouse removes hidden rows from disk only when it merges
 * the part for other reasons, which may never happen to an old month. So one month a day is rewritten, across all
 * processes.
 */
export async function rewriteHiddenRows(
  db: Database,
  clickhouse: ClickHouse,
  signal?: AbortSignal,
  failingSeconds = limits.failingSeconds,
): Promise<HiddenRows> {
  const stopped = await stopFailed(clickhouse, failingSeconds, signal);
  await recordRewriteStopped(
    db,
    stopped.map(({ version }) => version),
  );
  const months = await findHidden(clickhouse, signal);
  const records = await recordMonths(
    db,
    months.filter(({ rows }) => rows > 0),
  );
  const chosen = chooseMonth(months, records);
  const rewrittenMonth =
    chosen !== null && (await rewriteIfClaimed(db, clickhouse, chosen, signal)) ? chosen : null;
  return {
    rows: months.reduce((sum, { hidden }) => sum + hidden, 0),
    oldestSeconds: Math.max(0, ...[...records.values()].map(({ seconds }) => seconds)),
    rewrittenMonth,
    stopped,
  };
}

/** Finds hidden rows, and parts that lack roll-ups. It reads only the masks of rows. */
async function findHidden(clickhouse: ClickHouse, signal?: AbortSignal): Promise<HiddenMonth[]> {
  const parts = `from system.parts where database = currentDatabase() and table = 'scans' and active`;
  const months = await clickhouse.query<{
    month: string;
    held: number;
    version: number;
    rowsWithoutRollUps: number;
  }>(
    `with (select count() from system.projections where database = currentDatabase() and table = 'scans') as roll_ups
     select partition_id as month, sumIf(rows, has_lightweight_delete) as held,
            minIf(data_version, has_lightweight_delete) as version,
            sumIf(rows, not has_lightweight_delete and length(projections) < roll_ups) as rowsWithoutRollUps
       ${parts} group by month having held > 0 or rowsWithoutRollUps > 0 order by month`,
    {},
    { signal },
  );
  if (!months.some(({ held }) => held > 0)) return months.map(month => ({ ...month, rows: 0, hidden: 0 }));
  const counted = await clickhouse.query<{ month: string; hidden: number }>(
    `select _partition_id as month, count() as hidden from scans
      where _part in (select name ${parts} and has_lightweight_delete) and _row_exists = 0
      group by month settings apply_deleted_mask = 0`,
    {},
    { timeoutMs: countTimeoutMs, signal },
  );
  const hidden = new Map(counted.map(row => [row.month, row.hidden]));
  return months.map(({ month, held, version, rowsWithoutRollUps }) => ({
    month,
    rows: held,
    hidden: hidden.get(month) ?? 0,
    version,
    rowsWithoutRollUps,
  }));
}

/**
 * First a month that has had hidden rows for too long; of several, the one whose last request is longest ago. Else the one
 * with the largest share of hidden rows, if that is worth it. Else one whose parts came out of a merge or a rewrite
 * without roll-ups. A month whose rewrite fails does not block the others.
 */
export function chooseMonth(
  months: readonly HiddenMonth[],
  records: ReadonlyMap<string, HiddenMonthRecord>,
): string | null {
  const getAge = ({ month }: HiddenMonth) => records.get(month)?.seconds ?? 0;
  const getWait = (hidden: HiddenMonth) => records.get(hidden.month)?.requestedSecondsAgo ?? getAge(hidden);
  const getHiddenShare = ({ rows, hidden }: HiddenMonth) => (rows > 0 ? hidden / rows : 0);
  const withoutRollUps = ({ rowsWithoutRollUps }: HiddenMonth) => rowsWithoutRollUps;
  const old = months.filter(month => getAge(month) > limits.ageSeconds);
  const worthIt = months.filter(month => getHiddenShare(month) > limits.shareOfRows);
  const isPending = ({ month }: HiddenMonth) => records.get(month)?.isPending ?? false;
  return (
    monthWithMost(old, getWait) ??
    monthWithMost(
      worthIt.filter(month => !isPending(month)),
      getHiddenShare,
    ) ??
    monthWithMost(
      months.filter(month => withoutRollUps(month) > 0),
      withoutRollUps,
    ) ??
    monthWithMost(worthIt, getWait)
  );
}

const monthWithMost = (months: readonly HiddenMonth[], by: (month: HiddenMonth) => number) =>
  months.length === 0 ? null : months.reduce((a, b) => (by(b) > by(a) ? b : a)).month;

/** Not while a mutation is open: a delete in the same pass would leave the parts without roll-ups. */
async function rewriteIfClaimed(
  db: Database,
  clickhouse: ClickHouse,
  month: string,
  signal?: AbortSignal,
): Promise<boolean> {
  if ((await hasOpenMutation(clickhouse, signal)) || !(await claimTask(db, 'merge'))) return false;
  try {
    await recordRewriteRequested(db, month);
    await recordRewriteVersion(db, month, await rewriteMonth(clickhouse, month, signal));
  } catch (error) {
    await releaseClaim(db, 'merge');
    throw error;
  }
  return true;
}
