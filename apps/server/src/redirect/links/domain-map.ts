import { parseHost, toLocation } from '../../kernel/addresses/location.ts';
import type { Uuid } from '../../kernel/ids.ts';
import type { StoredDomain } from '../changes/stops/stop.ts';

/** What redirects know of a host that is or was a domain. Each change of it is a new object. */
export type MappedDomain = {
  readonly host: string;
  readonly accountId: Uuid;
  /** Of its codes. */
  readonly keySpace: string;
  /** False: it was released, and none of its links is served. */
  readonly isActive: boolean;
  /** Where the bare host leads. */
  readonly root: DomainTarget | null;
  /** Where links lead that do not exist. */
  readonly notFound: DomainTarget | null;
};

/** A URL as the Location header carries it, and its host in the form that blocked hosts are stored in. */
export type DomainTarget = { readonly location: string; readonly host: string };

/** Every host that is or was a domain, in memory. */
export type DomainMap = {
  find(host: string): MappedDomain | undefined;
  readonly size: number;
};

export type WritableDomainMap = DomainMap & {
  set(name: string, domain: StoredDomain): void;
  clear(): void;
};

export function createDomainMap(): WritableDomainMap {
  const domains = new Map<string, MappedDomain>();
  return {
    find: host => domains.get(host),
    get size() {
      return domains.size;
    },
    set(name, { account, space, active, root, notFound }) {
      // A name that was cut from a longer text is compared five times slower: V8 keeps it as a part of that text.
      const host = Buffer.from(name).toString('latin1');
      domains.set(host, {
        host,
        accountId: account,
        keySpace: space,
        isActive: active,
        root: toTarget(root),
        notFound: toTarget(notFound),
      });
    },
    clear: () => domains.clear(),
  };
}

function toTarget(url: string | null): DomainTarget | null {
  if (url === null) return null;
  const location = toLocation(url);
  return { location, host: parseHost(location) };
}
