import type { Config } from '../config/config.ts';
import type { StoredLogo } from '../designs/assets/asset.ts';
import type { App } from '../http/app.ts';
import type { Routes } from '../http/routes.ts';
import type { ClientAddress } from '../kernel/addresses/client-address.ts';
import type { LinkNames } from '../kernel/addresses/link-names.ts';
import type { Clock } from '../kernel/clock.ts';
import { parseId, type Uuid } from '../kernel/ids.ts';
import type { Lifecycle } from '../kernel/running/lifecycle.ts';
import type { Share } from '../limits/shares/share.ts';
import { createWeightedWindows } from '../limits/weighted-windows.ts';
import type { Logger } from '../platform/logger.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import { createDownloads, type DesignSource } from './download.ts';
import { createDrawing, type Drawing } from './drawing.ts';
import { createRenderer, drawImage } from './renderer.ts';
import { addImageRoutes, type FindLogo } from './routes.ts';
import { addSheetRoutes } from './sheet-routes.ts';

type Parts = {
  readonly app: App;
  readonly routes: Routes;
  readonly linkNames: LinkNames;
  readonly config: Config;
  readonly db: Database;
  readonly clientAddress: ClientAddress;
  readonly windowMs: number;
  readonly clock: Clock;
  readonly exports: Share;
  readonly drawingTurns: Share;
};

type DrawingParts = { readonly drawingTurns: Share; readonly logger: Logger; readonly lifecycle: Lifecycle };

/** Threads that draw: images, sheets, and proofs of styles. */
export function openDrawing({ drawingTurns, logger, lifecycle }: DrawingParts): Drawing {
  const onThreadError = (error: unknown) => logger.warn({ err: error }, 'drawing thread failed');
  const drawing = createDrawing({ turns: drawingTurns, onThreadError });
  lifecycle.defer('drawing', () => drawing.close());
  return drawing;
}

type Sources = {
  readonly codes: Parameters<typeof addImageRoutes>[2]['codes'] &
    Parameters<typeof addSheetRoutes>[1]['codes'];
  readonly designs: DesignSource;
  readonly findLogo: (db: Database, id: Uuid) => Promise<StoredLogo | null>;
  readonly drawing: Drawing;
};

/** Images of codes: downloads for owners, one by one or many in a file, and the public image. */
export function registerImages(
  { app, routes, config, linkNames, db, clientAddress, windowMs, clock, exports, drawingTurns }: Parts,
  { codes, designs, findLogo: findAsset, drawing }: Sources,
): void {
  const renderer = createRenderer({
    cacheBytes: config.imageCacheMb * 1024 * 1024,
    turns: drawingTurns,
    draw: drawImage(image => drawing.draw(image)),
  });
  const findLogo: FindLogo = async (on, { logo }) => {
    const id = logo && parseId('ast', logo.asset_id);
    return (id && (await findAsset(on, id))) || undefined;
  };
  const downloads = createDownloads({ designs, findLogo, linkNames });
  addImageRoutes(app, routes, {
    db,
    codes,
    renderer,
    findLogo,
    downloads,
    linkNames,
    clientAddress,
    publicRenders: createWeightedWindows({ windowMs, maxKeys: 100_000 }),
    publicImagesPerMinute: config.publicImagesPerMinute,
  });
  addSheetRoutes(routes, {
    codes,
    designs,
    downloads,
    findLogo,
    renderer,
    drawing,
    exports,
    linkNames,
    clock,
  });
}
