import { assertNever } from '../kernel/errors.ts';
import type { NotRedirectedReason } from '../scans/not-redirected.ts';
import type { StopReason } from '../stops/stop.ts';
import type { Link } from './link.ts';

/** How a short link responds. */
export type Decision =
  | { readonly kind: 'redirect'; readonly link: Link }
  | { readonly kind: 'page'; readonly page: PageKind };

/** Why a scanner is not redirected. */
export type PageKind = 'paused' | 'stopped' | 'held' | 'unknown' | 'deleted' | 'busy' | 'unavailable';

/**
 * A draft responds like a code that does not exist, so that it is not disclosed before it is published. A stop for safety
 * comes before the status that the owner has set.
 */
export function decide(link: Link | null, stop: StopReason | null): Decision {
  if (link === null) return { kind: 'page', page: 'unknown' };
  switch (link.status) {
    case 'active':
    case 'paused': {
      const page = pageOf(link, stop);
      return page === null ? { kind: 'redirect', link } : { kind: 'page', page };
    }
    case 'draft':
      return { kind: 'page', page: 'unknown' };
    case 'deleted':
      return { kind: 'page', page: 'deleted' };
    default:
      return assertNever(link.status);
  }
}

/** Why a code that exists does not redirect, for its owner; null where it does, or where it is deleted. */
export function notRedirectedReasonOf(link: Link, stop: StopReason | null): NotRedirectedReason | null {
  if (link.status === 'deleted' || stop === 'closed') return null;
  if (link.status === 'draft') return 'draft';
  const page = pageOf(link, stop);
  if (page === 'stopped') return 'suspended';
  return page === 'held' || page === 'paused' ? page : null;
}

function pageOf({ status, suspended }: Link, stop: StopReason | null): PageKind | null {
  if (stop === 'closed') return 'deleted';
  if (suspended || stop === 'suspended' || stop === 'blocked') return 'stopped';
  if (stop === 'held') return 'held';
  return status === 'paused' ? 'paused' : null;
}
