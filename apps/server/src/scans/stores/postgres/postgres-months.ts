import type { Mode } from '../../../kernel/caller.ts';
import { type Uuid, zeroId } from '../../../kernel/ids.ts';
import type { Database } from '../../../platform/postgres/postgres.ts';
import type { ReadPool } from '../../../platform/postgres/reading/read-pool.ts';
import { monthStartMs, nextMonth } from '../month.ts';
import { hasVisitors, type MonthStore, type MonthSum, sumColumns, sumKinds } from '../month-storage.ts';
import { whereInRange } from './conditions.ts';
import { createRunner, type Parameters } from './parameters.ts';
import { dropMonth, listMonths } from './partitions.ts';

const sumTimeoutMs = 15 * 60_000;

/** Sums that a step holds in memory. */
const sumsPerStep = 10_000;

type Row = {
  readonly accountId: Uuid;
  readonly mode: Mode;
  readonly qrCodeId: Uuid;
  readonly value: string;
  readonly scans: number;
  readonly visitors: number;
};

const keys = 'account_id, mode, qr_code_id';
const names = 'account_id as "accountId", mode, qr_code_id as "qrCodeId"';

/** Months of scans in PostgreSQL, where each is a partition. Sums are read from `pool`, whose queries may take long. */
export function createPostgresMonths(db: Database, pool: ReadPool): MonthStore {
  const query = createRunner(pool);

  return {
    listMonths: () => listMonths(db),
    drop: dropMonth,

    async *readSums(month, excluded, signal) {
      const limits = { timeoutMs: sumTimeoutMs, signal };
      const range = { fromMs: monthStartMs(month), toMs: monthStartMs(nextMonth(month)) };
      const whereInMonth = (p: Parameters) =>
        `${whereInRange(range, p)} and qr_code_id <> all(${p.add(excluded, 'uuid[]')})`;

      async function* readCodes(
        value: string,
        visitors: string,
        toSum: (row: Row) => MonthSum,
      ): AsyncGenerator<readonly MonthSum[]> {
        let last: Row | undefined;
        do {
          const after: Row | undefined = last;
          const rows: Row[] = await query<Row>(
            p => `select ${names}, ${value} as value, count(*) as scans, ${visitors} as visitors from scans
                   where ${whereInMonth(p)}
                     ${after ? `and (${keys}, ${value}) > (${p.add(after.accountId, 'uuid')}, ${p.add(after.mode, 'mode')}, ${p.add(after.qrCodeId, 'uuid')}, ${p.add(after.value, 'text')})` : ''}
                   group by ${keys}, ${value} order by ${keys}, ${value} limit ${sumsPerStep}`,
            limits,
          );
          yield rows.map(toSum);
          last = rows.length === sumsPerStep ? rows.at(-1) : undefined;
        } while (last);
      }

      const distinct = 'count(distinct visitor_number)';
      yield* readCodes(`''::text`, distinct, row => ({ ...row, kind: 'total', soleVisitors: 0 }));
      for (const kind of sumKinds)
        yield* readCodes(
          `${sumColumns[kind]}::text collate "C"`,
          hasVisitors(kind) ? distinct : '0',
          row => ({
            ...row,
            kind,
            soleVisitors: 0,
          }),
        );

      // One row per code and per account: there are far fewer of them than scans.
      const visitorsOfCodes = (p: Parameters) =>
        `(select account_id, mode, min(qr_code_id::text) as code, max(qr_code_id::text) as last from scans
           where ${whereInMonth(p)} group by account_id, mode, visitor_number) seen`;
      const total = { kind: 'total', value: '', scans: 0, visitors: 0, soleVisitors: 0 } as const;
      const sole = await query<Pick<Row, 'accountId' | 'mode' | 'qrCodeId' | 'visitors'>>(
        p => `select account_id as "accountId", mode, code as "qrCodeId", count(*) as visitors
                from ${visitorsOfCodes(p)} where code = last group by account_id, mode, code`,
        limits,
      );
      yield sole.map(({ visitors: soleVisitors, ...key }) => ({ ...total, ...key, soleVisitors }));
      const accounts = await query<Pick<Row, 'accountId' | 'mode' | 'visitors'>>(
        p => `select account_id as "accountId", mode, count(*) as visitors
                from ${visitorsOfCodes(p)} group by account_id, mode`,
        limits,
      );
      yield accounts.map(row => ({ ...total, ...row, qrCodeId: zeroId }));
    },
  };
}
