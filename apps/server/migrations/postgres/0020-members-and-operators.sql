-- Who runs this installation. There may be several; where there is none, a token makes the first (see below).
create table operators (
  user_id    uuid primary key references auth_users (id),
  created_at timestamptz not null
);

insert into operators (user_id, created_at)
select user_id, created_at from members where is_operator;

-- Who belongs to which account, and as what. A person may come to have several accounts, and an account several people.
drop index members_one_operator;
drop index members_account;
alter table members drop constraint members_pkey;
alter table members add primary key (user_id, account_id);
alter table members drop column is_operator;
alter table members add column role text not null default 'owner' check (role in ('owner'));
alter table members alter column role drop default;
create index members_account on members (account_id);

-- Tokens that make the first operator, one for each machine that serves the dashboard. The token itself is in a file of
-- that machine. All of them go with the first operator; one whose machine is gone goes after an hour.
create table operator_tokens (
  hash    bytea primary key, -- SHA-256
  seen_at timestamptz not null
);
