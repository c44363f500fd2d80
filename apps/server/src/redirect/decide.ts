import { assertNever } from '../kernel/errors.ts';
import type { OffReason } from '../rules/link-rules.ts';
import type { NotRedirectedReason } from '../scans/not-redirected.ts';
import type { StopReason } from './changes/stops/stop.ts';
import type { Link } from './links/link.ts';

/** How a short link responds. */
export type Decision =
  | { readonly kind: 'redirect'; readonly link: Link }
  /** The code is off, and its owner sends scanners elsewhere meanwhile. */
  | { readonly kind: 'fallback'; readonly location: string; readonly page: PageKind }
  | { readonly kind: 'page'; readonly page: PageKind };

/** Why a scanner is not redirected. `home`: no code was asked for; `not_connected`: the domain was released. */
export type PageKind =
  | 'paused'
  | 'not_begun'
  | 'ended'
  | 'stopped'
  | 'held'
  | 'unknown'
  | 'home'
  | 'not_connected'
  | 'deleted'
  | 'busy'
  | 'unavailable';

/**
 * A draft responds like a code that does not exist, so that it is not disclosed before it is published. A stop for safety
 * comes before the status that the owner has set, and has no fallback. The time matters only to a link with routing.
 */
export function decide(link: Link | null, stop: StopReason | null, nowMs: number): Decision {
  if (link === null) return { kind: 'page', page: 'unknown' };
  switch (link.status) {
    case 'active':
    case 'paused': {
      const stopped = chooseStopPage(link, stop);
      if (stopped !== null) return { kind: 'page', page: stopped };
      const off = findOffReason(link, nowMs);
      if (off === null) return { kind: 'redirect', link };
      const location = link.routing?.fallback ?? null;
      const page = pagesOfOff[off];
      return location === null ? { kind: 'page', page } : { kind: 'fallback', location, page };
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
export function explainNotRedirected(
  link: Link,
  stop: StopReason | null,
  nowMs: number,
): NotRedirectedReason | null {
  if (link.status === 'deleted' || stop === 'closed') return null;
  if (link.status === 'draft') return 'draft';
  const page = chooseStopPage(link, stop);
  if (page !== null) return page === 'held' ? 'held' : 'suspended';
  return findOffReason(link, nowMs);
}

/** The page of a code that is stopped for safety, whatever its owner has set. */
export function chooseStopPage(
  { suspended }: Link,
  stop: StopReason | null,
): 'deleted' | 'stopped' | 'held' | null {
  if (stop === 'closed') return 'deleted';
  if (suspended || stop === 'suspended' || stop === 'blocked') return 'stopped';
  return stop === 'held' ? 'held' : null;
}

/** What the owner has set: the status comes before the schedule, and that before the limit. */
function findOffReason({ status, routing }: Link, nowMs: number): 'paused' | OffReason | null {
  if (status === 'paused') return 'paused';
  return routing === null ? null : routing.offAt(nowMs);
}

/** A scanner need not know why a code has come to its end. */
const pagesOfOff = { paused: 'paused', not_begun: 'not_begun', ended: 'ended', used_up: 'ended' } as const;
