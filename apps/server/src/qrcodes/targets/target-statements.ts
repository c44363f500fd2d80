import { sql } from '../../platform/postgres/postgres.ts';

/** Keeps the newest removed targets of the codes `item`. A URL in `gone` is about to be written again, so its row stays. */
const trimRemoved = (most: string) =>
  `delete from removed_targets r
    using item
     join lateral (select removed_at from removed_targets where qr_code_id = item.id
                    order by removed_at desc offset ${most} limit 1) oldest on true
    where r.qr_code_id = item.id and r.removed_at <= oldest.removed_at
      and not exists (select from gone
                       where gone.id = r.qr_code_id and gone.kind = r.kind
                         and gone.target_id is not distinct from r.target_id and gone.url = r.url)`;

const keepRemoved = (at: string) =>
  `insert into removed_targets (qr_code_id, kind, target_id, rule_id, label, url, host, removed_at)
   select id, kind, target_id, rule_id, label, url, host, ${at} from gone
   on conflict (qr_code_id, kind, target_id, md5(url)) do update
      set removed_at = excluded.removed_at, label = excluded.label, rule_id = excluded.rule_id`;

/** The destinations of codes become these. Earlier ones are kept as removed. */
export const writeTargets = sql(
  'write-targets',
  `with item as (
     select * from unnest($1::uuid[], $2::text[], $3::text[], $4::bytea[]) as item (id, url, host, url_hash)
   ), gone as (
     select item.id, 'default' as kind, null::uuid as target_id, null::uuid as rule_id, '' as label, t.url, t.host
       from item join code_targets t on t.qr_code_id = item.id and t.kind = 'default' and t.url <> item.url
   ), kept as (
     ${keepRemoved('$5')}
   ), trimmed as (
     ${trimRemoved('$6')}
   ), returned as (
     delete from removed_targets r using item
      where r.qr_code_id = item.id and r.kind = 'default' and r.url = item.url
   )
   insert into code_targets as existing (qr_code_id, kind, url, host, url_hash)
   select item.id, 'default', item.url, item.host, item.url_hash from item
   on conflict (qr_code_id) where kind = 'default' do update
      set url = excluded.url, host = excluded.host, url_hash = excluded.url_hash
    where existing.url <> excluded.url`,
);

/** The targets of the rules and of the fallback of a code become these. */
export const replaceRuleTargets = sql(
  'replace-rule-targets',
  `with item as (
     select item.target_id, item.kind, item.url, item.host, item.url_hash
       from unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::bytea[])
              as item (target_id, kind, url, host, url_hash)
   ), dropped as (
     delete from code_targets where qr_code_id = $1 and kind <> 'default' and not id = any($2::uuid[])
   ), returned as (
     delete from removed_targets r using item
      where r.qr_code_id = $1 and r.kind = item.kind and r.url = item.url
        and (r.target_id is null or r.target_id = item.target_id)
   )
   insert into code_targets as existing (id, qr_code_id, kind, url, host, url_hash)
   select item.target_id, $1, item.kind, item.url, item.host, item.url_hash from item
   on conflict (id) do update
      set url = excluded.url, host = excluded.host, url_hash = excluded.url_hash
    where existing.qr_code_id = excluded.qr_code_id and existing.url <> excluded.url`,
);

/** Targets that a code no longer has. */
export const keepRemovedTargets = sql(
  'keep-removed-targets',
  `with item as (
     select $1::uuid as id
   ), gone as (
     select item.id, t.*
       from item, unnest($2::text[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::text[])
              as t (kind, target_id, rule_id, label, url, host)
   ), trimmed as (
     ${trimRemoved('$9')}
   )
   ${keepRemoved('$8')}`,
);

/** Of the targets that rules had earlier, the latest URL of each. */
export const findRemovedTargets = sql(
  'find-removed-targets',
  `select distinct on (target_id) target_id as id, rule_id, label, url from removed_targets
    where qr_code_id = $1 and kind = 'rule' order by target_id, removed_at desc`,
);

export const deleteRemovedTargets = sql(
  'delete-removed-targets',
  'delete from removed_targets where qr_code_id = any($1::uuid[])',
);

export const trimRemovedTargets = sql(
  'trim-removed-targets',
  `delete from removed_targets where ctid = any(array(
     select r.ctid from unnest($1::uuid[]) as code (id)
      cross join lateral (select ctid from removed_targets where qr_code_id = code.id
                           order by removed_at desc offset $2) r
      limit $3)) returning 1`,
);

export const countRemovedTargets = sql(
  'count-removed-targets',
  'select qr_code_id as id, count(*) from removed_targets where qr_code_id = any($1::uuid[]) group by qr_code_id',
);

/** Locked in the order in which every statement locks them: by code, then by id. */
export const deleteTargets = sql(
  'delete-targets',
  `delete from code_targets where id = any(array(
     select id from code_targets where qr_code_id = any($1::uuid[]) order by qr_code_id, id for update))
   returning qr_code_id as id, url, host`,
);
