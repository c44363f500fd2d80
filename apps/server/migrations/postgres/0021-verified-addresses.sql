-- Links that are sent to people: to set a new password, to confirm an address. The link has the token, this table only its
-- SHA-256. The sign-in library's own table kept tokens as they are: they go, and people ask for a new link. The library wants
-- to see the table, but nothing may be written to it any more.
delete from auth_verifications;
alter table auth_verifications add constraint auth_verifications_unused check (false);

create table email_tokens (
  hash       bytea primary key check (length(hash) = 32), -- of 160 random bits
  user_id    uuid not null references auth_users (id) on delete cascade,
  purpose    text not null check (purpose in ('reset', 'verify')),
  mailed     boolean not null, -- to the user's address, so that who has it can read mail there
  created_at timestamptz not null,
  expires_at timestamptz not null
);

create index email_tokens_user on email_tokens (user_id);
create index email_tokens_expires on email_tokens (expires_at);

-- Browsers in which a user has signed in before. The cookie has 160 random bits, this table their SHA-256.
create table known_browsers (
  hash       bytea primary key check (length(hash) = 32),
  user_id    uuid not null references auth_users (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

create index known_browsers_user on known_browsers (user_id, created_at);
create index known_browsers_expires on known_browsers (expires_at);

-- A new password ends every link and forgets every browser of its user, in the same commit and whoever sets it: the
-- sign-in library, a reset or a command.
create function forget_on_new_password() returns trigger language plpgsql as $$
begin
  delete from email_tokens where user_id = new.user_id;
  delete from known_browsers where user_id = new.user_id;
  return null;
end
$$;

create trigger forget_on_new_password after update of password on auth_credentials
  for each row when (old.password is distinct from new.password) execute function forget_on_new_password();

-- When somebody first showed that the address is theirs; null where nobody has. A mailed reset revokes the API keys that were
-- made before. People of 0.1 were never asked: their keys count as theirs, so that none stops by surprise.
alter table auth_users add column verified_at timestamptz;
update auth_users set verified_at = created_at;
