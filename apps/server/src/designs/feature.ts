import type { Routes } from '../http/routes.ts';
import type { LinkNames } from '../kernel/addresses/link-names.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import { addDesignRoutes } from './routes.ts';
import { createDesigns } from './service.ts';
import { createStyles, type LogoSource, type Prover } from './styles.ts';

type Parts = {
  readonly routes: Routes;
  readonly linkNames: LinkNames;
  readonly ids: Ids;
  readonly clock: Clock;
};

/** Saved designs, and the check that codes in a style can be read. */
export function registerDesigns({ routes, linkNames, ids, clock }: Parts, logos: LogoSource, prover: Prover) {
  const styles = createStyles({ logos, prover, linkNames });
  const designs = createDesigns({ ids, clock, styles });
  addDesignRoutes(routes, designs);
  return { styles, designs };
}
