import type { Uuid } from '../../../kernel/ids.ts';
import { type Database, sql } from '../../../platform/postgres/postgres.ts';
import { requireRowsHere } from '../claim.ts';
import type { RowStore } from '../row-storage.ts';
import { scanColumns } from '../scan-row.ts';
import { createScanPartitions } from './partitions.ts';

/** Rows per statement: few enough that it holds its locks only for a moment. */
const rowsPerDelete = 10_000;

/** Rows of scans in the database of the counts. */
export function createPostgresRows(db: Database): RowStore {
  const partitions = createScanPartitions(db);
  return {
    stores: 'with_counts',
    prepare: partitions.prepare,

    async insert(tx, rows) {
      if (rows.length === 0) return;
      await requireRowsHere(tx);
      await tx.query(
        insertRows,
        columnNames.map((_, column) => rows.map(row => row[column])),
      );
    },

    async findStored(scans) {
      const times = scans.map(({ atMs }) => atMs);
      const rows = await db.query<{ id: Uuid }>(findIds, [
        [...new Set(scans.map(scan => scan.accountId))],
        [...new Set(scans.map(scan => scan.qrCodeId))],
        scans.map(scan => scan.id),
        new Date(Math.min(...times)),
        new Date(Math.max(...times)),
      ]);
      return new Set(rows.map(row => row.id));
    },

    async erase(accounts, codes, renew, signal) {
      for (let rows = rowsPerDelete; rows >= rowsPerDelete; ) {
        signal?.throwIfAborted();
        await renew();
        await db.transaction(async tx => {
          await requireRowsHere(tx);
          const [deleted] = await tx.query<{ rows: number }>(deleteRows, [accounts, codes, rowsPerDelete]);
          rows = deleted!.rows;
        });
      }
      return { visible: new Set(), reason: '' };
    },
  };
}

const columnNames = Object.keys(scanColumns);

const toValue = (column: string) =>
  column === 'at' ? 'to_timestamp(at)' : column === 'is_unique' ? 'is_unique = 1' : column;

const insertRows = sql(
  'scans-insert',
  `insert into scans (${columnNames.join(', ')})
   select ${columnNames.map(toValue).join(', ')}
     from unnest(${Object.values(scanColumns)
       .map((type, n) => `$${n + 1}::${type}[]`)
       .join(', ')})
       as counted (${columnNames.join(', ')})`,
);

const findIds = sql(
  'scans-find-ids',
  `select id from scans
    where account_id = any($1::uuid[]) and mode in ('live', 'test') and qr_code_id = any($2::uuid[])
      and at between $4 and $5 and id = any($3::uuid[])`,
);

/** By key, since PostgreSQL has no limit for a delete. */
const deleteRows = sql(
  'scans-delete',
  `with due as (
     select account_id, mode, qr_code_id, at, id from scans
      where account_id = any($1::uuid[]) and mode in ('live', 'test') and qr_code_id = any($2::uuid[]) limit $3
   ), deleted as (
     delete from scans s using due d
      where s.account_id = d.account_id and s.mode = d.mode and s.qr_code_id = d.qr_code_id and s.at = d.at and s.id = d.id
      returning 1)
   select count(*) as rows from deleted`,
);
