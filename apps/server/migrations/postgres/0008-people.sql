-- A link that confirms a new e-mail address is a link like the others: a new password ends it, and a restore too.
alter table email_tokens drop constraint email_tokens_purpose_check;
alter table email_tokens add constraint email_tokens_purpose_check check (purpose in ('reset', 'verify', 'change'));
alter table email_tokens add column new_email text;
alter table email_tokens add constraint email_tokens_new_email_check
  check ((purpose = 'change') = (new_email is not null));

comment on table email_tokens is
  'Links that set a new password, confirm an address or change it. The link holds the token.';
comment on column email_tokens.new_email is
  'The address that the link was sent to, in lower case, where it is not the user''s yet.';

create table account_closures (
  account_id uuid primary key references accounts (id),
  claimed_at timestamptz not null
);

comment on table account_closures is
  'Closed accounts of which something is still to be deleted. A process that ends leaves its row for another.';
comment on column account_closures.claimed_at is
  'When a process began to delete. Another goes on with what has been claimed for long.';
