import type { Config } from '../config.ts';
import type { ServerRole } from './server.ts';

/** Pools whose size nobody has to choose. */
export const ownPools = {
  /** Enough for the few questions of sign-in; the dashboard's own go by the pool of the API. */
  'sign-in': 4,
  /** Of their own, so that whoever only looks where a code leads takes none from scans. */
  previews: 2,
  clock: 1,
  /** One, and a second while the first has no answer. */
  probe: 2,
} as const;

/** The most connections to PostgreSQL that a process of a role has, by pool. */
export function poolSizes(
  role: ServerRole,
  { databasePoolSize, authSecret }: Pick<Config, 'databasePoolSize' | 'authSecret'>,
): Readonly<Record<string, number>> {
  const { clock, previews, probe } = ownPools;
  const signIn = authSecret === '' ? 0 : ownPools['sign-in'];
  const of = {
    api: { api: databasePoolSize, 'sign-in': signIn },
    redirect: { redirect: databasePoolSize, previews, probe },
    ingest: { ingest: databasePoolSize },
    deliver: { deliver: databasePoolSize },
  };
  if (role === 'all') return { ...of.api, ...of.redirect, ...of.ingest, ...of.deliver, clock };
  return { ...of[role], clock };
}

export const connectionsOf = (role: ServerRole, config: Parameters<typeof poolSizes>[1]): number =>
  Object.values(poolSizes(role, config)).reduce((sum, size) => sum + size, 0);
