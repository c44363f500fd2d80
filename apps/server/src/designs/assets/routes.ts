import { operations, type Asset as WireAsset } from '@signpost/contract';
import { disconnectSignal } from '../../http/connections/client-disconnect.ts';
import type { Routes } from '../../http/routes.ts';
import { AppError } from '../../kernel/errors.ts';
import { formatId, parseId } from '../../kernel/ids.ts';
import type { Asset } from './asset.ts';
import type { Assets, PreparedAsset } from './service.ts';

/** The endpoints of logos. Wire names are mapped here and nowhere else. */
export function addAssetRoutes(routes: Routes, assets: Assets): void {
  routes.add(
    operations.createAsset,
    async ({ db, caller }, prepared: PreparedAsset) => present(await assets.create(db, caller, prepared)),
    {
      prepare: ({ db, caller, body: { image, vector = null }, raw }) =>
        assets.prepare(db, caller, { image, vector, signal: disconnectSignal(raw.reply) }),
    },
  );

  routes.add(operations.listAssets, async ({ db, caller }) => ({
    data: (await assets.list(db, caller)).map(present),
  }));

  routes.add(operations.getAsset, async ({ db, caller, params }) =>
    present(await assets.get(db, caller, parseId('ast', params.id))),
  );

  routes.addFile(operations.downloadAsset, async ({ db, caller, params, query }) => {
    const { png, vector } = await assets.picture(db, caller, parseId('ast', params.id));
    const isSvg = query.format === 'svg';
    if (isSvg && vector === null)
      throw new AppError('invalid_request', 'This asset has no SVG. Ask for png.', { param: 'format' });
    return {
      // An asset never changes.
      etag: `"${params.id}-${isSvg ? 'svg' : 'png'}"`,
      type: isSvg ? 'image/svg+xml; charset=utf-8' : 'image/png',
      headers: {
        'cache-control': 'private, max-age=3600',
        vary: 'Authorization',
        'content-disposition': `attachment; filename="${params.id}.${isSvg ? 'svg' : 'png'}"`,
        ...(isSvg ? { 'content-security-policy': "default-src 'none'; sandbox" } : {}),
      },
      content: async () => (isSvg ? Buffer.from(vector!) : png),
    };
  });

  routes.add(operations.deleteAsset, async ({ db, caller, params }) => {
    await assets.delete(db, caller, parseId('ast', params.id));
    return { deleted: true as const, id: params.id };
  });
}

const present = (asset: Asset): WireAsset => ({
  id: formatId('ast', asset.id),
  width: asset.width,
  height: asset.height,
  bytes: asset.bytes,
  has_vector: asset.hasVector,
  created_at: asset.createdAt.toISOString(),
});
