import { hostOf } from '../kernel/hosts.ts';
import { addressOf, isUnderShortBase, shortLinkKey } from '../kernel/short-link.ts';

/** What an operator looks for: a short link by its key, or codes by the host they lead to. */
export type LookedFor = { readonly key: string } | { readonly host: string };

/**
 * Reads what a report has, however it is written: a short code, a short link with or without its scheme, its preview, or the
 * address of a page that people were sent to. Null where it is nothing of these.
 */
export function parseLooked(text: string, shortBaseUrl: string): LookedFor | null {
  const link = text.trim();
  const key = shortLinkKey(link, shortBaseUrl);
  if (key !== null) return { key };
  const url = addressOf(link);
  // A name without a dot is a short code that nothing could have, rather than a host.
  if (!url || isUnderShortBase(url, shortBaseUrl) || !/[.:[]/.test(url.host)) return null;
  return { host: hostOf(url) };
}
