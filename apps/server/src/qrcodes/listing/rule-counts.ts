import type { Uuid } from '../../kernel/ids.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';

/** How many rules codes have; read only for the codes of a page. Those without any are left out. */
export async function countRules(db: Database, ids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<{ id: Uuid; count: number }>(selectCounts, [ids]);
  return new Map(rows.map(({ id, count }) => [id, count]));
}

const selectCounts = sql(
  'rules-of-shown-codes',
  'select id, json_array_length(rules) as count from qr_codes where id = any($1::uuid[]) and rules is not null',
);
