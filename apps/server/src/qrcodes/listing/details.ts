import type { Uuid } from '../../kernel/ids.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import type { Rule } from '../../rules/rule.ts';
import { placementsColumn } from '../code-columns.ts';
import type { QrCode } from '../qr-code.ts';
import { type PlacementRow, toPlacements } from '../store.ts';
import type { CodePage } from './list.ts';

type Row = {
  id: Uuid;
  rules: readonly Rule[] | null;
  placements: readonly PlacementRow[] | null;
};

/** The same page with the rules and placements of its codes: they may be a hundred times as much as the rest. */
export async function withDetails(db: Database, found: CodePage): Promise<CodePage> {
  if (found.items.length === 0) return found;
  const rows = new Map(
    (await db.query<Row>(selectDetails, [found.items.map(({ id }) => id)])).map(row => [row.id, row]),
  );
  const detailed = (code: QrCode): QrCode => {
    const row = rows.get(code.id);
    const routing = { ...code.routing, rules: row?.rules ?? [] };
    return { ...code, routing, placements: toPlacements(row?.placements ?? null) };
  };
  return { ...found, items: found.items.map(detailed) };
}

const selectDetails = sql(
  'details-of-shown-codes',
  `select c.id, c.rules, ${placementsColumn('key', 'name', 'note', 'created_at')}
     from qr_codes c where c.id = any($1::uuid[]) and (c.rules is not null or c.placement_keys is not null)`,
);
