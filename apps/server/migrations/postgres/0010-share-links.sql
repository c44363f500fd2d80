create table share_links (
  id         uuid primary key,
  account_id uuid not null references accounts (id),
  mode       mode not null,
  token_hash bytea not null unique check (length(token_hash) = 32),
  hint       text not null,
  qr_code_id uuid,
  tag_id     uuid references tags (id) on delete cascade,
  title      text,
  sections   text[] not null check (cardinality(sections) > 0),
  days       integer check (days > 0),
  start_date text,
  end_date   text,
  timezone   text not null,
  expires_at timestamptz,
  created_at timestamptz not null,
  constraint share_links_one_subject check (qr_code_id is null or tag_id is null),
  constraint share_links_one_period check ((days is null) <> (start_date is null) and (end_date is null or start_date is not null))
);

create index share_links_list on share_links (account_id, mode, created_at, id);
create index share_links_code on share_links (qr_code_id) where qr_code_id is not null;
create index share_links_tag on share_links (tag_id) where tag_id is not null;

comment on table share_links is
  'Pages with figures that everybody may read who has the link. Removed when revoked, and with their code, tag or account.';
comment on column share_links.token_hash is
  'SHA-256 of the token in the link, which is shown once. It has 160 random bits, so a slow hash would protect nothing.';
comment on column share_links.hint is 'The last four characters of the link, to tell links apart.';
comment on column share_links.qr_code_id is 'Null, as is tag_id: all codes of the account in this mode.';
comment on column share_links.days is 'Length of a period that ends today. Null: it begins on start_date.';
comment on column share_links.end_date is 'Null: today.';
