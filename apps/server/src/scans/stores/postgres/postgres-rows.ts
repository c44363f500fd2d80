import type { Uuid } from '../../../kernel/ids.ts';
import { type Database, sql } from '../../../platform/postgres/postgres.ts';
import { requireRowsHere } from '../claim.ts';
import type { RowStore } from '../row-storage.ts';
import { type ScanRow, scanColumns } from '../scan-row.ts';
import { createScanPartitions } from './partitions.ts';
import {
  buildRollUps,
  type ChangedScans,
  changedColumns,
  changeRollUps,
  dropEmptyRollUps,
  dropRollUps,
  lockRollUps,
} from './roll-ups.ts';

/** Rows per step of an erasure: few enough that it holds its locks only for a moment. */
const defaultRowsPerStep = 10_000;

/** Rows of scans in the database of the counts. */
export function createPostgresRows(
  db: Database,
  rowsPerStep = defaultRowsPerStep,
): Extract<RowStore, { readonly stores: 'with_counts' }> {
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
      const scopes = await lockRollUps(tx, [
        ...rows.map(row => row[accountColumn] as Uuid),
        ...rows.map(row => row[codeColumn] as Uuid),
      ]);
      if (scopes.length === 0) return;
      const known = new Set(scopes);
      await changeRollUps(
        tx,
        scopes,
        toColumns(
          rows.filter(row => known.has(row[accountColumn] as Uuid) || known.has(row[codeColumn] as Uuid)),
        ),
        1,
      );
    },

    rollUp: (minScans, signal) => buildRollUps(db, minScans, signal),

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
      // Nobody asks for a deleted code itself any more.
      await db.transaction(async tx => {
        const scopes = await lockRollUps(tx, codes);
        if (scopes.length > 0) await dropRollUps(tx, scopes);
      });
      for (let rows = rowsPerStep; rows >= rowsPerStep; ) {
        signal?.throwIfAborted();
        await renew();
        rows = await db.transaction(async tx => {
          await requireRowsHere(tx);
          const scopes = await lockRollUps(tx, accounts);
          const due = await tx.query<DueRow>(findRows, [accounts, codes, rowsPerStep]);
          const scans = pickChanged(column => due.map(row => row[column]));
          await changeRollUps(tx, scopes, scans, -1);
          await tx.query(deleteRows, [scans.account_id, scans.mode, scans.qr_code_id, scans.at, scans.id]);
          return due.length;
        });
      }
      await db.transaction(async tx => {
        const scopes = await lockRollUps(tx, accounts);
        if (scopes.length > 0) await dropEmptyRollUps(tx, scopes);
      });
      return { visible: new Set(), reason: '' };
    },
  };
}

type DueRow = { readonly [Column in keyof ChangedScans]: ChangedScans[Column][number] };

const pickChanged = (pick: (column: keyof ChangedScans) => readonly (string | number)[]) =>
  Object.fromEntries(changedColumns.map(column => [column, pick(column)])) as ChangedScans;

const columnNames = Object.keys(scanColumns);
const [accountColumn, codeColumn] = [columnNames.indexOf('account_id'), columnNames.indexOf('qr_code_id')];

const toColumns = (rows: readonly ScanRow[]) =>
  pickChanged(column => {
    const index = columnNames.indexOf(column);
    return rows.map(row => row[index]!);
  });

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

const findRows = sql(
  'scans-find-due',
  `select ${changedColumns
    .map(column => (column === 'at' ? 'extract(epoch from at)::float8 as at' : column))
    .join(', ')}
     from scans
    where account_id = any($1::uuid[]) and mode in ('live', 'test') and qr_code_id = any($2::uuid[]) limit $3`,
);

/** By key, since PostgreSQL has no limit for a delete. */
const deleteRows = sql(
  'scans-delete',
  `delete from scans s
    using unnest($1::uuid[], $2::mode[], $3::uuid[], $4::float8[], $5::uuid[]) as due (account_id, mode, qr_code_id, at, id)
    where s.account_id = due.account_id and s.mode = due.mode and s.qr_code_id = due.qr_code_id
      and s.at = to_timestamp(due.at)::timestamptz(3) and s.id = due.id`,
);
