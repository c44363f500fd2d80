import type { ClickHouse } from '../../../platform/clickhouse/clickhouse.ts';

/** `version` is ClickHouse's number of the mutation, and of the parts that it was applied to. */
export type StoppedRewrite = {
  readonly mutation: string;
  readonly version: number;
  readonly reason: string;
};

const unfinished = `database = currentDatabase() and table = 'scans' and not is_done`;
const versionSql = `toUInt64OrZero(extract(mutation_id, '\\\\d+'))`;
/** No other statement of ours contains this. */
const isRewrite = `position(command, 'APPLY DELETED MASK') > 0`;

export async function hasOpenMutation(clickhouse: ClickHouse, signal?: AbortSignal): Promise<boolean> {
  const open = await clickhouse.query(
    `select 1 from system.mutations where ${unfinished} limit 1`,
    {},
    { signal },
  );
  return open.length > 0;
}

/**
 * Runs in the background of ClickHouse. It is one mutation and not two, because roll-ups built from a part that still has a
 * mask would count the hidden rows. Parts without hidden rows and with all roll-ups stay unchanged. Resolves to the version
 * of the parts when it is done.
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
  // ClickHouse names the partitions of this table with digits only.
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
  const [requested] = await clickhouse.query<{ version: number }>(
    `select max(${versionSql}) as version from system.mutations
      where database = currentDatabase() and table = 'scans' and ${isRewrite}`,
    {},
    { signal },
  );
  if (!requested?.version) throw new Error(`ClickHouse does not list the rewrite of ${month}`);
  return requested.version;
}

/** ClickHouse retries a failing mutation endlessly, and every delete of that month waits behind it. */
export async function stopFailed(
  clickhouse: ClickHouse,
  failingSeconds: number,
  signal?: AbortSignal,
): Promise<StoppedRewrite[]> {
  const failed = await clickhouse.query<StoppedRewrite>(
    `select mutation_id as mutation, ${versionSql} as version, any(latest_fail_reason) as reason from system.mutations
      where ${unfinished} and ${isRewrite} and latest_fail_reason <> '' and create_time <= now() - {seconds: UInt32}
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
