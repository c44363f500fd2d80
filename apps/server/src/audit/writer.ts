import type { AuditEvent } from '../http/audited.ts';
import { type Database, sql } from '../platform/postgres/postgres.ts';
import type { Place } from './event.ts';

/** Writes the event as the last statement before the commit: from here on the log is locked until then. */
export async function writeEvent(on: Database, place: Place, event: AuditEvent): Promise<void> {
  const values = listEventValues(event);
  if ('userId' in place) await on.query(insertForPerson, [place.userId, ...values]);
  else await on.query(insertOne, [place.accountId, place.mode, ...values]);
}

/** An event as the parameters of `eventCtes`, all null where there is none. */
export function listEventValues(event: AuditEvent | null): readonly unknown[] {
  if (!event) return [null, null, null, null, null, null];
  const { action, actorKind, actorId, requestId, subjects, detail } = event;
  return [action, actorKind, actorId, requestId, subjects, JSON.stringify(detail)];
}

/** At most ten in an hour for each account of the person. */
export async function writeSignInFailure(on: Database, email: string, requestId: string): Promise<void> {
  await on.query(insertFailedSignIn, [email, requestId]);
}

/** Gives each log of `logs (account_id, mode)` its next number, and locks them in one order. */
const head = `head as (
     insert into audit_heads as h (account_id, mode, last)
     select account_id, mode, 1 from logs order by account_id, mode
     on conflict (account_id, mode) do update set last = h.last + 1
     returning account_id, mode, last
   )`;
const insertEvents = `insert into audit_events
     (account_id, mode, number, action, actor_kind, actor_id, request_id, subjects, detail)`;

/**
 * CTEs with which a statement writes the event of its change in the log of account $1 and mode $2. `from`: the first of the
 * parameters that `listEventValues` lists. `after`: CTEs that write and return rows. They are counted, and so have run to
 * their end, before the log is locked: nothing waits for another lock while it holds the log. One that wrote nothing leaves no event.
 */
export function eventCtes(after: readonly string[], from: number): string {
  const isDone = after.map(name => `(select count(*) from ${name}) > 0`).join(' and ');
  const [action, kind, id, request, subjects, detail] = Array.from({ length: 6 }, (_, i) => `$${from + i}`);
  return `logs as (select $1::uuid as account_id, $2::mode as mode where ${action}::text is not null and ${isDone}),
   ${head}, event as (
     ${insertEvents}
     select account_id, mode, last, ${action}, ${kind}, ${id}::uuid, ${request}, ${subjects}::text[], ${detail}::jsonb
       from head
   )`;
}

const insertOne = sql(
  'audit-event',
  `with logs as (select $1::uuid as account_id, $2::mode as mode), ${head}
   ${insertEvents}
   select account_id, mode, last, $3, $4, $5::uuid, $6, $7::text[], $8::jsonb from head`,
);
const insertForPerson = sql(
  'audit-event-of-person',
  `with logs as (select account_id, 'live'::mode as mode from members where user_id = $1), ${head}
   ${insertEvents}
   select account_id, mode, last, $2, $3, $4::uuid, $5, $6::text[], $7::jsonb from head`,
);
const insertFailedSignIn = sql(
  'audit-failed-sign-in',
  `with logs as (
     select m.account_id, 'live'::mode as mode
       from members m join auth_users u on u.id = m.user_id
      where u.email = $1
        and (select count(*) from audit_events e
              where e.account_id = m.account_id and e.mode = 'live' and e.action = 'failedSignIn'
                and e.actor_id = u.id and e.at > now() - interval '1 hour') < 10
   ), ${head}
   ${insertEvents}
   select head.account_id, head.mode, last, 'failedSignIn', 'nobody', u.id, $2, '{}'::text[], '{}'::jsonb
     from head, auth_users u where u.email = $1`,
);
