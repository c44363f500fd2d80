import type { ClickHouse } from '../platform/clickhouse.ts';
import type { Database } from '../platform/postgres.ts';
import { giveTurnBack, takeTurn } from './erasure-turns.ts';
import { type NotedMonth, noteAsked, noteAsking, noteMonths, noteStopped } from './hidden-months.ts';
import { hasOpenMutation, rewriteMonth, type StoppedRewriting, stopFailed } from './month-rewriting.ts';

/** The parts of a month that have hidden rows: how many rows they hold, and how many of them are hidden. */
export type HiddenMonth = {
  readonly month: string;
  readonly rows: number;
  readonly hidden: number;
  /** The oldest version of these parts: the number of the last mutation that a part has been through. */
  readonly version: number;
  /** Rows in other parts, which have no hidden rows and lack roll-ups. */
  readonly bare: number;
};

export type HiddenRows = {
  readonly rows: number;
  /** Since the oldest of them may have been hidden; 0 where there are none. */
  readonly oldestSeconds: number;
  /** The month whose parts ClickHouse was asked to rewrite; null where it was not. */
  readonly merged: string | null;
  /** Rewritings that kept failing. */
  readonly stopped: readonly StoppedRewriting[];
};

const limits = { shareOfRows: 0.01, ageSeconds: 14 * 86_400, failingSeconds: 3_600 };
const countMs = 60_000;

/**
 * An erasure hides rows and drops the roll-ups of the parts that they are in. ClickHouse takes hidden rows from the disk when
 * it merges their part for reasons of its own, which it may never do with an old month. So the parts of one month a
 * day are rewritten, of all processes together.
 */
export async function tendHiddenRows(
  db: Database,
  clickhouse: ClickHouse,
  signal?: AbortSignal,
  failingSeconds = limits.failingSeconds,
): Promise<HiddenRows> {
  const stopped = await stopFailed(clickhouse, failingSeconds, signal);
  await noteStopped(
    db,
    stopped.map(({ version }) => version),
  );
  const months = await findHidden(clickhouse, signal);
  const noted = await noteMonths(
    db,
    months.filter(({ rows }) => rows > 0),
  );
  const chosen = chooseMonth(months, noted);
  const merged = chosen !== null && (await rewriteInTurn(db, clickhouse, chosen, signal)) ? chosen : null;
  return {
    rows: months.reduce((sum, { hidden }) => sum + hidden, 0),
    oldestSeconds: Math.max(0, ...[...noted.values()].map(({ seconds }) => seconds)),
    merged,
    stopped,
  };
}

/** What ClickHouse has hidden, and which parts lack roll-ups. Of rows it reads nothing but masks. */
async function findHidden(clickhouse: ClickHouse, signal?: AbortSignal): Promise<HiddenMonth[]> {
  const parts = `from system.parts where database = currentDatabase() and table = 'scans' and active`;
  const months = await clickhouse.query<{ month: string; held: number; version: number; bare: number }>(
    `with (select count() from system.projections where database = currentDatabase() and table = 'scans') as roll_ups
     select partition_id as month, sumIf(rows, has_lightweight_delete) as held,
            minIf(data_version, has_lightweight_delete) as version,
            sumIf(rows, not has_lightweight_delete and length(projections) < roll_ups) as bare
       ${parts} group by month having held > 0 or bare > 0 order by month`,
    {},
    { signal },
  );
  if (!months.some(({ held }) => held > 0)) return months.map(of => ({ ...of, rows: 0, hidden: 0 }));
  const counted = await clickhouse.query<{ month: string; hidden: number }>(
    `select _partition_id as month, count() as hidden from scans
      where _part in (select name ${parts} and has_lightweight_delete) and _row_exists = 0
      group by month settings apply_deleted_mask = 0`,
    {},
    { timeoutMs: countMs, signal },
  );
  const hidden = new Map(counted.map(row => [row.month, row.hidden]));
  return months.map(({ month, held, version, bare }) => ({
    month,
    rows: held,
    hidden: hidden.get(month) ?? 0,
    version,
    bare,
  }));
}

/**
 * First a month that has had hidden rows for too long, and of several the one that was not asked for longest. Else the one
 * with the largest share of hidden rows, if that is worth it. Else one whose parts came out of a merge or a rewriting
 * without roll-ups. A month whose rewriting fails does not keep the others waiting.
 */
export function chooseMonth(
  months: readonly HiddenMonth[],
  noted: ReadonlyMap<string, NotedMonth>,
): string | null {
  const ageOf = ({ month }: HiddenMonth) => noted.get(month)?.seconds ?? 0;
  const waited = (of: HiddenMonth) => noted.get(of.month)?.askedSeconds ?? ageOf(of);
  const shareOf = ({ rows, hidden }: HiddenMonth) => (rows > 0 ? hidden / rows : 0);
  const bareOf = ({ bare }: HiddenMonth) => bare;
  const old = months.filter(month => ageOf(month) > limits.ageSeconds);
  const worthIt = months.filter(month => shareOf(month) > limits.shareOfRows);
  const isPending = ({ month }: HiddenMonth) => noted.get(month)?.isPending ?? false;
  return (
    mostOf(old, waited) ??
    mostOf(
      worthIt.filter(month => !isPending(month)),
      shareOf,
    ) ??
    mostOf(
      months.filter(month => bareOf(month) > 0),
      bareOf,
    ) ??
    mostOf(worthIt, waited)
  );
}

const mostOf = (months: readonly HiddenMonth[], by: (month: HiddenMonth) => number) =>
  months.length === 0 ? null : months.reduce((a, b) => (by(b) > by(a) ? b : a)).month;

/** Not behind a mutation that is open: a delete in the same pass would leave the parts without roll-ups. */
async function rewriteInTurn(
  db: Database,
  clickhouse: ClickHouse,
  month: string,
  signal?: AbortSignal,
): Promise<boolean> {
  if ((await hasOpenMutation(clickhouse, signal)) || !(await takeTurn(db, 'merge'))) return false;
  try {
    await noteAsking(db, month);
    await noteAsked(db, month, await rewriteMonth(clickhouse, month, signal));
  } catch (error) {
    await giveTurnBack(db, 'merge');
    throw error;
  }
  return true;
}
