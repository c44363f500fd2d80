-- A short link is named by its whole key: the space that its name is unique in, and its folded short code. Test codes move
-- from the names of live codes into a space of their account.

-- Eight signs of the alphabet of generated short codes: no words, nothing that looks like something else on paper.
create function new_test_tag() returns text language plpgsql volatile as $$
declare
  tag text;
begin
  loop
    select string_agg(substr('23456789bcdfghjkmnpqrstvwxyz', 1 + floor(random() * 28)::integer, 1), '')
      into tag from generate_series(1, 8);
    if not exists (select from accounts where test_tag = tag) then
      return tag;
    end if;
  end loop;
end $$;

-- Stands in the short links of the account's test codes: SHORT_BASE_URL/t/<tag>/<short code>. Made once, never changed.
alter table accounts add column test_tag text collate "C";
update accounts set test_tag = new_test_tag();
-- The statement above does not see the tags that it gives out itself.
update accounts set test_tag = new_test_tag()
 where test_tag in (select test_tag from accounts group by test_tag having count(*) > 1);
create unique index accounts_test_tag on accounts (test_tag);
alter table accounts
  alter column test_tag set not null,
  alter column test_tag set default new_test_tag(),
  add constraint accounts_test_tag_form check (test_tag ~ '^[23456789bcdfghjkmnpqrstvwxyz]{8}$');

-- Empty for live codes, t/<tag>/ for test codes.
alter table qr_codes add column key_space text collate "C" not null default '';
update qr_codes c set key_space = 't/' || a.test_tag || '/' from accounts a where a.id = c.account_id and c.mode = 'test';
alter table qr_codes add constraint qr_codes_key_space check ((mode = 'test') = (key_space like 't/%'));

-- Over the whole key, tombstones included. The expression stands in kernel/link-key.ts, word for word.
create unique index qr_codes_key on qr_codes ((key_space || lower(short_code)));
drop index qr_codes_short_code;

-- Keys instead of short codes. No redirect runs while this does, so none has to be told of what was before.
delete from link_changes;
alter table link_changes rename column short_code to key;

-- The row of a deleted test code goes when its name is used again, maybe before its scans are erased: an erasure has to
-- know by itself whose code it was.
update erasures e set account_id = c.account_id, mode = c.mode
  from qr_codes c where c.id = e.qr_code_id and e.account_id is null;
delete from erasures where account_id is null;
alter table erasures alter column account_id set not null, alter column mode set not null;
