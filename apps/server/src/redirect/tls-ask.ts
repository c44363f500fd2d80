import { createSlidingWindows } from '../limits/sliding-windows.ts';
import type { Hosts } from './hosts.ts';

/** Whether a proxy may get, or load, a certificate for a name: 200, or 404; 429 for too many names that nobody knows. */
export type TlsAsk = (name: string) => Promise<200 | 404 | 429>;

/** Anybody can make a proxy ask, by connecting to it with any name. Known names have no limit. */
const unknownPerSecond = 50;

/** Answers from memory, also while PostgreSQL is away: proxies ask again for certificates that they have. */
export function createTlsAsk(hosts: Hosts): TlsAsk {
  const windows = createSlidingWindows({ windowMs: 1000, maxKeys: 1 });
  const isServed = (name: string): boolean | null => {
    const host = hosts.find(name);
    if (host === 'unknown') return null;
    return host === 'ours' || host.isActive;
  };
  return async name => {
    let served = isServed(name);
    if (served === null) {
      if (!windows.take('unknown', unknownPerSecond).allowed) return 429;
      // A domain may have been added a moment ago.
      if (!hosts.isCertain(name)) await hosts.confirm();
      served = isServed(name);
    }
    return served ? 200 : 404;
  };
}
