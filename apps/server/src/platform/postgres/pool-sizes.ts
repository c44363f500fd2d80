import type { Config } from '../../config/config.ts';

/** Pools whose size is not a setting. */
export const ownPools = {
  /** Enough for the few queries of sign-in; the rest of the dashboard uses the pool of the API. */
  'sign-in': 4,
  /** A pool of their own, so that previews take no connection from scans. */
  previews: 2,
  /** So that no query about scans takes a connection from anything else. Some are left to exports. */
  analytics: 5,
  /** For the sums of a month that is removed. */
  sums: 1,
  /** To end a query about scans. */
  cancelling: 1,
  clock: 1,
  /** One, and a second while the first waits for its answer. */
  probe: 2,
} as const;

/** The most connections to PostgreSQL that a process of each role has. */
export function connectionsByRole({
  databasePoolSize,
  authSecret,
  clickhouseUrl,
}: Pick<Config, 'databasePoolSize' | 'authSecret' | 'clickhouseUrl'>) {
  const { clock, previews, probe, analytics, sums, cancelling } = ownPools;
  const forScans = clickhouseUrl === '' ? analytics + cancelling : 0;
  const api = databasePoolSize + (authSecret === '' ? 0 : ownPools['sign-in']) + forScans;
  const redirect = databasePoolSize + previews + probe;
  const ingest = databasePoolSize + (clickhouseUrl === '' ? sums + cancelling : 0);
  const deliver = databasePoolSize;
  return {
    api: api + clock,
    redirect: redirect + clock,
    ingest: ingest + clock,
    deliver: deliver + clock,
    all: api + redirect + ingest + deliver + clock,
    /** And the connection that holds its lock. */
    solo: api + redirect + ingest + deliver + clock + 1,
  };
}
