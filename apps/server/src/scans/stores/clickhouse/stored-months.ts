import type { ClickHouse } from '../../../platform/clickhouse/clickhouse.ts';
import { type CodeSum, rowCheck } from '../month-sums.ts';

const timeoutMs = 300_000;

/** The months that have rows, as `2026-11`. */
export async function listMonths(clickhouse: ClickHouse): Promise<string[]> {
  const rows = await clickhouse.query<{ month: string }>(
    `select distinct concat(substring(_partition_id, 1, 4), '-', substring(_partition_id, 5)) as month
       from scans order by month`,
    {},
    { timeoutMs },
  );
  return rows.map(({ month }) => month);
}

export const sumMonth = (clickhouse: ClickHouse, month: string): Promise<CodeSum[]> =>
  clickhouse.query<CodeSum>(
    `select qr_code_id as qrCodeId, account_id as accountId, toString(mode) as mode, count() as scans,
            countIf(is_unique) as uniques, sum(${rowCheck}) as check
       from scans where _partition_id = {partition: String} group by qr_code_id, account_id, mode`,
    { partition: toPartition(month) },
    { timeoutMs },
  );

export async function dropMonth(clickhouse: ClickHouse, month: string): Promise<void> {
  await clickhouse.command(`alter table scans drop partition id '${toPartition(month)}'`, {}, { timeoutMs });
}

export async function countRows(clickhouse: ClickHouse): Promise<number> {
  const [row] = await clickhouse.query<{ rows: number }>('select count() as rows from scans');
  return row!.rows;
}

/** ClickHouse names the partitions of this table with digits only. */
const toPartition = (month: string) => month.replaceAll(/\D/g, '');
