import { createHash } from 'node:crypto';
import { hostOf } from './hosts.ts';

/**
 * What a URL is looked up by in lists, 16 bytes. Two that a browser asks the same page of have the same: the parser folds
 * scheme, host and default port, and neither a fragment nor a dot behind the host changes where it leads.
 */
export const listedUrlHash = (url: string): Buffer =>
  createHash('sha256').update(listedUrl(url)).digest().subarray(0, 16);

/** The URL in the form that lists are compared in. */
export function listedUrl(text: string): string {
  const url = new URL(text);
  url.hash = '';
  url.hostname = hostOf(url);
  return url.href;
}
