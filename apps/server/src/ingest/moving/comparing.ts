import type { Uuid } from '../../kernel/ids.ts';
import type { ClickHouse } from '../../platform/clickhouse/clickhouse.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import * as copies from '../../scans/stores/clickhouse/stored-months.ts';
import type { CodeSum } from '../../scans/stores/month-sums.ts';
import { listMonths } from '../../scans/stores/postgres/partitions.ts';
import { sumMonth } from '../../scans/stores/postgres/stored-rows.ts';
import { toArrayLiteral } from '../arrays.ts';
import * as statements from '../statements.ts';

export type Comparison = {
  readonly scans: number;
  readonly months: number;
  /** Months in which a code differs that was not deleted. */
  readonly wrongMonths: readonly string[];
  /** Deleted codes of which ClickHouse still has scans. */
  readonly deleted: readonly CodeSum[];
};

/** Compares the scans of both stores by code and month. Nothing may be counted or erased meanwhile. */
export async function compareStores(db: Database, clickhouse: ClickHouse): Promise<Comparison> {
  const months = await listMonths(db);
  const wrongMonths: string[] = [];
  const deleted = new Map<Uuid, CodeSum>();
  let scans = 0;
  for (const month of months) {
    const stored = toMap(await sumMonth(db, month));
    const copied = toMap(await copies.sumMonth(clickhouse, month));
    const codes = [...new Set([...stored.keys(), ...copied.keys()])];
    const differing = codes.filter(code => !isEqual(stored.get(code), copied.get(code)));
    const existing = await findExisting(db, differing);
    if (existing.size > 0) wrongMonths.push(month);
    for (const code of differing) {
      const sum = copied.get(code);
      if (sum && !existing.has(code)) deleted.set(code, sum);
    }
    for (const sum of copied.values()) scans += sum.scans;
  }
  // PostgreSQL has removed them since they were copied.
  const kept = new Set(months);
  for (const month of await copies.listMonths(clickhouse))
    if (!kept.has(month)) await copies.dropMonth(clickhouse, month);
  return { scans, months: months.length, wrongMonths, deleted: [...deleted.values()] };
}

const toMap = (sums: readonly CodeSum[]) => new Map(sums.map(sum => [sum.qrCodeId, sum]));

const isEqual = (one: CodeSum | undefined, other: CodeSum | undefined) =>
  one?.scans === other?.scans && one?.uniques === other?.uniques && one?.check === other?.check;

async function findExisting(db: Database, codes: readonly Uuid[]): Promise<ReadonlySet<Uuid>> {
  if (codes.length === 0) return new Set();
  const rows = await db.query<{ id: Uuid }>(statements.existingCodes, [toArrayLiteral(codes)]);
  return new Set(rows.map(({ id }) => id));
}
