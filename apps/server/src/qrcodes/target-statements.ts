import { sql } from '../platform/postgres.ts';

export const writeTargets = sql(
  'write-targets',
  `insert into code_targets as existing (qr_code_id, kind, url, host, url_hash)
   select item.id, 'default', item.url, item.host, item.url_hash
     from unnest($1::uuid[], $2::text[], $3::text[], $4::bytea[]) as item (id, url, host, url_hash)
   on conflict (qr_code_id) where kind = 'default' do update
      set url = excluded.url, host = excluded.host, url_hash = excluded.url_hash
    where existing.url <> excluded.url`,
);

/** The targets of the rules and of the fallback of a code become these. */
export const replaceRuleTargets = sql(
  'replace-rule-targets',
  `with gone as (
     delete from code_targets where qr_code_id = $1 and kind <> 'default' and not id = any($2::uuid[])
   ), returned as (
     delete from removed_targets where qr_code_id = $1 and id = any($2::uuid[])
   )
   insert into code_targets as existing (id, qr_code_id, kind, url, host, url_hash)
   select item.id, $1, item.kind, item.url, item.host, item.url_hash
     from unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::bytea[]) as item (id, kind, url, host, url_hash)
   on conflict (id) do update
      set url = excluded.url, host = excluded.host, url_hash = excluded.url_hash
    where existing.qr_code_id = excluded.qr_code_id and existing.url <> excluded.url`,
);

export const keepRemovedTargets = sql(
  'keep-removed-targets',
  `with kept as (
     insert into removed_targets (id, qr_code_id, rule_id, label, url, removed_at)
     select item.id, $1, item.rule_id, item.label, item.url, $6
       from unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[]) as item (id, rule_id, label, url)
     on conflict (id) do nothing
   )
   delete from removed_targets where id = any(array(
     select id from removed_targets where qr_code_id = $1 order by removed_at desc, id desc offset $7))`,
);

export const findRemovedTargets = sql(
  'find-removed-targets',
  'select id, rule_id, label, url from removed_targets where qr_code_id = $1',
);

export const deleteRemovedTargets = sql(
  'delete-removed-targets',
  'delete from removed_targets where qr_code_id = any($1::uuid[])',
);

/** For codes that are older than the column. */
export const fillHosts = sql(
  'fill-hosts',
  `update qr_codes c set host = t.host from code_targets t
    where c.id = any($1::uuid[]) and c.status <> 'deleted' and t.qr_code_id = c.id and t.kind = 'default'
      and c.host is distinct from t.host`,
);

export const deleteTargets = sql(
  'delete-targets',
  `delete from code_targets where id = any(array(
     select id from code_targets where qr_code_id = any($1::uuid[]) order by qr_code_id for update))`,
);

/** In the order in which every statement locks them. */
export const lockTargets = sql(
  'lock-targets-to-backfill',
  'select from code_targets where qr_code_id = any($1::uuid[]) order by qr_code_id for update',
);

/** Left by a version older than this table: it deletes codes but not their targets. */
export const deleteTargetsOfDeleted = sql(
  'delete-targets-of-deleted',
  `delete from code_targets t using qr_codes c
    where t.qr_code_id = any($1::uuid[]) and c.id = t.qr_code_id and c.status = 'deleted'`,
);

/** Mostly there is none, and then no transaction is begun. */
export const anyBackfill = sql('any-backfill', 'select from backfills where done_at is null limit 1');

/** The first backfill that is due, unless another process works on it. */
export const lockBackfill = sql(
  'lock-backfill',
  `select name, after from backfills
    where done_at is null
      and (name = 'code_targets' or name = 'code_targets again' and exists (
            select from backfills f where f.name = 'code_targets' and f.done_at < now() - interval '1 hour'))
    order by name limit 1 for update skip locked`,
);

export const nextToBackfill = sql(
  'next-to-backfill',
  'select id from qr_codes where id > $1 order by id limit $2',
);

export const lockToBackfill = sql(
  'lock-to-backfill',
  `select id, destination_url from qr_codes where id = any($1::uuid[]) and status <> 'deleted'
    order by id for no key update`,
);

export const moveBackfill = sql('move-backfill', 'update backfills set after = $2 where name = $1');

export const endBackfill = sql(
  'end-backfill',
  `with ended as (update backfills set done_at = now() where name = $1 returning name)
   insert into backfills (name, after)
   select 'code_targets again', '00000000-0000-0000-0000-000000000000' from ended where name = 'code_targets'
   on conflict do nothing`,
);
