import type { Uuid } from '../../kernel/ids.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import type { CodePage } from './list.ts';

/** Read only for the codes of the page. Of several suspensions of a code the oldest is shown, as for a single code. */
export async function withSuspensions(db: Database, found: CodePage): Promise<CodePage> {
  if (found.items.length === 0) return found;
  const rows = await db.query<{ id: Uuid; reason: string; since: Date }>(selectSuspensions, [
    found.items.map(({ id }) => id),
  ]);
  const suspensions = new Map(rows.map(({ id, reason, since }) => [id, { reason, since }]));
  return {
    ...found,
    items: found.items.map(code => ({ ...code, suspension: suspensions.get(code.id) ?? null })),
  };
}

const selectSuspensions = sql(
  'suspensions-of-shown-codes',
  `select distinct on (qr_code_id) qr_code_id as id, reason, suspended_at as since from suspensions
    where qr_code_id = any($1::uuid[]) and released_at is null order by qr_code_id, suspended_at, id`,
);
