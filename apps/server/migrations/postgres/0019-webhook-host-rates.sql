-- The first 2xx since the URL is what it is. Until then an endpoint gets a few tries a minute. Endpoints of before begin
-- without it, since PostgreSQL keeps no trace of what was delivered: their next success sets it.
alter table webhook_endpoints add column proven_at timestamptz;

-- Which limit a message waits for, where it waits for one: the rate of its host, or the first success of its endpoint.
alter table webhook_messages
  add column waiting_for text check (waiting_for in ('host_rate', 'first_success'));
create index webhook_messages_waiting on webhook_messages (waiting_for, endpoint_id) where waiting_for is not null;

-- Tries a second that an account may make at one host. Null: WEBHOOK_HOST_RATE.
alter table plans add column webhook_host_rate integer check (webhook_host_rate > 0);
