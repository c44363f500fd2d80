import type { Config } from '../config.ts';

/** Pools whose size nobody has to choose. */
export const ownPools = {
  /** Enough for the few questions of sign-in; the dashboard's own go by the pool of the API. */
  'sign-in': 4,
  /** Of their own, so that previews take none from scans. */
  previews: 2,
  clock: 1,
  /** One, and a second while the first has no answer. */
  probe: 2,
} as const;

/** The most connections to PostgreSQL that a process of each role has. */
export function connectionsByRole({
  databasePoolSize,
  authSecret,
}: Pick<Config, 'databasePoolSize' | 'authSecret'>) {
  const { clock, previews, probe } = ownPools;
  const api = databasePoolSize + (authSecret === '' ? 0 : ownPools['sign-in']);
  const redirect = databasePoolSize + previews + probe;
  const [ingest, deliver] = [databasePoolSize, databasePoolSize];
  return {
    api: api + clock,
    redirect: redirect + clock,
    ingest: ingest + clock,
    deliver: deliver + clock,
    all: api + redirect + ingest + deliver + clock,
  };
}
