-- What owners organise their codes by. New columns without a default, or with a constant one, rewrite nothing.
alter table qr_codes
  add column note        text,
  add column external_id text collate "C",
  add column metadata    jsonb not null default '{}',
  add column host        text collate "C";

alter table qr_codes add constraint qr_codes_blank_tombstone
  check (status <> 'deleted' or (note is null and external_id is null and metadata = '{}')) not valid;

comment on column qr_codes.note is 'For the owner alone.';
comment on column qr_codes.external_id is
  'The name of the code in a system of its owner, compared by its bytes. Free again once the code is deleted.';
comment on column qr_codes.metadata is 'Texts by their keys, stored for the owner''s programs.';
comment on column qr_codes.host is
  'The host of destination_url, as code_targets has it: lists are filtered by it within an account. Null until it is filled in.';

alter table code_counts add column last_created_at timestamptz;

comment on column code_counts.last_created_at is
  'When the code with the highest number was created. No later one gets an earlier time, so that numbers and times have one order.';

alter table code_edits drop constraint code_edits_field_check;
alter table code_edits add constraint code_edits_field_check
  check (field in ('name', 'destination_url', 'status', 'tags', 'note', 'external_id', 'metadata')) not valid;

create table tags (
  id         uuid primary key,
  account_id uuid not null references accounts (id),
  mode       mode not null,
  folded     text collate "C" not null,
  name       text not null,
  color      text not null,
  codes      bigint not null default 0 check (codes >= 0),
  constraint tags_color check (color in ('gray', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple'))
);

create unique index tags_name on tags (account_id, mode, folded);

comment on table tags is
  'Labels of an account''s codes in one mode. Every change of tags is made under the lock of code_counts.';
comment on column tags.folded is 'The name in lower case and composed form: tags that differ only in case are the same tag.';
comment on column tags.name is 'As it was first spelled, or renamed since.';
comment on column tags.codes is 'How many codes have it.';

create table code_tags (
  qr_code_id uuid not null,
  tag_id     uuid not null,
  number     bigint not null,
  primary key (qr_code_id, tag_id)
);

-- The codes of a tag in the order of lists.
create unique index code_tags_list on code_tags (tag_id, number) include (qr_code_id);

comment on table code_tags is 'Which codes have which tags. Removed with the code and with the tag.';
comment on column code_tags.number is 'qr_codes.number, so that the newest codes of a tag are found without reading the others.';

create table destination_changes (
  account_id uuid not null,
  at         timestamptz not null,
  codes      integer not null check (codes > 0),
  mailed_at  timestamptz
);

create index destination_changes_account on destination_changes (account_id, at);
create index destination_changes_at on destination_changes (at);

comment on table destination_changes is
  'How many live codes were led elsewhere in the last minutes, one row a call: owners are mailed when there are many.';
comment on column destination_changes.mailed_at is 'When the owners were mailed about these among others.';

-- Search also looks at external ids and tags. As in 0003, it works without these indexes too.
do $$
begin
  if (select count(*) from pg_extension where extname in ('pg_trgm', 'btree_gin')) = 2 then
    create index qr_codes_search_external_id on qr_codes
      using gin (account_id, lower(external_id) gin_trgm_ops)
      where external_id is not null and status <> 'deleted';
  end if;
end $$;

-- The backfill of code_targets fills in the hosts as well.
update backfills set done_at = null, after = '00000000-0000-0000-0000-000000000000'
 where name = 'code_targets' and exists (select from qr_codes);
