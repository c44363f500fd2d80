import { hostOf } from '../kernel/hosts.ts';

/** What an operator looks for: a short link by its key, or codes by the host they lead to. */
export type LookedFor = { readonly key: string } | { readonly host: string };

/**
 * Reads what a report has, however it is written: a short code, a short link with or without its scheme, its preview, or the
 * address of a page that people were sent to. Null where it is nothing of these.
 */
export function parseLooked(text: string, shortBaseUrl: string): LookedFor | null {
  const link = text.trim();
  if (link === '') return null;
  const [first = ''] = link.split('/', 1);
  if (!/^https?:\/\//i.test(link) && !/[.:[]/.test(first)) return keyOf(link);
  const address = /^https?:\/\//i.test(link) ? link : `https://${link}`;
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  const base = new URL(shortBaseUrl);
  const path = `${base.pathname.replace(/\/$/, '')}/`;
  if (url.host === base.host && url.pathname.startsWith(path)) return keyOf(url.pathname.slice(path.length));
  return { host: hostOf(url) };
}

/** As people copy it: with the sign of the preview behind it, or a query. */
function keyOf(path: string): LookedFor | null {
  const [name = ''] = path.replace(/^\/+/, '').split(/[?#]/, 1);
  const key = name.replace(/[+/]+$/, '').toLowerCase();
  return key === '' ? null : { key };
}
