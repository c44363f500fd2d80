import { createHash } from 'node:crypto';
import { getHost } from './hosts.ts';

/**
 * The hash, 16 bytes, by which a URL is looked up in blocklists. URLs that lead a browser to the same page have the same hash:
 * the parser normalizes scheme, host and default port, and neither a fragment nor a trailing dot of the host matters.
 */
export const listedUrlHash = (url: string): Buffer =>
  createHash('sha256').update(listedUrl(url)).digest().subarray(0, 16);

/** The normalized URL that blocklists are compared by. */
export function listedUrl(text: string): string {
  const url = new URL(text);
  url.hash = '';
  url.hostname = getHost(url);
  return url.href;
}
