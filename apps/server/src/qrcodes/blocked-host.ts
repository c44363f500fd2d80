import { AppError } from '../kernel/errors.ts';
import { hostOf, maxHostLength, withParents } from '../kernel/hosts.ts';
import { type Leading, urlsOf } from './leading-urls.ts';

/** A host that no code may lead to, nor to any of its subdomains. */
export type BlockedHost = { readonly host: string; readonly reason: string; readonly createdAt: Date };

/** The host that an operator names, in the form in which destinations are compared; null where it is not a host. */
export function parseHost(text: string): string | null {
  const address = `http://${text}`;
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.href !== `http://${url.hostname}/`) return null;
  const host = hostOf(url);
  // A name without a dot is a whole top-level domain or a typo, and neither is easy to undo.
  const isName = /^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/.test(host) && host.length <= maxHostLength;
  return isName || host.startsWith('[') ? host : null;
}

/** The host of a destination and every parent domain: blocking any of them blocks the destination. */
export const hostAndParents = (destination: string): string[] => withParents(hostOf(new URL(destination)));

/** The same of every URL that a code can lead to. URLs of 0.1 may be such that no host can be read from them. */
export const allHostsOf = (leading: Leading): string[] => [
  ...new Set(urlsOf(leading).flatMap(({ url }) => (URL.canParse(url) ? hostAndParents(url) : []))),
];

/** The refusal of a code that leads to one of these hosts, or null. */
export function blockedRefusal(leading: Leading, blocked: readonly string[]): AppError | null {
  for (const { param, url } of urlsOf(leading)) {
    const host = blocked.find(name => leadsTo(url, name));
    if (host !== undefined) return destinationBlocked(host, param);
  }
  return null;
}

function leadsTo(destination: string, host: string): boolean {
  if (!URL.canParse(destination)) return false;
  const own = hostOf(new URL(destination));
  return own === host || own.endsWith(`.${host}`);
}

const destinationBlocked = (host: string, param = 'destination_url') =>
  new AppError(
    'destination_blocked',
    `${host} is blocked on this server. Choose another destination, or ask the operator if this is a mistake.`,
    { param },
  );
