import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../kernel/errors.ts';

/**
 * Refuses whatever would change something and was not sent by a page of this service: a page elsewhere can make a
 * browser send a request, and only what the browser says about it tells the two apart.
 */
export function refuseOtherSites(method: string, headers: IncomingHttpHeaders, publicUrl: string): void {
  if (method === 'GET' || method === 'HEAD' || isFromHere(headers, publicUrl)) return;
  throw new AppError(
    'forbidden',
    'This request was not sent by a page of this service. Open the dashboard, or use the API with a key.',
  );
}

/** `Sec-Fetch-Site` where the browser has it, since no page can set it; else `Origin`. A request with neither is no browser's. */
function isFromHere(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin, host } = headers;
  if (origin === undefined || !URL.canParse(origin)) return false;
  const { protocol, host: from } = new URL(origin);
  // The public host, or the one that the browser asked for; but never an unencrypted page of an encrypted service.
  return (
    origin === new URL(publicUrl).origin || (from === host && !(isHttps(publicUrl) && protocol === 'http:'))
  );
}

const isHttps = (url: string) => url.startsWith('https:');
