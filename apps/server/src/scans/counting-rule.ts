import type { IncomingHttpHeaders } from 'node:http';
import { type Automaton, automatonOf } from './agents.ts';

/** As much of a request as it takes to tell a scan from the rest. Header names in lower case, as `node:http` gives them. */
export type ScanRequest = { readonly method: string | undefined; readonly headers: IncomingHttpHeaders };

/** Why a request that was redirected is no scan. Also the label of the metric that counts them. */
export const notCountedReasons = ['method', 'prefetch', 'embed', 'link_preview', 'crawler'] as const;
export type NotCounted = (typeof notCountedReasons)[number];

export type Counting = 'counted' | NotCounted;

/**
 * A scan is a GET by which somebody goes to the destination. What says of itself that it is something else is left
 * out; nothing is guessed, so that a plain HTTP client counts and an owner can try a code with curl.
 */
export function countScan(
  { method, headers }: ScanRequest,
  automaton: (userAgent: string) => Automaton | null = automatonOf,
): Counting {
  if (method !== 'GET') return 'method';
  if (isAhead(headers)) return 'prefetch';
  if (isEmbed(headers['sec-fetch-dest'])) return 'embed';
  return automaton(headers['user-agent'] ?? '') ?? 'counted';
}

/** Headers that tell of a page fetched before anybody has asked for it: the standard one, then what came before it. */
const purposeHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const;

/** Only the beginning is looked at: a purpose may carry parameters, as in `prefetch;prerender`. */
const aheadPurpose = /^\s*"?(?:prefetch|prerender|preview)/i;

function isAhead(headers: IncomingHttpHeaders): boolean {
  for (const name of purposeHeaders) {
    const value = headers[name];
    if (value !== undefined && aheadPurpose.test(String(value))) return true;
  }
  return false;
}

/**
 * Where a browser shows what it fetches to somebody as a page, or lets a script follow the link. The list names what
 * counts, not what does not: browsers keep adding kinds of parts of a page, and hardly ever a kind of page. A frame
 * counts since the destination is on the screen in it, as in scanners that open links inside their own page; `empty` is
 * a script's fetch, which is how scanners in a browser look a link up, and is a plain HTTP client to us.
 */
const pageDestinations: ReadonlySet<string> = new Set([
  'document',
  'iframe',
  'frame',
  'fencedframe',
  'empty',
]);

/** An image, a style sheet, a font and so on is a part of some other page, and nobody goes anywhere by it. */
function isEmbed(destination: string | readonly string[] | undefined): boolean {
  if (destination === undefined || destination === '') return false;
  return !pageDestinations.has(String(destination).trim().toLowerCase());
}
