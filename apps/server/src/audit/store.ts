import type { AuditEvent } from '../http/audited.ts';
import type { Mode } from '../kernel/caller.ts';
import type { Uuid } from '../kernel/ids.ts';
import { type Database, sql } from '../platform/postgres/postgres.ts';

export type StoredEvent = AuditEvent & {
  readonly id: Uuid;
  readonly number: number;
  readonly at: Date;
  /** The name of the person or the key today. */
  readonly actorName: string | null;
};

export type Log = { readonly accountId: Uuid; readonly mode: Mode };

export type EventFilter = {
  readonly before: number | null;
  readonly action: string | null;
  readonly actorId: Uuid | null;
};

/** `hasMore`: a page ends early where its events are about very many codes. */
type EventPage = { readonly events: readonly StoredEvent[]; readonly hasMore: boolean };

/** Newest first. */
export async function listEvents(
  db: Database,
  { accountId, mode }: Log,
  { before, action, actorId }: EventFilter,
  limit: number,
): Promise<EventPage> {
  const values = [accountId, mode, before, action, actorId, limit + 1];
  return toPage(await db.query<Row>(selectBefore, values), limit);
}

/** Oldest first. */
export async function followEvents(
  db: Database,
  { accountId, mode }: Log,
  after: number,
  limit: number,
): Promise<EventPage> {
  return toPage(await db.query<Row>(selectAfter, [accountId, mode, after, limit + 1]), limit);
}

/** The names of those codes that the account still has. */
export async function findCodeNames(
  db: Database,
  { accountId, mode }: Log,
  ids: readonly Uuid[],
): Promise<ReadonlyMap<Uuid, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<{ id: Uuid; name: string }>(codeNames, [accountId, mode, ids]);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Removes events older than this many days, a bounded number at a time; returns how many. */
export async function removeOldEvents(db: Database, days: number, limit: number): Promise<number> {
  return (await db.query(removeOld, [days, limit])).length;
}

/** Of a closed account stays who closed it, and nothing else. */
export async function deleteAccountEvents(db: Database, accountId: Uuid): Promise<void> {
  while ((await db.query(deleteSome, [accountId])).length > 0);
}

type Row = {
  id: Uuid;
  number: number;
  at: Date;
  action: string;
  actor_kind: AuditEvent['actorKind'];
  actor_id: Uuid | null;
  actor_name: string | null;
  request_id: string | null;
  subjects: string[];
  detail: AuditEvent['detail'];
  found: number;
};

function toPage(rows: readonly Row[], limit: number): EventPage {
  const events = rows.slice(0, limit).map(toEvent);
  return { events, hasMore: (rows[0]?.found ?? 0) > events.length };
}

const toEvent = (row: Row): StoredEvent => ({
  id: row.id,
  number: row.number,
  at: row.at,
  action: row.action,
  actorKind: row.actor_kind,
  actorId: row.actor_id,
  actorName: row.actor_name,
  requestId: row.request_id,
  subjects: row.subjects,
  detail: row.detail,
});

const columns = `e.id, e.number, e.at, e.action, e.actor_kind, e.actor_id, e.request_id, e.subjects, e.detail,
          coalesce(u.name, k.name,
                   case when e.actor_kind = 'user' and e.actor_id is not null then 'A person who left' end) as actor_name`;
const joins = `left join members m on m.user_id = e.actor_id and m.account_id = e.account_id
     left join auth_users u on u.id = m.user_id
     left join api_keys k on k.id = e.actor_id and k.account_id = e.account_id`;

/** Ids of one page, apart from those of its last event: an event of a bulk has up to 500. */
const idsPerPage = 2000;
const selectPage = (condition: string, order: 'asc' | 'desc', limit: string) => `with found as (
     select *, count(*) over () as found,
            sum(cardinality(subjects)) over (order by number ${order}) - cardinality(subjects) as ids_before
       from (select * from audit_events where account_id = $1 and mode = $2 and ${condition}
              order by number ${order} limit ${limit}) e
   )
   select ${columns}, e.found from found e ${joins} where e.ids_before < ${idsPerPage} order by e.number ${order}`;

const selectBefore = sql(
  'audit-events-before',
  selectPage(
    `($3::bigint is null or number < $3) and ($4::text is null or action = $4) and ($5::uuid is null or actor_id = $5)`,
    'desc',
    '$6',
  ),
);
const selectAfter = sql('audit-events-after', selectPage('number > $3', 'asc', '$4'));
const codeNames = sql(
  'audit-code-names',
  `select id, name from qr_codes where account_id = $1 and mode = $2 and id = any($3::uuid[]) and status <> 'deleted'`,
);
const removeOld = sql(
  'remove-old-audit-events',
  `delete from audit_events where ctid = any(array(
     select ctid from audit_events where at < now() - make_interval(days => $1) limit $2)) returning 1`,
);
const deleteSome = sql(
  'delete-audit-events-of-account',
  `delete from audit_events where ctid = any(array(
     select ctid from audit_events where account_id = $1 and action <> 'closeAccount' limit 5000)) returning 1`,
);
