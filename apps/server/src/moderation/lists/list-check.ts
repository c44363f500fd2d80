import { clearListedTargets } from '../../domains/clearing.ts';
import type { Mode } from '../../kernel/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import { type Ids, type Uuid, zeroId } from '../../kernel/ids.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import type { CacheInvalidator } from '../../redirect/changes/cache-invalidator.ts';
import { invalidateLinks } from '../../redirect/changes/link-changes.ts';
import type { StopNotifier } from '../../redirect/changes/stops/stop.ts';
import { releaseListed, suspendListed } from '../suspensions/by-list.ts';
import { releasedCodes } from '../suspensions/released.ts';
import type { SuspensionPublisher } from '../suspensions/suspension.ts';
import { listsWith } from './listed.ts';

export type ListCheckParts = {
  readonly db: Database;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly links: CacheInvalidator & StopNotifier;
  readonly publisher?: Pick<SuspensionPublisher, 'suspended' | 'released'>;
};

/** How many targets one step has checked, and where the next starts; null after the last. */
export type CheckStep = { readonly checked: number; readonly suspended: number; readonly next: Uuid | null };

export type ListCheck = ReturnType<typeof createListCheck>;

export const firstTarget = zeroId;

const targetsPerStep = 5000;
/** How many codes are locked in one transaction and invalidated in one message. */
const codesPerStep = 200;

/** Finds codes that lead to a listed destination, and suspends them. */
export function createListCheck({ db, ids, clock, links, publisher }: ListCheckParts) {
  /** Checks again under the lock of the code: its owner may just have changed the destination. */
  function suspend(codes: readonly Uuid[]): Promise<number> {
    return db.transaction(async tx => {
      await tx.query(lockCodes, [codes]);
      const hits = await tx.query<Hit>(selectHits, [codes]);
      if (hits.length === 0) return 0;
      const now = clock.now();
      const inserted = await suspendListed(tx, ids, hits, formatReason, now);
      // A code that is on two lists is published once.
      const byCode = new Map(inserted.map(n => [hits[n]!.id, hits[n]!]));
      const suspended = [...byCode.values()];
      await invalidateLinks(tx, links, suspended);
      await publisher?.suspended(
        tx,
        suspended.map(hit => ({
          qrCodeId: hit.id,
          accountId: hit.account_id,
          mode: hit.mode,
          reason: formatReason(hit),
          suspendedAt: now,
        })),
      );
      return suspended.length;
    });
  }

  return {
    /** Checks a batch of targets after the given one. When it resolves, no redirect serves the listed ones. */
    async step(after: Uuid): Promise<CheckStep> {
      if (after === firstTarget) await clearListedTargets({ db, redirects: links }, listsWith, clock.now());
      const [batch] = await db.query<{ checked: number; last: Uuid | null; codes: Uuid[] }>(selectBatch, [
        after,
        targetsPerStep,
      ]);
      const { checked, last, codes } = batch!;
      let suspended = 0;
      for (let start = 0; start < codes.length; start += codesPerStep)
        suspended += await suspend(codes.slice(start, start + codesPerStep));
      return { checked, suspended, next: checked < targetsPerStep ? null : last };
    },

    /**
     * Releases the codes that a list has suspended, and returns how many. Suspensions for another reason stay. Nobody reviewed
     * each code, so nothing is remembered: a later import under the same name suspends them again.
     */
    async release(list: string): Promise<number> {
      let released = 0;
      for (;;) {
        const count = await db.transaction(async tx => {
          const now = clock.now();
          const rows = await releaseListed(tx, list, codesPerStep);
          await publisher?.released(tx, releasedCodes(rows, now));
          await invalidateLinks(tx, links, rows);
          return rows.length;
        });
        if (count === 0) return released;
        released += count;
      }
    },
  };
}

type Hit = {
  readonly id: Uuid;
  readonly account_id: Uuid;
  readonly mode: Mode;
  readonly key: string;
  readonly url: string;
  readonly list: string;
};

const formatReason = ({ list }: Pick<Hit, 'list'>) => `Its destination is on the blocklist ${list}.`;

/**
 * Selects from the targets `t` of codes `c` those to suspend. Skips codes that this list has already suspended, and those that
 * the operator has released from it: that was a mistake of the list, as long as the code leads to the same URL.
 */
const toSuspend = `cross join lateral (${listsWith('t.host', 't.url_hash')}) listed
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
   select (select count(*) from batch) as checked,
          (select id from batch order by id desc limit 1) as last,
          array(select distinct c.id from batch t join qr_codes c on c.id = t.qr_code_id ${toSuspend}) as codes`,
);

const lockCodes = sql(
  'lock-listed-codes',
  'select from qr_codes where id = any($1::uuid[]) order by id for no key update',
);

const selectHits = sql(
  'select-listed-codes',
  `select distinct on (c.id, listed.name)
          c.id, c.account_id, c.mode, link_key as key, t.url, listed.name as list
     from qr_codes c join code_targets t on t.qr_code_id = c.id ${toSuspend}
      and c.id = any($1::uuid[])
    order by c.id, listed.name`,
);
