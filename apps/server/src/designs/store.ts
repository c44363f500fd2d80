import type { Frame } from '@signpost/contract';
import type { Style } from '@signpost/qr';
import type { Caller } from '../kernel/caller.ts';
import type { Uuid } from '../kernel/ids.ts';
import { type Database, sql } from '../platform/postgres/postgres.ts';
import type { Design } from './design.ts';

type Owner = Pick<Caller, 'accountId' | 'mode'>;

/** Null, or the number of designs where the limit is reached. One at a time an account, so that limits hold. */
export function insertDesign(
  db: Database,
  owner: Owner,
  design: Design,
  limit: number,
): Promise<number | null> {
  return db.transaction(async tx => {
    await tx.query(lockAccount, [owner.accountId]);
    const [row] = await tx.query<{ count: number }>(countDesigns, [owner.accountId, owner.mode]);
    if (row!.count >= limit) return row!.count;
    if (design.isDefault) await tx.query(clearDefault, [owner.accountId, owner.mode]);
    await tx.query(insert, [
      design.id,
      owner.accountId,
      owner.mode,
      design.name,
      JSON.stringify(design.style),
      design.frame && JSON.stringify(design.frame),
      design.isDefault,
      design.createdAt,
    ]);
    return null;
  });
}

export async function listDesigns(db: Database, owner: Owner): Promise<Design[]> {
  return (await db.query<DesignRow>(list, [owner.accountId, owner.mode])).map(toDesign);
}

export async function findDesigns(db: Database, owner: Owner, ids: readonly Uuid[]): Promise<Design[]> {
  return (await db.query<DesignRow>(find, [ids, owner.accountId, owner.mode])).map(toDesign);
}

/** Reads a design under a lock and writes what `change` makes of it. */
export function updateDesign(
  db: Database,
  owner: Owner,
  id: Uuid,
  change: (design: Design) => Design,
): Promise<Design | null> {
  return db.transaction(async tx => {
    await tx.query(lockAccount, [owner.accountId]);
    const [found] = await findDesigns(tx, owner, [id]);
    if (!found) return null;
    const changed = change(found);
    if (changed.isDefault && !found.isDefault) await tx.query(clearDefault, [owner.accountId, owner.mode]);
    await tx.query(update, [
      id,
      changed.name,
      JSON.stringify(changed.style),
      changed.frame && JSON.stringify(changed.frame),
      changed.isDefault,
      changed.updatedAt,
    ]);
    return changed;
  });
}

export async function deleteDesign(db: Database, owner: Owner, id: Uuid): Promise<boolean> {
  return (await db.query(remove, [id, owner.accountId, owner.mode])).length > 0;
}

export async function deleteAccountDesigns(db: Database, accountId: Uuid): Promise<void> {
  await db.query(removeAll, [accountId]);
}

type DesignRow = {
  id: Uuid;
  name: string;
  style: Style;
  frame: Frame | null;
  is_default: boolean;
  created_at: Date;
  updated_at: Date;
};

const toDesign = (row: DesignRow): Design => ({
  id: row.id,
  name: row.name,
  style: row.style,
  frame: row.frame,
  isDefault: row.is_default,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const columns = 'id, name, style, frame, is_default, created_at, updated_at';

const lockAccount = sql(
  'lock-account-for-designs',
  'select id from accounts where id = $1 for no key update',
);
const countDesigns = sql(
  'count-designs',
  'select count(*)::integer as count from designs where account_id = $1 and mode = $2',
);
const clearDefault = sql(
  'clear-default-design',
  'update designs set is_default = false where account_id = $1 and mode = $2 and is_default',
);
const insert = sql(
  'insert-design',
  `insert into designs (id, account_id, mode, name, style, frame, is_default, created_at, updated_at)
   values ($1, $2, $3, $4, $5::jsonb, $6::jsonb, $7, $8, $8)`,
);
const list = sql(
  'list-designs',
  `select ${columns} from designs where account_id = $1 and mode = $2 order by created_at, id`,
);
const find = sql(
  'find-designs',
  `select ${columns} from designs where id = any($1::uuid[]) and account_id = $2 and mode = $3`,
);
const update = sql(
  'update-design',
  `update designs set name = $2, style = $3::jsonb, frame = $4::jsonb, is_default = $5, updated_at = $6 where id = $1`,
);
const remove = sql(
  'delete-design',
  'delete from designs where id = $1 and account_id = $2 and mode = $3 returning id',
);
const removeAll = sql('delete-designs-of', 'delete from designs where account_id = $1');
