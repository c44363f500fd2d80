import { getHost } from '../../kernel/addresses/hosts.ts';
import { type LinkNames, parseAddress } from '../../kernel/addresses/link-names.ts';

/** What an operator searches for: a short link by its key, or codes by the host of their destination. */
export type CodeQuery = { readonly key: string } | { readonly host: string };

/**
 * Parses what a report quotes: a short code, a short link with or without its scheme, its preview, or the address of the page it
 * leads to. Null if it is none of these.
 */
export function parseCodeQuery(text: string, linkNames: LinkNames): CodeQuery | null {
  const link = text.trim();
  const key = linkNames.parseKey(link);
  if (key !== null) return { key };
  const url = parseAddress(link);
  // A name without a dot is an invalid short code rather than a host.
  if (!url || linkNames.covers(url) || !/[.:[]/.test(url.host)) return null;
  return { host: getHost(url) };
}
