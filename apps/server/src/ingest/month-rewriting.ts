import type { ClickHouse } from '../platform/clickhouse.ts';

/** `version` is what ClickHouse numbers the mutation by, and with it the parts that have been through it. */
export type StoppedRewriting = {
  readonly mutation: string;
  readonly version: number;
  readonly reason: string;
};

const unfinished = `database = currentDatabase() and table = 'scans' and not is_done`;
const versionSql = `toUInt64OrZero(extract(mutation_id, '\\\\d+'))`;
/** No other statement of ours has this in it. */
const isRewriting = `position(command, 'APPLY DELETED MASK') > 0`;

export async function hasOpenMutation(clickhouse: ClickHouse, signal?: AbortSignal): Promise<boolean> {
  const open = await clickhouse.query(
    `select 1 from system.mutations where ${unfinished} limit 1`,
    {},
    { signal },
  );
  return open.length > 0;
}

/**
 * In the background of ClickHouse. One mutation and not two: roll-ups made of a part that still has a mask would count the
 * hidden rows. Parts of the month without hidden rows and with all roll-ups stay as they are. Resolves to the version that
 * parts have when it is done.
 */
export async function rewriteMonth(
  clickhouse: ClickHouse,
  month: string,
  signal?: AbortSignal,
): Promise<number> {
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
  const [asked] = await clickhouse.query<{ version: number }>(
    `select max(${versionSql}) as version from system.mutations
      where database = currentDatabase() and table = 'scans' and ${isRewriting}`,
    {},
    { signal },
  );
  if (!asked?.version) throw new Error(`ClickHouse does not list the rewriting of ${month}`);
  return asked.version;
}

/** ClickHouse tries a mutation that fails again and again, and every delete of that month waits behind it. */
export async function stopFailed(
  clickhouse: ClickHouse,
  failingSeconds: number,
  signal?: AbortSignal,
): Promise<StoppedRewriting[]> {
  const failed = await clickhouse.query<StoppedRewriting>(
    `select mutation_id as mutation, ${versionSql} as version, any(latest_fail_reason) as reason from system.mutations
      where ${unfinished} and ${isRewriting} and latest_fail_reason <> '' and create_time <= now() - {seconds: UInt32}
      group by mutation_id`,
    { seconds: failingSeconds },
    { signal },
  );
  for (const { mutation } of failed)
    await clickhouse.command(
      `kill mutation where database = currentDatabase() and table = 'scans' and mutation_id = '${mutation.replaceAll(/[^\w.]/g, '')}'`,
      {},
      { signal },
    );
  return failed;
}
