import type { Config } from '../config/config.ts';
import type { App } from '../http/app.ts';
import type { Routes } from '../http/routes.ts';
import type { ClientAddress } from '../kernel/client-address.ts';
import { createWeightedWindows } from '../limits/weighted-windows.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Database } from '../platform/postgres.ts';
import { createRenderer } from './renderer.ts';
import { addImageRoutes } from './routes.ts';

type Parts = {
  readonly app: App;
  readonly routes: Routes;
  readonly config: Config;
  readonly db: Database;
  readonly metrics: Pick<Metrics, 'imagesShed'>;
  readonly clientAddress: ClientAddress;
  readonly windowMs: number;
};

/** Images of codes: downloads for owners, and the public image. */
export function registerImages(
  { app, routes, config, db, metrics, clientAddress, windowMs }: Parts,
  codes: Parameters<typeof addImageRoutes>[2]['codes'],
): void {
  const renderer = createRenderer({
    cacheBytes: config.imageCacheMb * 1024 * 1024,
    maxWaiting: 200,
    onShed: () => metrics.imagesShed.inc(),
  });
  addImageRoutes(app, routes, {
    db,
    codes,
    renderer,
    shortBaseUrl: config.shortBaseUrl,
    clientAddress,
    publicRenders: createWeightedWindows({ windowMs, maxKeys: 100_000 }),
    publicImagesPerMinute: config.publicImagesPerMinute,
  });
}
