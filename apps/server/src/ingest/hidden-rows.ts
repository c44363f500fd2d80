import type { ClickHouse } from '../platform/clickhouse.ts';
import { type Database, sql } from '../platform/postgres.ts';
import { takeTurn } from './erasure-turns.ts';

/** The parts of a month that have hidden rows: how many rows they hold, and how many of them are hidden. */
export type HiddenMonth = { readonly month: string; readonly rows: number; readonly hidden: number };

export type HiddenRows = {
  readonly rows: number;
  /** Since the oldest of them may have been hidden; 0 where there are none. */
  readonly oldestSeconds: number;
  /** The month whose parts ClickHouse was asked to rewrite; null where it was not. */
  readonly merged: string | null;
};

const limits = { shareOfRows: 0.01, ageSeconds: 14 * 86_400 };
const countMs = 60_000;

/**
 * An erasure hides rows and drops the roll-ups of the parts that they are in. ClickHouse takes hidden rows from the disk when
 * it merges their part for reasons of its own, which it may never do with an old month. So the parts of one month a
 * day are rewritten, of all processes together: first a month that has had hidden rows for too long, else the one
 * with the largest share of them, if that is worth it.
 */
export async function tendHiddenRows(
  db: Database,
  clickhouse: ClickHouse,
  signal?: AbortSignal,
): Promise<HiddenRows> {
  const months = await findHidden(clickhouse, signal);
  const ages = await noteMonths(
    db,
    months.map(({ month }) => month),
  );
  const worthIt = chooseMonth(months, ages);
  const merged = worthIt !== null && (await takeTurn(db, 'merge')) ? worthIt : null;
  if (merged !== null) await rewriteMonth(clickhouse, merged, signal);
  return {
    rows: months.reduce((sum, { hidden }) => sum + hidden, 0),
    oldestSeconds: Math.max(0, ...ages.values()),
    merged,
  };
}

/** What ClickHouse has hidden. It reads nothing but masks. */
async function findHidden(clickhouse: ClickHouse, signal?: AbortSignal): Promise<HiddenMonth[]> {
  const masked = `from system.parts
     where database = currentDatabase() and table = 'scans' and active and has_lightweight_delete`;
  const months = await clickhouse.query<{ month: string; held: number }>(
    `select partition_id as month, sum(rows) as held ${masked} group by month order by month`,
    {},
    { signal },
  );
  if (months.length === 0) return [];
  const counted = await clickhouse.query<{ month: string; hidden: number }>(
    `select _partition_id as month, count() as hidden from scans
      where _part in (select name ${masked}) and _row_exists = 0
      group by month settings apply_deleted_mask = 0`,
    {},
    { timeoutMs: countMs, signal },
  );
  const hidden = new Map(counted.map(row => [row.month, row.hidden]));
  return months.map(({ month, held }) => ({ month, rows: held, hidden: hidden.get(month) ?? 0 }));
}

/** Keeps since when months have hidden rows, and returns for how many seconds each has. */
async function noteMonths(db: Database, months: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const read = async () => {
    const rows = await db.query<{ month: string; seconds: number }>(readMonths);
    return new Map(rows.map(({ month, seconds }) => [month, seconds]));
  };
  const known = await read();
  if (known.size === months.length && months.every(month => known.has(month))) return known;
  await db.query(dropMonths, [months]);
  await db.query(addMonths, [months]);
  return read();
}

export function chooseMonth(
  months: readonly HiddenMonth[],
  ages: ReadonlyMap<string, number>,
): string | null {
  const ageOf = ({ month }: HiddenMonth) => ages.get(month) ?? 0;
  const shareOf = ({ rows, hidden }: HiddenMonth) => hidden / rows;
  const [oldest] = [...months].sort((a, b) => ageOf(b) - ageOf(a));
  if (oldest && ageOf(oldest) > limits.ageSeconds) return oldest.month;
  const [most] = [...months].sort((a, b) => shareOf(b) - shareOf(a));
  return most && shareOf(most) > limits.shareOfRows ? most.month : null;
}

/**
 * In the background of ClickHouse. One mutation and not two: roll-ups made of a part that still has a mask would count the
 * hidden rows. Parts of the month without hidden rows stay as they are.
 */
async function rewriteMonth(clickhouse: ClickHouse, month: string, signal?: AbortSignal): Promise<void> {
  const rollUps = await clickhouse.query<{ name: string }>(
    `select name from system.projections where database = currentDatabase() and table = 'scans' order by name`,
    {},
    { signal },
  );
  // Only digits, as ClickHouse names the partitions of this table.
  const where = `in partition id '${month.replaceAll(/\D/g, '')}'`;
  const steps = [
    `apply deleted mask ${where}`,
    ...rollUps.map(({ name }) => `materialize projection ${name} ${where}`),
  ];
  await clickhouse.command(
    `alter table scans ${steps.join(', ')} settings mutations_sync = 0`,
    {},
    { signal },
  );
}

const readMonths = sql(
  'read-hidden-months',
  'select month, extract(epoch from now() - since)::float8 as seconds from hidden_months',
);

const dropMonths = sql('drop-hidden-months', 'delete from hidden_months where month <> all($1::text[])');

const addMonths = sql(
  'add-hidden-months',
  'insert into hidden_months (month) select unnest($1::text[]) on conflict (month) do nothing',
);
