import type { Config } from '../config/config.ts';
import type { Routes } from '../http/routes.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import { addDesignRoutes } from './routes.ts';
import { createDesigns } from './service.ts';
import { createStyles, type LogoSource, type Prover } from './styles.ts';

type Parts = {
  readonly routes: Routes;
  readonly config: Config;
  readonly ids: Ids;
  readonly clock: Clock;
};

/** Saved designs, and the proof that codes in a style can be read. */
export function registerDesigns({ routes, config, ids, clock }: Parts, logos: LogoSource, prover: Prover) {
  const styles = createStyles({ logos, prover, shortBaseUrl: config.shortBaseUrl });
  const designs = createDesigns({ ids, clock, styles });
  addDesignRoutes(routes, designs);
  return { styles, designs };
}
