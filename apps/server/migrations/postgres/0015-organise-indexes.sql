-- no transaction
alter table qr_codes validate constraint qr_codes_blank_tombstone;

alter table code_edits validate constraint code_edits_field_check;

create unique index concurrently if not exists qr_codes_external_id on qr_codes (account_id, mode, external_id)
  where external_id is not null and status <> 'deleted';

create index concurrently if not exists qr_codes_list_by_host on qr_codes (account_id, mode, host, number)
  where status <> 'deleted';

create index concurrently if not exists qr_codes_list_by_time on qr_codes (account_id, mode, created_at, number)
  where status <> 'deleted';
