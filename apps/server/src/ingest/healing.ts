import type { ClickHouse } from '../platform/clickhouse.ts';

const mergeMs = 600_000;

/**
 * An erasure hides rows at once, and drops the roll-ups of the parts that they were in. Merging such a part takes the rows
 * from the disk and makes the roll-ups again. One month at a time, since it is heavy and nobody waits for it: meanwhile
 * ClickHouse works the same figures out from the rows. Returns the month that was merged, or null where all is well.
 */
export async function healOne(clickhouse: ClickHouse, signal?: AbortSignal): Promise<string | null> {
  const [wounded] = await clickhouse.query<{ partition: string }>(
    `select partition_id as partition from system.parts
      where database = currentDatabase() and table = 'scans' and active and has_lightweight_delete
      group by partition order by sum(rows) limit 1`,
    {},
    { signal },
  );
  if (!wounded) return null;
  await clickhouse.command(
    // Only digits, as ClickHouse names the partitions of this table.
    `optimize table scans partition id '${wounded.partition.replaceAll(/\D/g, '')}' final`,
    {},
    { timeoutMs: mergeMs, signal },
  );
  return wounded.partition;
}
