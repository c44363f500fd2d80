import { lazy, Suspense } from 'react';
import { useMe } from './me.ts';

/** Few ever see it, so it is loaded for them alone. */
const Banner = lazy(() =>
  import('../appeals/account-banner.tsx').then(module => ({ default: module.AccountBanner })),
);

/** Stands on every page of an account that is suspended. */
export function SuspendedAccount() {
  const suspension = useMe().account?.suspension;
  return suspension ? (
    <Suspense>
      <Banner suspension={suspension} />
    </Suspense>
  ) : null;
}
