import type { Uuid } from '../../../kernel/ids.ts';
import { type Database, sql } from '../../../platform/postgres/postgres.ts';
import type { SavedView, ViewOwner } from './view.ts';

/** `full` where the person has as many as the limit allows. One at a time a person, so that the limit holds. */
export function insertView(
  db: Database,
  owner: ViewOwner,
  { id, name, query, createdAt }: SavedView & { readonly createdAt: Date },
  limit: number,
): Promise<'inserted' | 'full' | 'removed'> {
  const { userId, accountId, mode } = owner;
  return db.transaction(async tx => {
    // Removed from the account since the request was let in.
    if ((await tx.query(lockMember, [userId, accountId])).length === 0) return 'removed';
    const [row] = await tx.query<{ count: number }>(count, [userId, accountId, mode]);
    if (row!.count >= limit) return 'full';
    await tx.query(insert, [id, userId, accountId, mode, name, query, createdAt]);
    return 'inserted';
  });
}

export function listViews(db: Database, { userId, accountId, mode }: ViewOwner): Promise<SavedView[]> {
  return db.query<SavedView>(list, [userId, accountId, mode]);
}

/** Null where the person has no such view. */
export async function updateView(
  db: Database,
  { userId, accountId, mode }: ViewOwner,
  id: Uuid,
  { name, query }: { readonly name?: string | undefined; readonly query?: string | undefined },
): Promise<SavedView | null> {
  const values = [id, userId, accountId, mode, name ?? null, query ?? null];
  const [row] = await db.query<SavedView>(update, values);
  return row ?? null;
}

export async function deleteView(db: Database, owner: ViewOwner, id: Uuid): Promise<boolean> {
  const { userId, accountId, mode } = owner;
  return (await db.query(remove, [id, userId, accountId, mode])).length > 0;
}

const lockMember = sql(
  'lock-member-for-views',
  'select from members where user_id = $1 and account_id = $2 for update',
);

const count = sql(
  'count-views',
  'select count(*) as count from saved_views where user_id = $1 and account_id = $2 and mode = $3',
);

const insert = sql(
  'insert-view',
  `insert into saved_views (id, user_id, account_id, mode, name, query, created_at)
   values ($1, $2, $3, $4, $5, $6, $7)`,
);

const list = sql(
  'list-views',
  `select id, name, query from saved_views where user_id = $1 and account_id = $2 and mode = $3
    order by created_at, id`,
);

const update = sql(
  'update-view',
  `update saved_views set name = coalesce($5, name), query = coalesce($6, query)
    where id = $1 and user_id = $2 and account_id = $3 and mode = $4
   returning id, name, query`,
);

const remove = sql(
  'delete-view',
  'delete from saved_views where id = $1 and user_id = $2 and account_id = $3 and mode = $4 returning id',
);
