import { setTimeout as pause } from 'node:timers/promises';
import type { Uuid } from '../kernel/ids.ts';
import type { ClickHouse, Limits } from './clickhouse.ts';

/** Rows of codes. Both lists are ids as PostgreSQL gives them. */
export type RowsOfCodes = {
  readonly table: 'scans' | 'webhook_attempts';
  readonly accounts: readonly Uuid[];
  readonly codes: readonly Uuid[];
};

type Timed = Limits & { readonly timeoutMs: number };

/**
 * Hides rows by lightweight deletes, one partition after the other, and waits for each until no query sees them. Only
 * partitions that hold such rows are touched: where there are none, no part is written. Resolves to the partitions that
 * still show some: ClickHouse merges or rewrites a part there, and the next call goes on with them.
 */
export async function hideRows(
  clickhouse: ClickHouse,
  rows: RowsOfCodes,
  limits: Timed,
  beforeEach: () => Promise<unknown> = async () => undefined,
): Promise<string[]> {
  const { table } = rows;
  const condition = conditionOf(rows);
  const found = await clickhouse.query<{ partition: string }>(
    `select distinct _partition_id as partition from ${table} where ${condition} order by partition`,
    {},
    limits,
  );
  const busy = await findBusy(clickhouse, table, limits);
  const left: string[] = [];
  for (const { partition } of found) {
    await beforeEach();
    // A second delete behind one that waits would hide nothing sooner, and ClickHouse would do both.
    if (busy.has(partition)) {
      left.push(partition);
      continue;
    }
    // ClickHouse itself would wait for parts of other partitions too, which it only has to rename.
    await clickhouse.command(
      `delete from ${table} in partition id '${partition}' where ${condition} settings lightweight_deletes_sync = 0`,
      {},
      limits,
    );
    if (!(await isDoneInTime(clickhouse, table, partition, limits))) left.push(partition);
  }
  return left;
}

/** The codes that have rows in some partitions. */
export async function codesIn(
  clickhouse: ClickHouse,
  rows: RowsOfCodes,
  partitions: readonly string[],
  limits: Limits,
): Promise<ReadonlySet<string>> {
  if (partitions.length === 0) return new Set();
  const found = await clickhouse.query<{ code: string }>(
    `select distinct toString(qr_code_id) as code from ${rows.table}
      where ${conditionOf(rows)} and _partition_id in {partitions: Array(String)}`,
    { partitions },
    limits,
  );
  return new Set(found.map(({ code }) => code));
}

async function isDoneInTime(
  clickhouse: ClickHouse,
  table: string,
  partition: string,
  limits: Timed,
): Promise<boolean> {
  const until = performance.now() + limits.timeoutMs;
  for (let waitMs = 5; ; waitMs = Math.min(2 * waitMs, 500)) {
    const [open] = await clickhouse.query(
      `select 1 from system.mutations
        where ${unfinishedOf(table)} and arrayExists(part -> splitByChar('_', part)[1] = {partition: String}, parts_to_do_names)
        limit 1`,
      { partition },
      limits,
    );
    if (!open) return true;
    if (performance.now() >= until) return false;
    await pause(waitMs, undefined, limits.signal ? { signal: limits.signal } : {});
  }
}

/** Partitions for which ClickHouse has a delete or a rewriting that is not done. */
async function findBusy(clickhouse: ClickHouse, table: string, limits: Limits): Promise<ReadonlySet<string>> {
  // A mutation of one partition lists the parts of all until they are renamed.
  const found = await clickhouse.query<{ held: string }>(
    `select distinct splitByChar('_', part)[1] as held from system.mutations array join parts_to_do_names as part
      where ${unfinishedOf(table)}
        and (position(command, 'IN PARTITION') = 0 or position(command, concat('PARTITION ID ''', held, '''')) > 0)`,
    {},
    limits,
  );
  return new Set(found.map(({ held }) => held));
}

const unfinishedOf = (table: string) => `database = currentDatabase() and table = '${table}' and not is_done`;

const conditionOf = ({ accounts, codes }: RowsOfCodes) =>
  `account_id in (${listOf(accounts)}) and qr_code_id in (${listOf(codes)})`;

/** In the text and not as a value of the query: values travel in the address, which may not be so long. */
const listOf = (ids: readonly Uuid[]) => ids.map(id => `'${id.replaceAll(/[^\da-f-]/g, '')}'`).join(', ');
