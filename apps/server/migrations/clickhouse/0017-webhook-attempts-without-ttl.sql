-- Old days of the delivery log are dropped by PostgreSQL's clock instead of ClickHouse's. The first statement is for a
-- migration that was cut off: where there is no TTL, none can be removed. It must not rewrite what is there.
alter table webhook_attempts modify ttl toDateTime(at) + interval 30 day settings materialize_ttl_after_modify = 0;

alter table webhook_attempts remove ttl;
