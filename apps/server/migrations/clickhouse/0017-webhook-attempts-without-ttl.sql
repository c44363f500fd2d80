-- Old days of the delivery log are dropped by PostgreSQL's clock instead of ClickHouse's. The first statement is for a
-- migration that was cut off: where there is no TTL, none can be removed.
alter table webhook_attempts modify ttl toDateTime(at) + interval 30 day;

alter table webhook_attempts remove ttl;
