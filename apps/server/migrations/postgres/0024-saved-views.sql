create table saved_views (
  id         uuid primary key,
  user_id    uuid not null,
  account_id uuid not null,
  mode       mode not null,
  name       text not null,
  query      text not null,
  created_at timestamptz not null,
  foreign key (user_id, account_id) references members (user_id, account_id) on delete cascade
);

create index saved_views_list on saved_views (user_id, account_id, mode, created_at, id);

comment on table saved_views is
  'Filtered lists of codes under names that a person has given them, for that person alone. They go with the membership.';
comment on column saved_views.query is 'The query of the page of codes, as its address has it.';
