import { hostOf } from './hosts.ts';
import { linkKeyIn } from './link-key.ts';

/**
 * The key of a short link as users paste it: the whole link, with or without its scheme, followed by a query, a `+` or a slash;
 * or only the part after the host. Null if it is not a link of this installation.
 */
export function shortLinkKey(text: string, shortBaseUrl: string): string | null {
  const url = addressOf(text);
  const path = url && pathUnder(url, shortBaseUrl);
  if (path !== null) return keyIn(path);
  return hasScheme(text) ? null : keyIn(`/${text.replace(/^\//, '')}`);
}

/** Whether an address is below our short base URL, whether or not a link exists there. */
export function isUnderShortBase(url: URL, shortBaseUrl: string): boolean {
  return pathUnder(url, shortBaseUrl) !== null;
}

/** The text as an address, with or without its scheme; null if it is none. */
export function addressOf(text: string): URL | null {
  const whole = hasScheme(text) ? text : `https://${text}`;
  return URL.canParse(whole) ? new URL(whole) : null;
}

const hasScheme = (text: string) => /^https?:\/\//i.test(text);

function keyIn(path: string): string | null {
  const [bare = ''] = path.split(/[?#]/, 1);
  return linkKeyIn(bare.replace(/(?:\+|%2b)\/?$/i, ''));
}

/** http and https lead to the same code: one redirects to the other, or only one is served. */
function pathUnder(url: URL, shortBaseUrl: string): string | null {
  const base = new URL(shortBaseUrl);
  const prefix = base.pathname.replace(/\/$/, '');
  const isSameHost = hostOf(url) === hostOf(base) && url.port === base.port;
  return isSameHost && url.pathname.startsWith(`${prefix}/`) ? url.pathname.slice(prefix.length) : null;
}
