import { accountOperations, operations, type AuditEvent as WireEvent } from '@signpost/contract';
import type { Routes } from '../http/routes.ts';
import { AppError } from '../kernel/errors.ts';
import { formatId, parseId } from '../kernel/ids.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import { formatCursor, parseCursor } from './cursor.ts';
import { findCodeNames, followEvents, type Log, listEvents, type StoredEvent } from './store.ts';

/** The log in the dashboard, and as a feed for programs. */
export function addAuditRoutes(routes: Routes): void {
  routes.add(accountOperations.listAudit, async ({ db, caller, query }) => {
    const limit = query.limit ?? 50;
    const before = query.before === undefined ? null : requireCursor('before', query.before);
    const actorId = query.actor === undefined ? null : requireActor(query.actor);
    const filter = { before, action: query.action ?? null, actorId };
    const { events, hasMore } = await listEvents(db, caller, filter, limit);
    return {
      data: await presentAll(db, caller, events),
      next_cursor: hasMore ? formatCursor(events.at(-1)!.number) : null,
    };
  });

  routes.add(operations.listAuditEvents, async ({ db, caller, query, raw }) => {
    const limit = query.limit ?? 100;
    const after = query.after === undefined ? 0 : requireCursor('after', query.after);
    const { events: found, hasMore } = await followEvents(db, caller, after, limit);
    const data = await presentAll(db, caller, found);
    if (raw.request.headers.accept?.includes(lines))
      raw.reply
        .type(`${lines}; charset=utf-8`)
        .serializer(({ data: events }: { readonly data: readonly WireEvent[] }) =>
          events.map(event => `${JSON.stringify(event)}\n`).join(''),
        );
    return {
      data,
      next_cursor: data.at(-1)?.cursor ?? query.after ?? formatCursor(0),
      has_more: hasMore,
    };
  });
}

const lines = 'application/x-ndjson';

function requireCursor(param: string, text: string): number {
  const number = parseCursor(text);
  if (number !== null) return number;
  throw new AppError('invalid_request', `${param} must be a cursor from an earlier response.`, { param });
}

function requireActor(text: string) {
  const id = parseId('key', text) ?? parseId('user', text);
  if (id) return id;
  throw new AppError('invalid_request', 'actor must be the id of a key or a user: key_… or user_….', {
    param: 'actor',
  });
}

async function presentAll(db: Database, log: Log, events: readonly StoredEvent[]): Promise<WireEvent[]> {
  const ids = events.flatMap(({ subjects }) => subjects.flatMap(id => parseId('qr', id) ?? []));
  const names = await findCodeNames(db, log, ids);
  const findName = (id: string) => {
    const code = parseId('qr', id);
    return (code && names.get(code)) ?? null;
  };
  return events.map(event => ({
    cursor: formatCursor(event.number),
    id: event.id,
    at: event.at.toISOString(),
    action: event.action,
    actor: presentActor(event),
    request_id: event.requestId,
    subjects: event.subjects.map(id => ({ id, name: findName(id) })),
    fields: [...(event.detail.fields ?? [])],
    hosts: [...(event.detail.hosts ?? [])],
    count: event.detail.count ?? null,
  }));
}

const presentActor = ({ actorKind: kind, actorId, actorName: name }: StoredEvent): WireEvent['actor'] => ({
  kind,
  id: actorId && formatId(kind === 'key' ? 'key' : 'user', actorId),
  name,
});
