import { sql } from '../platform/postgres.ts';
import { messageColumns } from './statements.ts';

export const addAttempts = sql(
  'webhook-add-attempts',
  `insert into webhook_attempts (message_id, qr_code_id, attempt)
   select (a ->> 'message_id')::uuid, (a ->> 'qr_code_id')::uuid, a from jsonb_array_elements($1::jsonb) a`,
);

const given = `jsonb_to_recordset($1::jsonb) as given (
  id uuid, endpoint_id uuid, account_id uuid, mode mode, qr_code_id uuid, body text, created_at timestamptz, status text,
  tries integer, attempts integer, next_at timestamptz, last_at timestamptz, response_status integer, error text,
  trace text, waiting_for text, event text)`;

/**
 * One that is there already has its own next time; it came out of the queue a second time. Where it waits there untried, as it
 * was put when nobody answered for the queue, it goes on from this first try.
 */
export const addMessages = sql(
  'webhook-add-messages',
  `insert into webhook_messages as held
                                (id, endpoint_id, account_id, mode, qr_code_id, body, created_at, status, tries, attempts,
                                 next_at, last_at, response_status, error, trace, waiting_for, event)
   select id, endpoint_id, account_id, mode, qr_code_id, body, created_at, status, tries, attempts, next_at, last_at,
          response_status, error, trace, waiting_for, event
     from ${given} order by id
   on conflict (id) do update
      set status = excluded.status, tries = excluded.tries, attempts = excluded.attempts, next_at = excluded.next_at,
          last_at = excluded.last_at, response_status = excluded.response_status, error = excluded.error,
          waiting_for = excluded.waiting_for
    where held.attempts = 0 and excluded.attempts > 0`,
);

export const changeMessages = sql(
  'webhook-change-messages',
  `update webhook_messages m
      set status = given.status, tries = given.tries, attempts = given.attempts, next_at = given.next_at,
          last_at = given.last_at, response_status = given.response_status, error = given.error,
          waiting_for = given.waiting_for
     from ${given} where m.id = given.id`,
);

/** Of one that was not tried nothing changes but when it is. */
export const putOffMessages = sql(
  'webhook-put-off-messages',
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

/** Where the URL is still the one that was tried. */
export const noteProven = sql(
  'webhook-note-proven',
  `update webhook_endpoints e set proven_at = $3
     from unnest($1::uuid[], $2::text[]) as given (id, url)
    where e.id = given.id and e.url = given.url and e.proven_at is null`,
);

/**
 * What waits for the first success of an endpoint that has had it is due now. However long ago that was: a process that has
 * not heard of it may put some off after it, and nobody may have been there to look. It jumps from one endpoint to the next
 * in the index, so that it costs by the endpoints that have something waiting, however much that is.
 */
export const releaseProven = sql(
  'webhook-release-proven',
  `with recursive lines as (
     (select endpoint_id from webhook_messages
       where waiting_for = 'first_success' order by endpoint_id limit 1)
     union all
     select next.endpoint_id
       from lines, lateral (
         select endpoint_id from webhook_messages
          where waiting_for = 'first_success' and endpoint_id > lines.endpoint_id order by endpoint_id limit 1
       ) next
   ), proven as (
     select e.id from lines join webhook_endpoints e on e.id = lines.endpoint_id
      where e.proven_at is not null and e.deleted_at is null
   ), chosen as (
     select m.id from proven
       join webhook_messages m on m.endpoint_id = proven.id and m.waiting_for = 'first_success' and m.status = 'pending'
      limit $2 for update of m skip locked
   )
   update webhook_messages m set next_at = $1, waiting_for = null from chosen where m.id = chosen.id returning m.id`,
);

/** How many wait for each limit. Counted no further than it is useful to know. */
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
 * The endpoints that have something due. It jumps from one endpoint to the next in the index, so that it costs by the
 * endpoints that have messages, however many those are.
 */
export const endpointsDue = sql(
  'webhook-endpoints-due',
  `with recursive lines as (
     (select endpoint_id, next_at from webhook_messages
       where status = 'pending' order by endpoint_id, next_at limit 1)
     union all
     select next.endpoint_id, next.next_at
       from lines, lateral (
         select endpoint_id, next_at from webhook_messages
          where status = 'pending' and endpoint_id > lines.endpoint_id order by endpoint_id, next_at limit 1
       ) next
   )
   select endpoint_id from lines where next_at <= $1 order by next_at`,
);

/** Takes up to so many due messages of each endpoint, and puts them off: nobody else takes them until then. */
export const claim = sql(
  'webhook-claim',
  `with chosen as (
     select due.id from unnest($1::uuid[], $2::integer[]) as wanted (endpoint_id, most),
       lateral (
         select id from webhook_messages
          where endpoint_id = wanted.endpoint_id and status = 'pending' and next_at <= $3
          order by next_at limit wanted.most for update skip locked
       ) due
   )
   update webhook_messages m set next_at = $4, waiting_for = null from chosen where m.id = chosen.id returning ${messageColumns}`,
);

/** How long the oldest due message has waited, and how many are due. Counted no further than it is useful to know. */
export const backlog = sql(
  'webhook-backlog',
  `select count(*) as due, min(next_at) as oldest
     from (select next_at from webhook_messages where status = 'pending' and next_at <= $1 limit 10000) due`,
);
