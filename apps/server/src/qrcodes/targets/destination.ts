import { hasEmptyLabel } from '../../kernel/addresses/hosts.ts';
import { AppError } from '../../kernel/errors.ts';
import { destinationListed, type ListedFinder } from '../../moderation/lists/listed.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import { type Leading, listUrls } from './leading-urls.ts';

/** Knows the addresses of the service itself, where no code may lead. */
export type OwnAddressCheck = { includes(url: URL): boolean };

/** A name of 253 characters, a trailing dot and a port. */
const maxAuthority = 253 + 1 + 6;

/**
 * Refuses a destination that the schema accepts but a scan must not be redirected to. What passes is stored as it was
 * typed, byte for byte: only the check uses its parsed form.
 */
export function checkDestination(
  destination: string,
  ownAddresses: OwnAddressCheck,
  param = 'destination_url',
): void {
  const refuse = (reason: string) => new AppError('invalid_url', reason, { param });
  const [authority = ''] = destination.replace(/^https?:\/\//i, '').split(/[/?#]/, 1);
  // Browsers read a backslash as a slash: https://good.example\@evil.example goes to good, other readers go to evil.
  if (authority.includes('\\'))
    throw refuse('The destination has a backslash before its path. Use / instead.');
  if (authority.includes('@')) throw refuse('The destination must not contain a user name or password.');
  // No DNS name is longer, and the parser takes a third of a second for one of four thousand letters.
  if (authority.length > maxAuthority) throw refuse('The host of the destination is too long.');
  const url = URL.canParse(destination) ? new URL(destination) : null;
  if (!url || authority === '') throw refuse('The destination is not a valid http or https URL.');
  if (hasEmptyLabel(url))
    throw refuse(
      'The host of the destination has an empty part: two dots in a row, or a dot at its beginning.',
    );
  if (ownAddresses.includes(url)) throw leadsToShortLink(param);
}

const leadsToShortLink = (param: string) =>
  new AppError(
    'invalid_url',
    "A code can't point to another short link on this server. Use the address of the page that people should see.",
    { param },
  );

/** Checks every URL that a code can lead to. */
export function checkDestinations(leading: Leading, ownAddresses: OwnAddressCheck): void {
  for (const { param, url } of listUrls(leading)) checkDestination(url, ownAddresses, param);
}

/**
 * Replaces every item whose destination is on a blocklist, or on a domain of an account, by a refusal. Nothing is locked: what
 * is added to a list after this query is found by the periodic check of all codes.
 */
export async function refuseListed<Item extends Leading>(
  on: Database,
  listed: ListedFinder,
  items: readonly (Item | AppError)[],
): Promise<(Item | AppError)[]> {
  const urls = items.flatMap(item => (item instanceof AppError ? [] : listUrls(item).map(({ url }) => url)));
  const found = await listed.find(on, urls);
  const onDomains = await listed.findOnDomains(on, urls);
  return items.map(item => {
    if (item instanceof AppError) return item;
    const hit = listUrls(item).find(({ url }) => found.has(url));
    if (hit) return destinationListed(found.get(hit.url)!, hit.param);
    const looping = listUrls(item).find(({ url }) => onDomains.has(url));
    return looping ? leadsToShortLink(looping.param ?? 'destination_url') : item;
  });
}
