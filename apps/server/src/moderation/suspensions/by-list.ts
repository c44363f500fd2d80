import type { Ids, Uuid } from '../../kernel/ids.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import { type ReleasedRow, selectReleased } from './released.ts';

/** A code that leads to an entry of a list. */
export type ListedCode = {
  readonly id: Uuid;
  readonly account_id: Uuid;
  readonly list: string;
  readonly url: string;
};

/** Suspends codes for being on a list, in the caller's transaction. Resolves to the indexes of those that were not yet. */
export async function suspendListed(
  tx: Database,
  ids: Ids,
  codes: readonly ListedCode[],
  formatReason: (code: ListedCode) => string,
  now: Date,
): Promise<readonly number[]> {
  const made = await tx.query<{ n: number }>(insertSuspensions, [
    codes.map(() => ids.next()),
    codes.map(code => code.account_id),
    codes.map(code => code.id),
    codes.map(code => code.list),
    codes.map(formatReason),
    codes.map(code => code.url),
    now,
  ]);
  return made.map(({ n }) => n);
}

/**
 * Releases some of the codes that a list has suspended. Nobody has looked at each of them, so their suspensions are removed
 * instead of kept as released.
 */
export const releaseListed = (tx: Database, list: string, limit: number): Promise<ReleasedRow[]> =>
  tx.query<ReleasedRow>(releaseSome, [list, limit]);

const insertSuspensions = sql(
  'insert-list-suspensions',
  `with made as (
     insert into suspensions (id, account_id, qr_code_id, cause, source, reason, url, suspended_at)
     select id, account_id, qr_code_id, 'list', list, reason, url, $7
       from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[])
              as hit (id, account_id, qr_code_id, list, reason, url)
     on conflict do nothing
     returning id
   )
   select array_position($1::uuid[], id) - 1 as n from made order by n desc`,
);

const releaseSome = sql(
  'release-list-suspensions',
  `with changed as (
     delete from suspensions
      where id = any(array(
        select id from suspensions
         where cause = 'list' and source = $1 and released_at is null and deleted_at is null
         order by id limit $2 for update))
      returning id, qr_code_id, reason)
   ${selectReleased}`,
);
