import { setTimeout as pause } from 'node:timers/promises';
import type { Uuid } from '../../../kernel/ids.ts';
import type { ClickHouse, Table } from '../../../platform/clickhouse/clickhouse.ts';
import { clickHouseError, isBadValueError } from '../../../platform/clickhouse/clickhouse-errors.ts';
import { codesInPartitions, lightweightDelete } from '../../../platform/clickhouse/lightweight-delete.ts';
import type { RowStore, StoredSpan, StoresAfterCounts } from '../row-storage.ts';
import type { QueryLimits } from '../scan-queries.ts';
import { idColumn, type ScanRow, scanColumns } from '../scan-row.ts';

const scansTable: Table = {
  table: 'scans',
  columns: Object.keys(scanColumns) as [string, ...string[]],
};

const eraseTimeoutMs = 60_000;

/** Rows of scans in ClickHouse. */
export function createClickHouseRows(clickhouse: ClickHouse): RowStore & StoresAfterCounts {
  async function findMissing(
    { shard, log, afterPosition, toPosition }: StoredSpan,
    rows: readonly ScanRow[],
    limits: QueryLimits,
  ): Promise<ScanRow[]> {
    const present = await clickhouse.query<{ id: Uuid }>(
      `select id from scans
        where shard = {shard: UInt16} and log_number = {log: UInt32}
          and position > {after: UInt64} and position <= {to: UInt64}`,
      { shard, log, after: afterPosition, to: toPosition },
      limits,
    );
    const ids = new Set(present.map(row => row.id));
    return rows.filter(row => !ids.has(row[idColumn]));
  }

  async function insert(rows: readonly ScanRow[], token: string, limits: QueryLimits): Promise<void> {
    if (rows.length > 0) await clickhouse.insert(scansTable, rows, token, limits);
  }

  return {
    stores: 'after_counts',
    insert,

    /** An insert that is still in flight has the same token, so ClickHouse accepts only one of the two. */
    async insertMissing(span, rows, token, limits) {
      if (rows.length === 0) return;
      let missing = await findMissing(span, rows, limits);
      if (missing.length === 0) return;
      await insert(missing, token, limits);
      for (let attempts = 0; attempts < 10; attempts++) {
        missing = await findMissing(span, rows, limits);
        if (missing.length === 0) return;
        await pause(200, undefined, limits.signal ? { signal: limits.signal } : {});
      }
      // ClickHouse knows the token but not the rows: it crashed after storing the one and before storing the others.
      await insert(missing, `${token}-${missing.length}`, limits);
    },

    async findLastPosition({ shard, log }, after, limits) {
      const [row] = await clickhouse.query<{ last: number }>(
        `select max(position) as last from scans
          where shard = {shard: UInt16} and log_number = {log: UInt32} and position > {after: UInt64}`,
        { shard, log, after },
        limits,
      );
      return Math.max(after, row?.last ?? 0);
    },

    toRefusal: error => (isBadValueError(error) ? clickHouseError(error)!.type : null),

    async findStored(scans, limits) {
      const found = await clickhouse.query<{ id: Uuid }>(
        `select id from scans
          where account_id in {accounts: Array(UUID)} and qr_code_id in {codes: Array(UUID)} and id in {ids: Array(UUID)}`,
        {
          accounts: [...new Set(scans.map(scan => scan.accountId))],
          codes: [...new Set(scans.map(scan => scan.qrCodeId))],
          ids: scans.map(scan => scan.id),
        },
        limits,
      );
      return new Set(found.map(row => row.id));
    },

    async erase(accounts, codes, renew, signal) {
      const rows = { table: 'scans', accounts, codes } as const;
      const limits = { timeoutMs: eraseTimeoutMs, signal };
      const months = await lightweightDelete(clickhouse, rows, limits, renew);
      const visible = await codesInPartitions(clickhouse, rows, months, limits);
      return {
        visible,
        reason: `ClickHouse is busy with parts of ${months.join(', ')}. The next run continues. If this persists, look at system.mutations and system.merges.`,
      };
    },
  };
}
