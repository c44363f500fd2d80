import { setTimeout as sleep } from 'node:timers/promises';
import type { Uuid } from '../../kernel/ids.ts';
import type { ClickHouse, QueryOptions } from './clickhouse.ts';

/** The rows of some codes. Both lists are ids as PostgreSQL writes them. */
type CodeRows = {
  readonly table: 'scans';
  readonly accounts: readonly Uuid[];
  readonly codes: readonly Uuid[];
};

type TimedOptions = QueryOptions & { readonly timeoutMs: number };

/**
 * Deletes rows by ClickHouse's lightweight delete, one partition after another, and waits for each until no query sees them.
 * Only partitions that contain such rows are touched: without any, no part is written. Resolves to the partitions that still
 * show some, because ClickHouse is merging or rewriting a part there; the next call continues with them.
 */
export async function lightweightDelete(
  clickhouse: ClickHouse,
  rows: CodeRows,
  options: TimedOptions,
  beforePartition: () => Promise<unknown> = async () => undefined,
): Promise<string[]> {
  const { table } = rows;
  const condition = whereCodes(rows);
  const found = await clickhouse.query<{ partition: string }>(
    `select distinct _partition_id as partition from ${table} where ${condition} order by partition`,
    {},
    options,
  );
  const busy = await findBusy(clickhouse, table, options);
  const unfinished: string[] = [];
  for (const { partition } of found) {
    await beforePartition();
    // A second delete behind a waiting one would not take effect sooner, and ClickHouse would do both.
    if (busy.has(partition)) {
      unfinished.push(partition);
      continue;
    }
    // Its own synchronous mode would also wait for parts of other partitions, which it only has to rename.
    await clickhouse.command(
      `delete from ${table} in partition id '${partition}' where ${condition} settings lightweight_deletes_sync = 0`,
      {},
      options,
    );
    if (!(await finishesInTime(clickhouse, table, partition, options))) unfinished.push(partition);
  }
  return unfinished;
}

/** The codes that have rows in the given partitions. */
export async function codesInPartitions(
  clickhouse: ClickHouse,
  rows: CodeRows,
  partitions: readonly string[],
  options: QueryOptions,
): Promise<ReadonlySet<string>> {
  if (partitions.length === 0) return new Set();
  const found = await clickhouse.query<{ code: string }>(
    `select distinct toString(qr_code_id) as code from ${rows.table}
      where ${whereCodes(rows)} and _partition_id in {partitions: Array(String)}`,
    { partitions },
    options,
  );
  return new Set(found.map(({ code }) => code));
}

async function finishesInTime(
  clickhouse: ClickHouse,
  table: string,
  partition: string,
  options: TimedOptions,
): Promise<boolean> {
  const endsAtMs = performance.now() + options.timeoutMs;
  for (let waitMs = 5; ; waitMs = Math.min(2 * waitMs, 500)) {
    const [open] = await clickhouse.query(
      `select 1 from system.mutations
        where ${whereUnfinished(table)} and arrayExists(part -> splitByChar('_', part)[1] = {partition: String}, parts_to_do_names)
        limit 1`,
      { partition },
      options,
    );
    if (!open) return true;
    if (performance.now() >= endsAtMs) return false;
    await sleep(waitMs, undefined, options.signal ? { signal: options.signal } : {});
  }
}

/** Partitions with an unfinished delete or rewrite. */
async function findBusy(
  clickhouse: ClickHouse,
  table: string,
  options: QueryOptions,
): Promise<ReadonlySet<string>> {
  // A mutation of one partition lists the parts of all partitions until they are renamed.
  const found = await clickhouse.query<{ partition: string }>(
    `select distinct splitByChar('_', part)[1] as partition from system.mutations array join parts_to_do_names as part
      where ${whereUnfinished(table)}
        and (position(command, 'IN PARTITION') = 0 or position(command, concat('PARTITION ID ''', partition, '''')) > 0)`,
    {},
    options,
  );
  return new Set(found.map(({ partition }) => partition));
}

const whereUnfinished = (table: string) =>
  `database = currentDatabase() and table = '${table}' and not is_done`;

const whereCodes = ({ accounts, codes }: CodeRows) =>
  `account_id in (${formatIds(accounts)}) and qr_code_id in (${formatIds(codes)})`;

/** In the text and not as a parameter: parameters travel in the URL, which is limited in length. */
const formatIds = (ids: readonly Uuid[]) => ids.map(id => `'${id.replaceAll(/[^\da-f-]/g, '')}'`).join(', ');
