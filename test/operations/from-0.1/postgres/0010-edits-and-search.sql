-- Who made a code: a key or a user by its id, told apart by made_by. Null: made before this was recorded.
alter table qr_codes add column made_by_id uuid;

-- What was changed of a code, by whom, from what to what. Written in the transaction of the change, removed with the code.
create table code_edits (
  id         uuid primary key,
  qr_code_id uuid not null,
  at         timestamptz not null,
  by_kind    text not null check (by_kind in ('key', 'user')),
  by_id      uuid not null,
  field      text not null check (field in ('name', 'destination_url', 'status')),
  before     text not null,
  after      text not null
);

create index code_edits_code on code_edits (qr_code_id, id);

-- What people search in; of a long destination only its beginning, since each letter costs. The index makes it quick in an account of a million codes. Both extensions come with PostgreSQL
-- and may be made by the owner of a database; where a distribution leaves them out, search works without the index, and
-- is slow for rare words in a very large account.
do $$
begin
  if (select count(*) from pg_available_extensions where name in ('pg_trgm', 'btree_gin')) = 2 then
    create extension if not exists pg_trgm;
    create extension if not exists btree_gin;
    create index qr_codes_search on qr_codes
      using gin (account_id, lower(name || ' ' || short_code || ' ' || left(destination_url, 200)) gin_trgm_ops)
      where status <> 'deleted';
  else
    raise notice 'pg_trgm or btree_gin is not available: search in very large accounts will be slow';
  end if;
exception
  when insufficient_privilege then
    raise notice 'the extensions pg_trgm and btree_gin may not be made by this role: search in very large accounts will be slow';
end $$;
