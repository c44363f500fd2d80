import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { refuseReleased } from '../../accounts/account.ts';
import type { Caller } from '../../kernel/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import { formatId, type Ids, type Uuid } from '../../kernel/ids.ts';
import type { BackgroundJob } from '../../platform/background-jobs.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import { type Asset, assetLimits, type StoredLogo } from './asset.ts';
import type { AcceptedPicture, PictureIntake } from './picture-intake.ts';
import * as store from './store.ts';

type Parts = { readonly ids: Ids; readonly clock: Clock; readonly intake: PictureIntake };

/** Decoded, with the digest of what was sent; or the asset itself if the account has it already. */
export type PreparedAsset =
  | { readonly known: Asset }
  | { readonly digest: Buffer; readonly picture: AcceptedPicture };

export type Assets = ReturnType<typeof createAssets>;

const hourMs = 3_600_000;

export function createAssets({ ids, clock, intake }: Parts) {
  const logos = new LRUCache<Uuid, StoredLogo>({
    maxSize: 16 * 1024 * 1024,
    sizeCalculation: ({ png, vector }) => png.length + (vector?.length ?? 0) + 1,
  });

  async function findLogo(db: Database, id: Uuid): Promise<StoredLogo | null> {
    const cached = logos.get(id);
    if (cached) return cached;
    const found = await store.findLogo(db, id);
    if (!found) return null;
    const logo = { ...found, png: inSharedMemory(found.png) };
    logos.set(id, logo);
    return logo;
  }

  return {
    /** Decodes a picture, unless the account has it already. */
    async prepare(
      db: Database,
      caller: Caller,
      sent: { readonly image: string; readonly vector: string | null; readonly signal: AbortSignal },
    ): Promise<PreparedAsset> {
      const { image, vector, signal } = sent;
      const bytes = Buffer.from(image, 'base64');
      if (bytes.length > assetLimits.imageBytes)
        throw new AppError('invalid_asset', 'The picture is larger than 512 KiB.', { param: 'image' });
      const digest = createHash('sha256')
        .update(bytes)
        .update('\0')
        .update(vector ?? '')
        .digest();
      const known = await store.findByDigest(db, caller, digest);
      if (known) return { known };
      const prefix = `a${digest.toString('hex', 0, 6)}-`;
      const picture = await intake.accept(caller.accountId, { image: bytes, vector, prefix }, signal);
      return { digest, picture };
    },

    async create(db: Database, caller: Caller, prepared: PreparedAsset): Promise<Asset> {
      if ('known' in prepared) return prepared.known;
      await refuseReleased(db, caller);
      const { digest, picture } = prepared;
      const asset = { ...picture, id: ids.next(), digest, createdAt: clock.now() };
      const outcome = await store.insertAsset(db, caller, asset);
      if (!('limit' in outcome)) return outcome;
      throw new AppError(
        'quota_exceeded',
        `The logos of your account take ${outcome.used} of ${outcome.limit} bytes, with those that were deleted in the last hour. Delete some that you do not use, and try again after an hour.`,
        { limit: outcome.limit, used: outcome.used },
      );
    },

    list: (db: Database, caller: Caller): Promise<Asset[]> => store.listAssets(db, caller),

    async get(db: Database, caller: Caller, id: Uuid | null): Promise<Asset> {
      return (id && (await store.findAsset(db, caller, id))) || notFound();
    },

    /** The picture of one's own asset. */
    async picture(db: Database, caller: Caller, id: Uuid | null): Promise<StoredLogo> {
      const asset = id && (await store.findAsset(db, caller, id));
      return (asset && (await findLogo(db, asset.id))) || notFound();
    },

    /** Whether the caller may use it as a logo. */
    async isOwn(db: Database, caller: Caller, id: Uuid): Promise<boolean> {
      return (await store.findAsset(db, caller, id)) !== null;
    },

    findLogo,

    async delete(db: Database, caller: Caller, id: Uuid | null): Promise<void> {
      const asset = (id && (await store.findAsset(db, caller, id))) || notFound();
      if (await store.isUsed(db, formatId('ast', asset.id)))
        throw new AppError('asset_in_use', 'A QR code or a design uses this logo. Delete those first.');
      if (!(await store.markDeleted(db, caller, asset.id, clock.now()))) notFound();
    },

    /** Deletes for good what was deleted an hour ago and is still used by nothing. */
    purgeJob(db: Database): BackgroundJob {
      return {
        name: 'purge deleted assets',
        everyMs: hourMs / 12,
        async run() {
          const before = new Date(clock.now().getTime() - hourMs);
          const found = await store.findDeleted(db, before);
          for (const id of found) await store.purge(db, id, formatId('ast', id), before);
          return found.length === 100;
        },
      };
    },
  };
}

/** Threads that draw with a logo read it where it is: a copy for each image would keep the garbage collector busy. */
function inSharedMemory(bytes: Uint8Array): Uint8Array {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}

function notFound(): never {
  throw new AppError('not_found', 'No asset has this id.');
}
