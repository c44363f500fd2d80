import type { Caller } from '../../kernel/caller.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { type Database, sql } from '../../platform/postgres/postgres.ts';
import type { Asset, StoredLogo } from './asset.ts';
import type { AcceptedPicture } from './picture-intake.ts';

type Owner = Pick<Caller, 'accountId' | 'mode'>;

export type NewAsset = AcceptedPicture & {
  readonly id: Uuid;
  readonly digest: Buffer;
  readonly createdAt: Date;
};

/** The asset with the same digest, unless it is deleted. */
export async function findByDigest(db: Database, owner: Owner, digest: Buffer): Promise<Asset | null> {
  const [row] = await db.query<AssetRow>(findDigest, [owner.accountId, owner.mode, digest]);
  return row ? toAsset(row) : null;
}

/**
 * Stores the asset, or restores the deleted one with its digest. Without room for it, returns how much the account has. Runs one
 * at a time per account, and deleted assets count until they are purged, so that the limit holds for what is stored.
 */
export function insertAsset(
  db: Database,
  owner: Owner,
  asset: NewAsset,
): Promise<Asset | { readonly limit: number; readonly used: number }> {
  return db.transaction(async tx => {
    const [room] = await tx.query<{ limit: string | null }>(lockRoom, [owner.accountId]);
    const limit = room?.limit === null || room === undefined ? null : Number(room.limit);
    const [counted] = await tx.query<{ used: string; others: string }>(countBytes, [
      owner.accountId,
      owner.mode,
      asset.digest,
    ]);
    const bytes = asset.png.length + Buffer.byteLength(asset.vector ?? '');
    if (limit !== null && Number(counted!.others) + bytes > limit)
      return { limit, used: Number(counted!.used) };
    const [row] = await tx.query<AssetRow>(insert, [
      asset.id,
      owner.accountId,
      owner.mode,
      asset.digest,
      asset.width,
      asset.height,
      Buffer.from(asset.png.buffer, asset.png.byteOffset, asset.png.byteLength),
      asset.vector,
      asset.createdAt,
    ]);
    return toAsset(row!);
  });
}

/** Copies a picture to another account. Returns false if there is no room for it. */
export async function copyAsset(
  tx: Database,
  { id, accountId, mode }: Owner & { readonly id: Uuid },
  copy: { readonly id: Uuid; readonly to: Uuid },
): Promise<boolean> {
  await tx.query(lockRoom, [copy.to]);
  return (await tx.query(copyPicture, [id, accountId, mode, copy.id, copy.to])).length > 0;
}

export async function listAssets(db: Database, owner: Owner): Promise<Asset[]> {
  return (await db.query<AssetRow>(list, [owner.accountId, owner.mode])).map(toAsset);
}

export async function findAsset(db: Database, owner: Owner, id: Uuid): Promise<Asset | null> {
  const [row] = await db.query<AssetRow>(find, [id, owner.accountId, owner.mode]);
  return row ? toAsset(row) : null;
}

/** Of any account, deleted or not: whoever asks has found it in the style of a code. */
export async function findLogo(db: Database, id: Uuid): Promise<StoredLogo | null> {
  const [row] = await db.query<{ id: Uuid; png: Buffer; vector: string | null }>(findPicture, [id]);
  return row ?? null;
}

export async function isUsed(db: Database, reference: string): Promise<boolean> {
  const [row] = await db.query<{ used: boolean }>(findUse, [reference]);
  return row!.used;
}

export async function markDeleted(db: Database, owner: Owner, id: Uuid, now: Date): Promise<boolean> {
  return (await db.query(remove, [id, owner.accountId, owner.mode, now])).length > 0;
}

/** Some of the assets that were deleted before a time. */
export async function findDeleted(db: Database, before: Date): Promise<Uuid[]> {
  return (await db.query<{ id: Uuid }>(selectDeleted, [before])).map(row => row.id);
}

/**
 * Removes an asset for good if it is still deleted, since before that time, and nothing uses it. One that a code was created with
 * meanwhile is restored.
 */
