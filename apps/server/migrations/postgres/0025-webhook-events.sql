-- Which kinds of event an endpoint is told. Those of before, and those that say nothing, are told scans, as ever. Both columns
-- have a constant default, so that no row is written.
alter table webhook_endpoints add column events text[] not null default '{scan.created}';

-- What a message tells. Every kind but scan.created begins here, in the transaction of the change that it tells.
alter table webhook_messages add column event text not null default 'scan.created';
