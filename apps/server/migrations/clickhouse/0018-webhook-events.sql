-- What a message told. Rows of before, and rows of a process of before, told scans.
alter table webhook_attempts
  add column if not exists event LowCardinality(String) default 'scan.created' comment 'What was told, such as scan.created or qrcode.suspended';
