import { modes } from '../../kernel/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Ids, Uuid } from '../../kernel/ids.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import type { CacheInvalidator } from '../../redirect/changes/cache-invalidator.ts';
import { lockCounts } from '../code-counts.ts';

type Parts = { readonly ids: Ids; readonly clock: Clock; readonly links: CacheInvalidator };

/**
 * Pauses every active code of an account, in both modes, within a transaction and in the name of a user. Returns how many.
 * When the transaction has resolved, none of them redirects. The counts are locked first, as by everything that creates or
 * resumes codes: a code created before is paused too.
 */
export function createPauseAllCodes({ ids, clock, links }: Parts) {
  return async (tx: Database, accountId: Uuid, userId: Uuid): Promise<number> => {
    const keys: string[] = [];
    for (const mode of modes) {
      await lockCounts(tx, { accountId, mode });
      const active = await tx.query<{ id: Uuid }>(lockActive, [accountId, mode]);
      if (active.length === 0) continue;
      const changed = [active.map(({ id }) => id), active.map(() => ids.next())];
      const rows = await tx.query<{ key: string }>(pause, [accountId, mode, ...changed, clock.now(), userId]);
      keys.push(...rows.map(({ key }) => key));
    }
    if (keys.length > 0) await tx.afterCommit(() => links.invalidate(keys));
    return keys.length;
  };
}

const lockActive = sql(
  'lock-active-codes',
  `select id from qr_codes where account_id = $1 and mode = $2 and status = 'active' order by id for update`,
);

/** With their counts and history, and the queued invalidation of their links. */
const pause = sql(
  'pause-codes',
  `with changed as (
     update qr_codes set status = 'paused', updated_at = $5, revision = revision + 1 where id = any($3::uuid[])
     returning number, link_key as key, archived
   ), edits as (
     insert into code_edits (id, qr_code_id, at, by_kind, by_id, field, before, after)
     select edit.id, edit.code, $5, 'user', $6, 'status', 'active', 'paused'
       from unnest($3::uuid[], $4::uuid[]) as edit (code, id)
   ), counts as (
     update code_counts
        set active = active - (select count(*) from changed where not archived),
            paused = paused + (select count(*) from changed where not archived)
      where account_id = $1 and mode = $2
   ), buckets as (
     update count_buckets b set active = b.active - n, paused = b.paused + n
       from (select number / 1000 as bucket, count(*) as n from changed where not archived group by 1) per_bucket
      where b.account_id = $1 and b.mode = $2 and b.bucket = per_bucket.bucket
   )
   insert into link_changes (key) select key from changed returning key`,
);
