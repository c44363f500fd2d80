import { getHost, withParents } from '../../kernel/addresses/hosts.ts';
import { AppError } from '../../kernel/errors.ts';
import { type Leading, listUrls } from './leading-urls.ts';

/** A host that no code may lead to, nor to any of its subdomains. */
export type BlockedHost = { readonly host: string; readonly reason: string; readonly createdAt: Date };

/** The host of a destination and every parent domain: blocking any of them blocks the destination. */
export const hostAndParents = (destination: string): string[] => withParents(getHost(new URL(destination)));

/** The same of every URL that a code can lead to. */
export const listAllHosts = (leading: Leading): string[] => [
  ...new Set(listUrls(leading).flatMap(({ url }) => hostAndParents(url))),
];

/** The refusal of a code that leads to one of these hosts, or null. */
export function blockedRefusal(leading: Leading, blocked: readonly string[]): AppError | null {
  for (const { param, url } of listUrls(leading)) {
    const host = blocked.find(name => leadsTo(url, name));
    if (host !== undefined) return destinationBlocked(host, param);
  }
  return null;
}

function leadsTo(destination: string, host: string): boolean {
  const own = getHost(new URL(destination));
  return own === host || own.endsWith(`.${host}`);
}

const destinationBlocked = (host: string, param = 'destination_url') =>
  new AppError(
    'destination_blocked',
    `${host} is blocked on this server. Choose another destination, or ask the operator if this is a mistake.`,
    { param },
  );
