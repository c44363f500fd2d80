import { sql } from '../../platform/postgres/postgres.ts';
import { messageColumns } from '../statements.ts';

const given = `jsonb_to_recordset($1::jsonb) as given (
  id uuid, endpoint_id uuid, account_id uuid, mode mode, qr_code_id uuid, body text, created_at timestamptz, status text,
  tries integer, attempts integer, next_at timestamptz, last_at timestamptz, response_status integer, error text,
  trace text, waiting_for text, event text)`;

/**
 * A message that is there already was delivered by the queue a second time, and keeps its next time. An unconfirmed one that
 * waits there for its first attempt takes over this attempt.
 */
export const addMessages = sql(
  'webhook-add-messages',
  `insert into webhook_messages as stored
                                (id, endpoint_id, account_id, mode, qr_code_id, body, created_at, status, tries, attempts,
                                 next_at, last_at, response_status, error, trace, waiting_for, event)
   select id, endpoint_id, account_id, mode, qr_code_id, body, created_at, status, tries, attempts, next_at, last_at,
          response_status, error, trace, waiting_for, event
     from ${given} order by id
   on conflict (id) do update
      set status = excluded.status, tries = excluded.tries, attempts = excluded.attempts, next_at = excluded.next_at,
          last_at = excluded.last_at, response_status = excluded.response_status, error = excluded.error,
          waiting_for = excluded.waiting_for
    where stored.attempts = 0 and excluded.attempts > 0`,
);

export const changeMessages = sql(
  'webhook-change-messages',
  `update webhook_messages m
      set status = given.status, tries = given.tries, attempts = given.attempts, next_at = given.next_at,
          last_at = given.last_at, response_status = given.response_status, error = given.error,
          waiting_for = given.waiting_for
     from ${given} where m.id = given.id`,
);

/** Without an attempt only the next time changes. */
export const postponeMessages = sql(
  'webhook-postpone-messages',
  `update webhook_messages m set next_at = given.next_at, waiting_for = given.waiting_for
     from ${given} where m.id = given.id and m.status = 'pending'`,
);

export const removeMessages = sql(
  'webhook-remove-messages',
  'delete from webhook_messages where id = any($1::uuid[])',
);

export const clearFailing = sql(
  'webhook-clear-failing',
  'update webhook_endpoints set failing_since = null where id = any($1::uuid[]) and failing_since is not null',
);

/** Only while the URL is still the one that succeeded. */
export const noteProven = sql(
  'webhook-note-proven',
  `update webhook_endpoints e set proven_at = $3
     from unnest($1::uuid[], $2::text[]) as given (id, url)
    where e.id = given.id and e.url = given.url and e.proven_at is null`,
);

/**
 * Messages that wait for the first success of an endpoint are due now if it has had one, however long ago: a process that
 * did not know of it may postpone some afterwards, and no process may have been running. It skips from one endpoint to the
 * next in the index, so its cost depends on the endpoints with waiting messages and not on the number of messages.
 */
export const releaseProven = sql(
  'webhook-release-proven',
  `with recursive endpoints as (
     (select endpoint_id from webhook_messages
       where waiting_for = 'first_success' order by endpoint_id limit 1)
     union all
     select next.endpoint_id
       from endpoints, lateral (
         select endpoint_id from webhook_messages
          where waiting_for = 'first_success' and endpoint_id > endpoints.endpoint_id order by endpoint_id limit 1
       ) next
   ), proven as (
     select e.id from endpoints join webhook_endpoints e on e.id = endpoints.endpoint_id
      where e.proven_at is not null and e.deleted_at is null
   ), chosen as (
     select m.id from proven
       join webhook_messages m on m.endpoint_id = proven.id and m.waiting_for = 'first_success' and m.status = 'pending'
      limit $2 for update of m skip locked
   )
   update webhook_messages m set next_at = $1, waiting_for = null from chosen where m.id = chosen.id returning m.id`,
);

/** Messages that wait for each limit, counted as far as is useful. */
export const waiting = sql(
  'webhook-waiting',
  `select reason, (select count(*) from (
            select from webhook_messages where waiting_for = reason and status = 'pending' limit 10000) counted) as count
     from unnest(array['host_rate', 'first_success']) reason`,
);

export const noteFailing = sql(
  'webhook-note-failing',
  'update webhook_endpoints set failing_since = $2 where id = any($1::uuid[]) and failing_since is null',
);

export const disableFailing = sql(
  'webhook-disable-failing',
  `update webhook_endpoints set enabled = false, disabled_reason = 'failing', updated_at = $2
    where id = any($1::uuid[]) and enabled and failing_since <= $3 returning id`,
);

export const disableGone = sql(
  'webhook-disable-gone',
  `update webhook_endpoints set enabled = false, disabled_reason = 'gone', updated_at = $2
    where id = any($1::uuid[]) and enabled returning id`,
);

/**
 * Endpoints with due messages. It skips from one endpoint to the next in the index, so its cost depends on the endpoints
 * with messages and not on the number of messages.
 */
export const endpointsDue = sql(
  'webhook-endpoints-due',
  `with recursive endpoints as (
     (select endpoint_id, next_at from webhook_messages
       where status = 'pending' order by endpoint_id, next_at limit 1)
     union all
     select next.endpoint_id, next.next_at
       from endpoints, lateral (
         select endpoint_id, next_at from webhook_messages
          where status = 'pending' and endpoint_id > endpoints.endpoint_id order by endpoint_id, next_at limit 1
       ) next
   )
   select endpoint_id from endpoints where next_at <= $1 order by next_at`,
);

/** Leases up to a number of due messages of each endpoint: no other process takes them before the lease ends. */
export const leaseDue = sql(
  'webhook-lease-due',
  `with chosen as (
     select due.id from unnest($1::uuid[], $2::integer[]) as wanted (endpoint_id, max_messages),
       lateral (
         select id from webhook_messages
          where endpoint_id = wanted.endpoint_id and status = 'pending' and next_at <= $3
          order by next_at limit wanted.max_messages for update skip locked
       ) due
   )
   update webhook_messages m set next_at = $4, waiting_for = null from chosen where m.id = chosen.id returning ${messageColumns}`,
);

/** The number of due messages, counted as far as is useful, and the time of the oldest. */
export const backlog = sql(
  'webhook-backlog',
  `select count(*) as due, min(next_at) as oldest
     from (select next_at from webhook_messages where status = 'pending' and next_at <= $1 limit 10000) due`,
);
