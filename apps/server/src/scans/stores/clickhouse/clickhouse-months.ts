import type { Mode } from '../../../kernel/caller.ts';
import { type Uuid, zeroId } from '../../../kernel/ids.ts';
import type { ClickHouse } from '../../../platform/clickhouse/clickhouse.ts';
import { nextMonth } from '../month.ts';
import { hasVisitors, type MonthStore, type MonthSum, sumColumns, sumKinds } from '../month-storage.ts';

const sumTimeoutMs = 15 * 60_000;
const dropTimeoutMs = 60_000;

type Row = readonly [account: Uuid, mode: Mode, code: Uuid, value: string, ...numbers: number[]];

/** Months of scans in ClickHouse, where each is a partition. Its roll-ups are part of it. */
export function createClickHouseMonths(clickhouse: ClickHouse): MonthStore {
  async function* read(
    select: string,
    from: string,
    excluded: readonly Uuid[],
    toSum: (row: Row) => MonthSum,
    signal?: AbortSignal,
  ): AsyncGenerator<readonly MonthSum[]> {
    const query = `select ${select} ${from}`;
    const rows = clickhouse.stream<Row>(query, { excluded }, { timeoutMs: sumTimeoutMs, signal });
    for await (const some of rows) yield some.map(toSum);
  }

  return {
    async listMonths() {
      const found = await clickhouse.query<{ partition: string }>(
        `select distinct partition_id as partition from system.parts
          where database = currentDatabase() and table = 'scans' and active order by partition`,
      );
      return found.map(({ partition }) => `${partition.slice(0, 4)}-${partition.slice(4)}`);
    },

    async *readSums(month, excluded, signal) {
      const where = `where at >= toDateTime('${month}-01 00:00:00', 'UTC')
          and at < toDateTime('${nextMonth(month)}-01 00:00:00', 'UTC')
          and qr_code_id not in {excluded: Array(UUID)}`;
      const keys = 'account_id, mode, qr_code_id';
      const base = ([accountId, mode, qrCodeId, value, scans = 0, visitors = 0]: Row) => ({
        ...{ accountId, mode, qrCodeId, value, scans, visitors },
        soleVisitors: 0,
      });
      yield* read(
        `${keys}, '' as value, count(), groupBitmap(visitor_number)`,
        `from scans ${where} group by ${keys}`,
        excluded,
        row => ({ ...base(row), kind: 'total' }),
        signal,
      );
      for (const kind of sumKinds)
        yield* read(
          `${keys}, toString(${sumColumns[kind]}) as value, count(), ${hasVisitors(kind) ? 'groupBitmap(visitor_number)' : '0'}`,
          `from scans ${where} group by ${keys}, value`,
          excluded,
          row => ({ ...base(row), kind }),
          signal,
        );
      const visitorsOfCodes = `(select account_id, mode, visitor_number, min(qr_code_id) as code, max(qr_code_id) as last
                                  from scans ${where} group by account_id, mode, visitor_number)`;
      yield* read(
        `account_id, mode, code, '', count()`,
        `from ${visitorsOfCodes} where code = last group by account_id, mode, code`,
        excluded,
        row => ({ ...base(row), kind: 'total', scans: 0, visitors: 0, soleVisitors: row[4]! }),
        signal,
      );
      yield* read(
        `account_id, mode, '${zeroId}', '', 0, count()`,
        `from ${visitorsOfCodes} group by account_id, mode`,
        excluded,
        row => ({ ...base(row), kind: 'total' }),
        signal,
      );
    },

    async drop(_tx, month) {
      const partition = month.replaceAll(/\D/g, '');
      await clickhouse.command(
        `alter table scans drop partition id '${partition}'`,
        {},
        { timeoutMs: dropTimeoutMs },
      );
      return true;
    },
  };
}
