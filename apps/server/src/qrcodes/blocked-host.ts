import { AppError } from '../kernel/errors.ts';
import { hostOf } from './destination.ts';

/** A host that no code may lead to, nor to any of its subdomains. */
export type BlockedHost = { readonly host: string; readonly reason: string; readonly createdAt: Date };

/** The longest name that DNS knows, so the longest that can be blocked. */
const maxHostLength = 253;

/** The host that an operator names, in the form that destinations are compared in; null where it is none. */
export function parseHost(text: string): string | null {
  const address = `http://${text}`;
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.href !== `http://${url.hostname}/`) return null;
  const host = hostOf(url);
  // A name without a dot is a whole top-level domain or a slip, and neither is easily undone.
  const isName = /^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/.test(host) && host.length <= maxHostLength;
  return isName || host.startsWith('[') ? host : null;
}

/** The host of a destination and every domain above it: blocking any of these blocks the destination. */
export function hostAndParents(destination: string): string[] {
  const labels = hostOf(new URL(destination)).split('.');
  // A destination may have thousands of labels. With more than the last 127 it is longer than what can be blocked.
  const last = labels.slice(-Math.ceil(maxHostLength / 2));
  return last.map((_, at) => last.slice(at).join('.')).filter(host => host.length <= maxHostLength);
}

export function leadsTo(destination: string, host: string): boolean {
  if (!URL.canParse(destination)) return false;
  const own = hostOf(new URL(destination));
  return own === host || own.endsWith(`.${host}`);
}

export const destinationBlocked = (host: string) =>
  new AppError(
    'destination_blocked',
    `${host} is blocked on this service. Choose another destination, or ask the operator of the service if this is a mistake.`,
    { param: 'destination_url' },
  );
