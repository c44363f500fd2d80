import { parseHostHeader } from '../kernel/addresses/hosts.ts';
import type { DomainMap, MappedDomain } from './links/domain-map.ts';

/** Whom a request asks: the service, a domain of an account, or a host that nobody has named. */
export type RequestedHost = MappedDomain | 'ours' | 'unknown';

/** What the Host header of a request means. */
export type Hosts = {
  find(header: string | undefined): RequestedHost;
  /** Whether every change of domains is known that was confirmed before this call and can be about this host. */
  isCertain(header: string | undefined): boolean;
  /** Resolves when every change is known that was committed before the call; to false where PostgreSQL does not answer. */
  confirm(): Promise<boolean>;
};

type Options = {
  /** Addresses of the service, and host names alone. */
  readonly own: readonly string[];
  readonly domains: DomainMap;
  readonly trust: { isGood(): boolean; readonly epoch: number };
  /** Rejects where PostgreSQL does not answer in time. */
  readonly catchUp: () => Promise<void>;
};

/** An address, or a name without a dot, is never a domain: load balancers and probes ask by those. */
const domainName = /\.[^.]*[a-z][^.]*$/;
/** Before anything was confirmed. */
const noEpoch = -1;

/**
 * Domains are known from memory under a lease, as links are: once they were read in its epoch, no change of them is missed.
 * At other times each request for a host that is not the service's begins with reading how far they are.
 */
export function createHosts({ own, domains, trust, catchUp }: Options): Hosts {
  const ours = new Set(own.flatMap(listSpellings));
  let confirmedEpoch = noEpoch;
  let running: Promise<boolean> | null = null;
  let next: Promise<boolean> | null = null;

  async function confirmOnce(): Promise<boolean> {
    const { epoch } = trust;
    const isHeld = trust.isGood();
    try {
      await catchUp();
      if (isHeld && trust.isGood() && trust.epoch === epoch) confirmedEpoch = epoch;
      return true;
    } catch {
      return false;
    }
  }

  return {
    find(header) {
      // Nearly every request: the header is compared as it is.
      if (header !== undefined && ours.has(header)) return 'ours';
      const known = header === undefined ? undefined : domains.find(header);
      if (known) return known;
      const host = parseHostHeader(header);
      return ours.has(host) ? 'ours' : (domains.find(host) ?? 'unknown');
    },

    isCertain: header =>
      (trust.isGood() && trust.epoch === confirmedEpoch) || !domainName.test(parseHostHeader(header)),

    /** A reading under way may have been sent before a change that this request must know. */
    confirm() {
      if (running) {
        next ??= running.then(() => {
          next = null;
          return this.confirm();
        });
        return next;
      }
      running = confirmOnce().finally(() => {
        running = null;
      });
      return running;
    },
  };
}

/** As headers have them, with the port that browsers send. */
function listSpellings(address: string): string[] {
  if (!/^https?:/.test(address)) return [address.toLowerCase()];
  const { host, hostname } = new URL(address);
  return [host, hostname];
}
