import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../kernel/errors.ts';

/**
 * Refuses requests that would change something and were not sent by a page of this service. A page of another site can make a
 * browser send a request, and only the headers that the browser adds tell the two apart.
 */
export function refuseOtherSites(method: string, headers: IncomingHttpHeaders, publicUrl: string): void {
  if (method === 'GET' || method === 'HEAD' || isSameOrigin(headers, publicUrl)) return;
  throw new AppError(
    'forbidden',
    'This request was not sent by a page of this service. Open the dashboard, or use the API with a key.',
  );
}

/** `Sec-Fetch-Site` where the browser has it, because no page can set it; otherwise `Origin`. A request with neither does not come from a browser. */
function isSameOrigin(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin, host } = headers;
  if (origin === undefined || !URL.canParse(origin)) return false;
  const { protocol, host: originHost } = new URL(origin);
  // The public host, or the host of the request; but never a http page of a https service.
  return (
    origin === new URL(publicUrl).origin ||
    (originHost === host && !(isHttps(publicUrl) && protocol === 'http:'))
  );
}

const isHttps = (url: string) => url.startsWith('https:');
