import type { Uuid } from '../kernel/ids.ts';
import type { ClickHouse, Limits } from './clickhouse.ts';

/** Rows of codes. Both lists are ids as PostgreSQL gives them. */
export type RowsOfCodes = {
  readonly table: 'scans' | 'webhook_attempts';
  readonly accounts: readonly Uuid[];
  readonly codes: readonly Uuid[];
};

/**
 * Hides rows by a lightweight delete, and waits until no query sees them. Only partitions that hold such rows are touched:
 * where there are none, no part is written. Resolves to the partitions that were touched.
 */
export async function hideRows(
  clickhouse: ClickHouse,
  { table, accounts, codes }: RowsOfCodes,
  limits: Limits,
  beforeEach: () => Promise<unknown> = async () => undefined,
): Promise<string[]> {
  const condition = `account_id in (${listOf(accounts)}) and qr_code_id in (${listOf(codes)})`;
  const found = await clickhouse.query<{ partition: string }>(
    `select distinct _partition_id as partition from ${table} where ${condition} order by partition`,
    {},
    limits,
  );
  const partitions = found.map(({ partition }) => partition);
  for (const partition of partitions) {
    await beforeEach();
    await clickhouse.command(
      `delete from ${table} in partition id '${partition}' where ${condition}`,
      {},
      limits,
    );
  }
  return partitions;
}

/** In the text and not as a value of the query: values travel in the address, which may not be so long. */
const listOf = (ids: readonly Uuid[]) => ids.map(id => `'${id.replaceAll(/[^\da-f-]/g, '')}'`).join(', ');
