import { setTimeout as pause } from 'node:timers/promises';
import type { Uuid } from '../kernel/ids.ts';
import type { ClickHouse, QueryOptions, Table } from '../platform/clickhouse.ts';
import type { Scan } from '../scans/scan.ts';
import { type Counted, classes, type Group, groupName } from './ingest.ts';

/** A row of `scans` in ClickHouse, in the order of its columns here. */
export type Row = readonly (string | number)[] & { readonly [idColumn]: Uuid };

const idColumn = 0;

export const scansTable: Table = {
  table: 'scans',
  columns: [
    'id',
    'account_id',
    'qr_code_id',
    'at',
    'mode',
    'country',
    'region',
    'city',
    'device',
    'browser',
    'visitor',
    'visitor_number',
    'time_window',
    'is_unique',
    'shard',
    'log_number',
    'position',
    'place',
    'rule_id',
    'target_id',
    'placement',
    'language',
  ],
};

/** The rows of a group. Deterministic: everything besides the log that they depend on is stored with the group. */
export function rowsOf(group: Group, { classifications, numbers }: Counted): Row[] {
  const rows: Row[] = [];
  let index = 0;
  for (const { position, batch } of group.entries) {
    for (const [place, scan] of batch.scans.entries()) {
      const classification = classifications[index];
      const number = numbers[index++]!;
      if (classification !== classes.skipped)
        rows.push(rowOf(scan, number, classification === classes.unique, group, position, place));
    }
  }
  return rows;
}

function rowOf(
  scan: Scan,
  visitorNumber: number,
  isUnique: boolean,
  { shard, log }: Group,
  position: number,
  place: number,
): Row {
  return [
    scan.id,
    scan.accountId,
    scan.qrCodeId,
    // ClickHouse reads seconds with three decimals unambiguously.
    (scan.atMs / 1_000).toFixed(3),
    scan.mode,
    scan.country,
    scan.region,
    scan.city,
    scan.device,
    scan.browser,
    scan.visitor,
    visitorNumber,
    scan.window,
    isUnique ? 1 : 0,
    shard,
    log,
    position,
    place,
    scan.ruleId,
    scan.targetId,
    scan.placement,
    scan.language,
  ] as readonly (string | number)[] as Row;
}

/** The deduplication token of the insert of a group. */
export const tokenOf = (group: Group) => `scans-${groupName(group)}`;

export async function storeRows(
  clickhouse: ClickHouse,
  rows: readonly Row[],
  token: string,
  limits: QueryOptions,
): Promise<void> {
  if (rows.length > 0) await clickhouse.insert(scansTable, rows, token, limits);
}

/**
 * Stores the missing ones of rows that may have been stored before, by this process or an earlier one. An insert that is
 * still in flight has the same token, so ClickHouse accepts only one of the two.
 */
export async function storeMissing(
  clickhouse: ClickHouse,
  group: Group,
  rows: readonly Row[],
  limits: QueryOptions,
): Promise<void> {
  if (rows.length === 0) return;
  const token = tokenOf(group);
  let missing = await missingOf(clickhouse, group, rows, limits);
  if (missing.length === 0) return;
  await storeRows(clickhouse, missing, token, limits);
  for (let attempts = 0; attempts < 10; attempts++) {
    missing = await missingOf(clickhouse, group, rows, limits);
    if (missing.length === 0) return;
    await pause(200, undefined, limits.signal ? { signal: limits.signal } : {});
  }
  // ClickHouse knows the token but not the rows: it crashed after storing the one and before storing the others.
  await storeRows(clickhouse, missing, `${token}-${missing.length}`, limits);
}

async function missingOf(
  clickhouse: ClickHouse,
  group: Group,
  rows: readonly Row[],
  limits: QueryOptions,
): Promise<Row[]> {
  const present = await clickhouse.query<{ id: Uuid }>(
    `select id from scans
      where shard = {shard: UInt16} and log_number = {log: UInt32}
        and position > {after: UInt64} and position <= {to: UInt64}`,
    { shard: group.shard, log: group.log, after: group.afterPosition, to: group.toPosition },
    limits,
  );
  const ids = new Set(present.map(row => row.id));
  return rows.filter(row => !ids.has(row[idColumn]));
}

/** The last position after this one that has rows; this one if there are none. */
export async function lastStored(
  clickhouse: ClickHouse,
  { shard, log }: Pick<Group, 'shard' | 'log'>,
  position: number,
  signal: AbortSignal,
): Promise<number> {
  const [row] = await clickhouse.query<{ last: number }>(
    `select max(position) as last from scans
      where shard = {shard: UInt16} and log_number = {log: UInt32} and position > {position: UInt64}`,
    { shard, log, position },
    { signal },
  );
  return Math.max(position, row?.last ?? 0);
}
