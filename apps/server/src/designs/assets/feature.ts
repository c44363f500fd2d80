import type { Routes } from '../../http/routes.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { Lifecycle } from '../../kernel/running/lifecycle.ts';
import { runService } from '../../kernel/running/run-service.ts';
import type { Share } from '../../limits/shares/share.ts';
import { createBackgroundJobs } from '../../platform/background-jobs.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import { createPictureIntake } from './picture-intake.ts';
import { addAssetRoutes } from './routes.ts';
import { createAssets } from './service.ts';

type Parts = {
  readonly routes: Routes;
  readonly db: Database;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
  readonly logoTurns: Share;
};

/** Logos: taken in, kept and handed out. */
export function registerAssets({ routes, db, ids, clock, logger, lifecycle, logoTurns }: Parts) {
  const onThreadError = (error: unknown) => logger.warn({ err: error }, 'thread that decodes logos failed');
  const intake = createPictureIntake({ turns: logoTurns, onThreadError });
  lifecycle.defer('picture intake', () => intake.close());
  const assets = createAssets({ ids, clock, intake });
  addAssetRoutes(routes, assets);
  runService(lifecycle, 'jobs of assets', createBackgroundJobs(logger, [assets.purgeJob(db)]));
  return assets;
}