export async function purge(db: Database, id: Uuid, reference: string, before: Date): Promise<void> {
  const purged = await db.query(purgeUnused, [id, before, reference]);
  if (purged.length === 0) await db.query(restoreUsed, [id, before, reference]);
}

export async function deleteAccountAssets(db: Database, accountId: Uuid): Promise<void> {
  await db.query(deleteAll, [accountId]);
}

type AssetRow = {
  id: Uuid;
  width: number;
  height: number;
  bytes: number;
  has_vector: boolean;
  created_at: Date;
};

const toAsset = (row: AssetRow): Asset => ({
  id: row.id,
  width: row.width,
  height: row.height,
  bytes: Number(row.bytes),
  hasVector: row.has_vector,
  createdAt: row.created_at,
});

const columns = `id, width, height, length(png) + coalesce(octet_length(vector), 0) as bytes,
  vector is not null as has_vector, created_at`;

const findDigest = sql(
  'find-asset-by-digest',
  `select ${columns} from assets where account_id = $1 and mode = $2 and digest = $3 and deleted_at is null`,
);

const lockRoom = sql(
  'lock-room-for-assets',
  `select p.asset_bytes as limit from accounts a join plans p on p.name = a.plan
    where a.id = $1 for no key update of a`,
);

const countBytes = sql(
  'count-asset-bytes',
  `select coalesce(sum(bytes), 0) as used, coalesce(sum(bytes) filter (where digest <> $3), 0) as others
     from (select digest, length(png) + coalesce(octet_length(vector), 0) as bytes
             from assets where account_id = $1 and mode = $2) as stored`,
);

const insert = sql(
  'insert-asset',
  `insert into assets (id, account_id, mode, digest, width, height, png, vector, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
   on conflict (account_id, mode, digest) do update set deleted_at = null
   returning ${columns}`,
);

const copyPicture = sql(
  'copy-asset',
  `insert into assets (id, account_id, mode, digest, width, height, png, vector, created_at)
   select $4, $5, s.mode, s.digest, s.width, s.height, s.png, s.vector, s.created_at
     from assets s
    where s.id = $1 and s.account_id = $2 and s.mode = $3
      and coalesce(
        (select coalesce(sum(length(o.png) + coalesce(octet_length(o.vector), 0)), 0) from assets o
          where o.account_id = $5 and o.mode = $3) + length(s.png) + coalesce(octet_length(s.vector), 0)
        <= (select p.asset_bytes from accounts a join plans p on p.name = a.plan where a.id = $5), true)
   returning id`,
);

const list = sql(
  'list-assets',
  `select ${columns} from assets where account_id = $1 and mode = $2 and deleted_at is null
    order by created_at desc, id desc limit 500`,
);

const find = sql(
  'find-asset',
  `select ${columns} from assets where id = $1 and account_id = $2 and mode = $3 and deleted_at is null`,
);

const findPicture = sql('find-asset-picture', 'select id, png, vector from assets where id = $1');

const isUsedBy = (reference: string) =>
  `(exists (select from qr_codes where style ? 'logo' and style -> 'logo' ->> 'asset_id' = ${reference})
    or exists (select from designs where style ? 'logo' and style -> 'logo' ->> 'asset_id' = ${reference}))`;

const findUse = sql('find-asset-use', `select ${isUsedBy('$1')} as used`);

const remove = sql(
  'delete-asset',
  `update assets set deleted_at = $4
    where id = $1 and account_id = $2 and mode = $3 and deleted_at is null returning id`,
);

const selectDeleted = sql('find-deleted-assets', 'select id from assets where deleted_at < $1 limit 100');
const purgeUnused = sql(
  'purge-asset',
  `delete from assets where id = $1 and deleted_at < $2 and not ${isUsedBy('$3')} returning id`,
);

const restoreUsed = sql(
  'restore-asset',
  `update assets set deleted_at = null where id = $1 and deleted_at < $2 and ${isUsedBy('$3')}`,
);

const deleteAll = sql('delete-assets-of', 'delete from assets where account_id = $1');
