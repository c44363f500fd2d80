import { sql } from '../platform/postgres/postgres.ts';

const columns = `id, account_id, mode, url, description, events, include_code_details, qr_ids, tags, enabled, disabled_reason, secret, old_secret,
  old_secret_until, failing_since, proven_at, created_at, updated_at`;

/** Serialises the creations of an account in a mode, so that its limit holds over all processes. */
export const lockOwner = sql(
  'webhook-lock-owner',
  `select pg_advisory_xact_lock(hashtextextended('webhooks' || $1::text || $2::text, 0))`,
);

export const countEndpoints = sql(
  'webhook-count-endpoints',
  'select count(*) as count from webhook_endpoints where account_id = $1 and mode = $2 and deleted_at is null',
);

export const insertEndpoint = sql(
  'webhook-insert-endpoint',
  `insert into webhook_endpoints (id, account_id, mode, url, description, enabled, disabled_reason, secret, created_at, updated_at,
                                  events, include_code_details, created_by, qr_ids, tags)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10, $11, $12, $13, $14)`,
);

const ofOwner = 'where account_id = $1 and mode = $2 and deleted_at is null';

export const listEndpoints = sql(
  'webhook-list-endpoints',
  `select ${columns} from webhook_endpoints ${ofOwner} order by created_at, id`,
);

export const findEndpoint = sql(
  'webhook-find-endpoint',
  `select ${columns} from webhook_endpoints ${ofOwner} and id = $3`,
);

export const lockEndpoint = sql(
  'webhook-lock-endpoint',
  `select ${columns} from webhook_endpoints ${ofOwner} and id = $3 for update`,
);

export const updateEndpoint = sql(
  'webhook-update-endpoint',
  `update webhook_endpoints
      set url = $2, description = $3, enabled = $4, disabled_reason = $5, failing_since = $6, secret = $7,
          old_secret = $8, old_secret_until = $9, updated_at = $10, proven_at = $11, events = $12, include_code_details = $13,
          qr_ids = $14, tags = $15
    where id = $1`,
);

export const countOwnCodes = sql(
  'webhook-count-own-codes',
  `select count(*) as count from qr_codes
    where account_id = $1 and mode = $2 and id = any($3::uuid[]) and status <> 'deleted'`,
);

/** The secrets are erased at once; the messages are removed later, some at a time. */
const softDelete = (at: string) =>
  `update webhook_endpoints
      set deleted_at = ${at}, enabled = false, disabled_reason = 'by_owner', url = '', description = '', secret = '',
          old_secret = null, old_secret_until = null, qr_ids = null, tags = null`;

export const deleteEndpoint = sql(
  'webhook-delete-endpoint',
  `${softDelete('$4')} ${ofOwner} and id = $3 returning id`,
);

export const deleteAccountEndpoints = sql(
  'webhook-delete-endpoints-of',
  `${softDelete('$2')} where account_id = $1 and deleted_at is null returning id`,
);

/** In both modes, as if their owner had disabled them. */
export const disableAccountEndpoints = sql(
  'webhook-disable-endpoints-of',
  `update webhook_endpoints set enabled = false, disabled_reason = 'by_owner', updated_at = $2
    where account_id = $1 and enabled and deleted_at is null and ($3::uuid is null or created_by = $3) returning id`,
);

/** For the dispatcher. */
export const loadEndpoints = sql(
  'webhook-load-endpoints',
  `select e.*, p.webhook_host_rate
     from (select ${columns} from webhook_endpoints where id = any($1::uuid[]) and deleted_at is null) e
     join accounts a on a.id = e.account_id
     join plans p on p.name = a.plan`,
);

export const messageColumns = `m.id, m.endpoint_id, m.account_id, m.mode, m.qr_code_id, m.event, m.body, m.created_at, m.status,
  m.tries, m.attempts, m.next_at, m.last_at, m.response_status, m.error, m.trace, m.waiting_for`;

export const findMessages = sql(
  'webhook-find-messages',
  `select ${messageColumns} from webhook_messages m
    where m.id = any($1::uuid[]) and m.account_id = $2 and m.mode = $3`,
);

export const listMessages = sql(
  'webhook-list-messages',
  `select ${messageColumns} from webhook_messages m where m.endpoint_id = $1 and m.status = $2
    order by m.created_at desc, m.id desc offset $3 limit $4`,
);

export const countMessages = sql(
  'webhook-count-messages',
  'select count(*) as count from webhook_messages where endpoint_id = $1 and status = $2',
);

export const addAttempts = sql(
  'webhook-add-attempts',
  `insert into webhook_attempts (at, created_at, message_id, endpoint_id, qr_code_id, attempt, duration_ms, response_status,
                                 event, status, error, body, response)
   select * from unnest($1::timestamptz[], $2::timestamptz[], $3::uuid[], $4::uuid[], $5::uuid[], $6::integer[],
                        $7::integer[], $8::integer[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[])
   on conflict do nothing`,
);

export const findAttempts = sql(
  'webhook-find-attempts',
  `select a.* from webhook_attempts a join webhook_endpoints e on e.id = a.endpoint_id
    where a.message_id = $1 and e.account_id = $2 and e.mode = $3
    order by a.at, a.attempt`,
);

/** The last attempt of each message of an endpoint, in the order of the primary key. */
const lastAttempts = `select * from (
     select distinct on (created_at, message_id) created_at, message_id, at, attempt, status from webhook_attempts
      where endpoint_id = $1
        and exists (select from webhook_endpoints where id = $1 and account_id = $2 and mode = $3)
      order by created_at desc, message_id desc, at desc, attempt desc
   ) latest where ($4::text is null or status = $4)`;

export const listLogged = `with page as materialized (
     ${lastAttempts} order by created_at desc, message_id desc offset $5 limit $6
   )
   select a.*, (select count(*) from webhook_attempts same where same.message_id = page.message_id) as attempts
     from page join webhook_attempts a
       on a.message_id = page.message_id and a.at = page.at and a.attempt = page.attempt
    order by page.created_at desc, page.message_id desc`;

export const countLogged = `select count(*) as total from (${lastAttempts}) deliveries`;

/** Begins a new round of the retry schedule now. */
export const replayMessage = sql(
  'webhook-replay-message',
  `insert into webhook_messages as m (id, endpoint_id, account_id, mode, qr_code_id, body, created_at, status, tries,
                                      attempts, next_at, last_at, response_status, error, event)
   values ($1, $2, $3, $4, $5, $6, $7, 'pending', 0, $8, $9, $10, $11, $12, $13)
   on conflict (id) do update set status = 'pending', tries = 0, next_at = excluded.next_at, waiting_for = null
   returning ${messageColumns}`,
);

/** Messages that have failed, and those that wait for a retry; some at a time. */
export const replayFailed = sql(
  'webhook-replay-failed',
  `with chosen as (
     select id from webhook_messages
      where endpoint_id = $1 and created_at >= $2 and ((qr_code_id is null and event = 'scan.created') or event = any($5::text[]))
        and (status = 'failed' or (status = 'pending' and attempts > 0 and tries > 0 and next_at > $3))
      limit $4 for update skip locked
   )
   update webhook_messages m set status = 'pending', tries = 0, next_at = $3, waiting_for = null
     from chosen where m.id = chosen.id
   returning m.id`,
);
