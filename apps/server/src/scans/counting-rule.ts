import type { IncomingHttpHeaders } from 'node:http';
import { type AutomatedAgent, detectAutomatedAgent } from './device/agents.ts';

/** The parts of a request that decide whether it is a scan. Header names are in lower case, as `node:http` gives them. */
export type ScanRequest = { readonly method: string | undefined; readonly headers: IncomingHttpHeaders };

/** Why a redirected request is not a scan. Also the label of the metric that counts them. */
const notCountedReasons = ['method', 'prefetch', 'embed', 'link_preview', 'crawler'] as const;
export type NotCounted = (typeof notCountedReasons)[number];

export type Counting = 'counted' | NotCounted;

/**
 * A scan is a GET that takes a person to the destination. Requests that identify themselves as something else are not
 * counted. Nothing is guessed: a plain HTTP client counts, so an owner can try a code with curl.
 */
export function countScan(
  { method, headers }: ScanRequest,
  automated: AutomatedAgent | null = detectAutomatedAgent(headers['user-agent'] ?? ''),
): Counting {
  if (method !== 'GET') return 'method';
  if (isPrefetch(headers)) return 'prefetch';
  if (isEmbed(headers['sec-fetch-dest'])) return 'embed';
  return automated ?? 'counted';
}

/** Matches only the start: a purpose may carry parameters, as in `prefetch;prerender`. */
const prefetchPurpose = /^\s*"?(?:prefetch|prerender|preview)/i;

/** Whether the page is fetched before the user asks for it, by the standard header or its predecessors. */
const isPrefetch = (headers: IncomingHttpHeaders): boolean =>
  isPrefetchPurpose(headers['sec-purpose']) ||
  isPrefetchPurpose(headers.purpose) ||
  isPrefetchPurpose(headers['x-purpose']) ||
  isPrefetchPurpose(headers['x-moz']);

const isPrefetchPurpose = (value: string | readonly string[] | undefined): boolean =>
  value !== undefined && prefetchPurpose.test(String(value));

/**
 * Fetch destinations that show the result as a page, or let a script follow the link. The list names what counts, not
 * what does not: browsers keep adding kinds of subresources, and hardly ever a kind of page. A frame counts because it
 * shows the destination, as in scanners that open links inside their own page. `empty` is a script's fetch: scanners in
 * a browser resolve links this way, and to us it is a plain HTTP client.
 */
const pageDestinations: ReadonlySet<string> = new Set([
  'document',
  'iframe',
  'frame',
  'fencedframe',
  'empty',
]);

/** An image, a style sheet or a font is a subresource of another page: no person goes to the destination. */
function isEmbed(destination: string | readonly string[] | undefined): boolean {
  if (destination === undefined || destination === '') return false;
  return !pageDestinations.has(String(destination).trim().toLowerCase());
}
