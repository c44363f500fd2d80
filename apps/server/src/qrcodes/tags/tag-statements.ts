import { sql } from '../../platform/postgres/postgres.ts';

/** Those of an account in one mode, in alphabetical order. */
export const listTags = sql(
  'list-tags',
  'select name, color, codes from tags where account_id = $1 and mode = $2 order by folded',
);

export const findTags = sql(
  'find-tags',
  // Lateral and with a limit: otherwise the planner may read all tags of the account.
  `select tag.* from unnest($3::text[]) as wanted (folded) cross join lateral (
     select id, folded, name, color, codes from tags
      where account_id = $1 and mode = $2 and folded = wanted.folded limit 1) tag`,
);

export const countTags = sql(
  'count-tags',
  'select count(*) as count from tags where account_id = $1 and mode = $2',
);

export const insertTags = sql(
  'insert-tags',
  `insert into tags (id, account_id, mode, folded, name, color)
   select tag.id, $1, $2, tag.folded, tag.name, $6
     from unnest($3::uuid[], $4::text[], $5::text[]) as tag (id, folded, name)`,
);

/** Gives codes their tags. $1 to $3 say, row by row, which code has which tag. */
export const addToCodes = sql(
  'add-tags-to-codes',
  `with added as (
     insert into code_tags (qr_code_id, tag_id, number)
     select * from unnest($1::uuid[], $2::uuid[], $3::bigint[])
     on conflict do nothing
     returning tag_id
   )
   update tags t set codes = t.codes + n
     from (select tag_id, count(*) as n from added group by tag_id) per_tag
    where t.id = per_tag.tag_id`,
);

export const removeFromCodes = sql(
  'remove-tags-from-codes',
  `with removed as (
     delete from code_tags c using unnest($1::uuid[], $2::uuid[]) as pair (qr_code_id, tag_id)
      where c.qr_code_id = pair.qr_code_id and c.tag_id = pair.tag_id
     returning c.tag_id
   )
   update tags t set codes = t.codes - n
     from (select tag_id, count(*) as n from removed group by tag_id) per_tag
    where t.id = per_tag.tag_id`,
);

/** Takes all tags from codes that are deleted. */
export const removeAllFromCodes = sql(
  'remove-all-tags-from-codes',
  `with removed as (
     delete from code_tags where qr_code_id = any($1::uuid[]) returning tag_id
   )
   update tags t set codes = t.codes - n
     from (select tag_id, count(*) as n from removed group by tag_id) per_tag
    where t.id = per_tag.tag_id`,
);

export const tagsOfCodes = sql(
  'tags-of-codes',
  `select c.qr_code_id as id, array_agg(t.name order by t.folded) as tags
     from code_tags c join tags t on t.id = c.tag_id
    where c.qr_code_id = any($1::uuid[]) group by c.qr_code_id`,
);

export const updateTag = sql(
  'update-tag',
  'update tags set folded = $2, name = $3, color = $4 where id = $1',
);

/**
 * Gives the codes of one tag another, in batches by number: a tag may have very many codes. For them it is a new name of their
 * tag; those that had both have lost one, so their revision rises.
 */
export const moveSomeCodes = sql(
  'move-codes-to-tag',
  `with batch as (
     select qr_code_id, number from code_tags where tag_id = $1 order by number limit $3
   ), removed as (
     delete from code_tags c using batch where c.tag_id = $1 and c.number = batch.number
   ), added as (
     insert into code_tags (qr_code_id, tag_id, number) select qr_code_id, $2, number from batch
     on conflict do nothing
     returning qr_code_id
   ), edited as (
     update qr_codes set revision = revision + 1
      where id in (select qr_code_id from batch except select qr_code_id from added)
   ), gained as (
     update tags set codes = codes + (select count(*) from added) where id = $2
   )
   update tags set codes = codes - (select count(*) from batch) where id = $1
   returning (select count(*) from batch) as moved`,
);

export const removeSomeCodes = sql(
  'remove-codes-from-tag',
  `with batch as (
     select qr_code_id, number from code_tags where tag_id = $1 order by number limit $2
   ), removed as (
     delete from code_tags c using batch where c.tag_id = $1 and c.number = batch.number
   ), edited as (
     update qr_codes set revision = revision + 1 where id in (select qr_code_id from batch)
   )
   update tags set codes = codes - (select count(*) from batch) where id = $1
   returning (select count(*) from batch) as moved`,
);

export const deleteTag = sql('delete-tag', 'delete from tags where id = $1');

/** Those of a closed account, once it has no codes. */
export const deleteAccountTags = sql(
  'delete-tags-of-account',
  'delete from tags where account_id = $1 and mode = $2',
);

/** The ids of the first codes of a tag. */
export const codesOfTag = sql(
  'codes-of-tag',
  'select qr_code_id as id from code_tags where tag_id = $1 order by number limit $2',
);
