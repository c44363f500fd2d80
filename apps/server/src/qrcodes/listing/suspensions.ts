import type { Uuid } from '../../kernel/ids.ts';
import { type Database, unprepared } from '../../platform/postgres/postgres.ts';
import { stopColumns, stopJoins } from '../code-columns.ts';
import { type StopRow, toSuspension } from '../store.ts';
import type { CodePage } from './list.ts';

/** Read only for the codes of the page. */
export async function withSuspensions(db: Database, found: CodePage): Promise<CodePage> {
  if (found.items.length === 0) return found;
  const rows = await db.query<StopRow & { id: Uuid }>(selectStops, [found.items.map(({ id }) => id)]);
  const suspensions = new Map(rows.map(row => [row.id, toSuspension(row)]));
  return {
    ...found,
    items: found.items.map(code => ({ ...code, suspension: suspensions.get(code.id) ?? null })),
  };
}

/** Its plan depends on how many hosts are blocked at the time. */
const selectStops = unprepared(`select c.id, ${stopColumns} from unnest($1::uuid[]) as c (id) ${stopJoins}`);
