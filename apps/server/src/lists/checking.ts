import type { Mode } from '../kernel/caller.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Ids, Uuid } from '../kernel/ids.ts';
import { linkKeySql } from '../kernel/link-key.ts';
import { type Database, sql } from '../platform/postgres.ts';
import { type ReleasedRow, releasedCodes, selectReleased } from '../suspensions/released.ts';
import type { SuspensionAnnouncer } from '../suspensions/suspension.ts';
import { listsWith } from './listed.ts';

/** Makes every redirect process forget what it knows of these links; resolves when all have. */
type LinkDropper = { drop(keys: readonly string[]): Promise<void> };

export type CheckingParts = {
  readonly db: Database;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly links: LinkDropper;
  readonly announce?: Pick<SuspensionAnnouncer, 'suspended' | 'released'>;
};

/** What one step has looked at, and where the next begins; null: that was all. */
export type Step = { readonly looked: number; readonly suspended: number; readonly next: Uuid | null };

export type Checking = ReturnType<typeof createChecking>;

export const firstTarget: Uuid = '00000000-0000-0000-0000-000000000000';

const targetsAtATime = 5000;
/** How many codes are locked at a time, and told to redirects in one message. */
const codesAtATime = 200;

/** Looks for codes that lead to what is on a list, and stops them. */
export function createChecking({ db, ids, clock, links, announce }: CheckingParts) {
  /** Looked at again under the lock of the code: its owner may just have changed where it leads. */
  async function suspend(codes: readonly Uuid[]): Promise<number> {
    const keys = await db.transaction(async tx => {
      await tx.query(lockCodes, [codes]);
      const hits = await tx.query<Hit>(selectHits, [codes]);
      if (hits.length === 0) return [];
      const now = clock.now();
      const made = await tx.query<{ n: number }>(insertSuspensions, [
        hits.map(() => ids.next()),
        hits.map(hit => hit.account_id),
        hits.map(hit => hit.id),
        hits.map(hit => hit.list),
        hits.map(reasonOf),
        hits.map(hit => hit.url),
        now,
      ]);
      // Of a code that is on two lists, one suspension is news.
      const fresh = new Map(made.map(({ n }) => [hits[n]!.id, hits[n]!]));
      const stopped = [...fresh.values()];
      await tx.query(noteChanges, [stopped.map(hit => hit.key)]);
      await announce?.suspended(
        tx,
        stopped.map(hit => ({
          qrCodeId: hit.id,
          accountId: hit.account_id,
          mode: hit.mode,
          reason: reasonOf(hit),
          suspendedAt: now,
        })),
      );
      return stopped.map(hit => hit.key);
    });
    if (keys.length > 0) await links.drop(keys);
    return keys.length;
  }

  return {
    /** Some thousand targets behind one. When it resolves, no redirect sends anybody to those that are listed. */
    async step(after: Uuid): Promise<Step> {
      const [batch] = await db.query<{ looked: number; last: Uuid | null; codes: Uuid[] }>(selectBatch, [
        after,
        targetsAtATime,
      ]);
      const { looked, last, codes } = batch!;
      let suspended = 0;
      for (let at = 0; at < codes.length; at += codesAtATime)
        suspended += await suspend(codes.slice(at, at + codesAtATime));
      return { looked, suspended, next: looked < targetsAtATime ? null : last };
    },

    /**
     * Releases what a list has stopped, and nothing that was stopped for another reason. How many codes. Nobody has looked at
     * each of them, so nothing is remembered: a list of the same name that is imported later stops them again.
     */
    async release(list: string): Promise<number> {
      let released = 0;
      for (;;) {
        const keys = await db.transaction(async tx => {
          const now = clock.now();
          const rows = await tx.query<ReleasedRow>(releaseSome, [list, codesAtATime]);
          const found = rows.map(row => row.key);
          await announce?.released(tx, releasedCodes(rows, now));
          await tx.query(noteChanges, [found]);
          return found;
        });
        if (keys.length === 0) return released;
        await links.drop(keys);
        released += keys.length;
      }
    },
  };
}

/** Whether every code has its targets written down, so that a check sees all of them. */
export async function seesAllCodes(db: Database): Promise<boolean> {
  return (await db.query(selectUnfilled)).length === 0;
}

type Hit = {
  readonly id: Uuid;
  readonly account_id: Uuid;
  readonly mode: Mode;
  readonly key: string;
  readonly url: string;
  readonly list: string;
};

const reasonOf = ({ list }: Pick<Hit, 'list'>) => `Its destination is on the list ${list}.`;

/**
 * What is to be stopped of the targets `t` of codes `c`. Not what is stopped by this list already, nor what the operator has
 * released from this list: that was a mistake of the list, for as long as the code leads to the same URL.
 */
const toStop = `cross join lateral (${listsWith('t.host', 't.url_hash')}) listed
    where c.status <> 'deleted'
      and not exists (
        select from suspensions s
         where s.account_id = c.account_id and s.qr_code_id = c.id and s.cause = 'list'
           and s.source = listed.name and (s.released_at is null or s.url = t.url))`;

const selectBatch = sql(
  'select-targets-on-lists',
  `with batch as (
     select id, qr_code_id, url, host, url_hash from code_targets where id > $1 order by id limit $2
   )
   select (select count(*) from batch) as looked,
          (select id from batch order by id desc limit 1) as last,
          array(select distinct c.id from batch t join qr_codes c on c.id = t.qr_code_id ${toStop}) as codes`,
);

const lockCodes = sql(
  'lock-listed-codes',
  'select from qr_codes where id = any($1::uuid[]) order by id for no key update',
);

const selectHits = sql(
  'select-listed-codes',
  `select distinct on (c.id, listed.name)
          c.id, c.account_id, c.mode, ${linkKeySql} as key, t.url, listed.name as list
     from qr_codes c join code_targets t on t.qr_code_id = c.id ${toStop}
      and c.id = any($1::uuid[])
    order by c.id, listed.name`,
);

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

const noteChanges = sql(
  'note-listed-link-changes',
  'insert into link_changes (key) select unnest($1::text[])',
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

const selectUnfilled = sql(
  'select-unfilled-targets',
  `select from fills where name = 'code_targets' and done_at is null`,
);
