import { assertNever } from '../kernel/errors.ts';
import type { Link } from './link.ts';

/** What a short link answers. */
export type Decision =
  | { readonly kind: 'redirect'; readonly link: Link }
  | { readonly kind: 'page'; readonly page: PageKind };

/** Why a scanner is not sent on. */
export type PageKind = 'paused' | 'unknown' | 'deleted' | 'busy' | 'unavailable';

/** A draft answers like a code that never was: nobody shall learn of it before it is published. */
export function decide(link: Link | null): Decision {
  if (link === null) return { kind: 'page', page: 'unknown' };
  switch (link.status) {
    case 'active':
      return { kind: 'redirect', link };
    case 'paused':
      return { kind: 'page', page: 'paused' };
    case 'draft':
      return { kind: 'page', page: 'unknown' };
    case 'deleted':
      return { kind: 'page', page: 'deleted' };
    default:
      return assertNever(link.status);
  }
}

/** The folded short code that a path names, or null where no code could have this form. */
export function shortCodeOf(url: string): string | null {
  const end = url.search(/[?#]/);
  const path = end < 0 ? url : url.slice(0, end);
  const match = /^\/([A-Za-z0-9][A-Za-z0-9_-]{1,62}[A-Za-z0-9])\/?$/.exec(path);
  return match ? match[1]!.toLowerCase() : null;
}
