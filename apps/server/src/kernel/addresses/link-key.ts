import type { Caller } from '../caller.ts';

/** The name of a short link: its short code, and the key space in which that is unique. */
export type LinkName = {
  /** Empty for live codes, `d/<tag>/` for those on a domain, `t/<tag>/` for the test codes of one account. */
  readonly keySpace: string;
  readonly shortCode: string;
  /** The host of its domain; null for the host of the service. */
  readonly domain: string | null;
};

/** The key space of a caller's codes. Names in different key spaces never collide. */
export const getKeySpace = ({ mode, testTag }: Pick<Caller, 'mode' | 'testTag'>): string =>
  mode === 'test' ? testKeySpace(testTag) : '';

export const testKeySpace = (testTag: string) => `t/${testTag}/`;

export const domainKeySpace = (tag: string) => `d/${tag}/`;

/** The key of a link on a domain. Test codes are on the host of the service only. */
export const toDomainKey = (keySpace: string, linkKey: string): string | null =>
  linkKey.includes('/') ? null : keySpace + linkKey;

/** The whole name in lower case: codes that differ only in case are the same code. `qr_codes.link_key` stores it. */
export const toLinkKey = ({ keySpace, shortCode }: Pick<LinkName, 'keySpace' | 'shortCode'>): string =>
  keySpace + shortCode.toLowerCase();

const liveLink = /^\/([A-Za-z0-9][A-Za-z0-9_-]{1,62}[A-Za-z0-9])\/?$/;
/** `/t/<tag>/<short code>`. A short code has at least three characters, so `t` is none. */
const testLink = /^\/([tT]\/[A-Za-z0-9]{8}\/[A-Za-z0-9][A-Za-z0-9_-]{1,62}[A-Za-z0-9])\/?$/;

/** A short link that names where its code is printed: `/menu.window`. */
export type PlacedLink = {
  readonly key: string;
  /** In lower case; empty where it has not the form of one. */
  readonly placement: string;
};

/**
 * No short code has a dot. Whatever follows the first one counts as the key of a placement: an unknown one must not keep a
 * printed code from working.
 */
const placedLink =
  /^\/((?:t\/[a-z0-9]{8}\/)?[a-z0-9][a-z0-9_-]{1,62}[a-z0-9])(?:\.|%2e)((?:[a-z0-9._-]|%2e)*)\/?$/i;
/** A key in a key space of a domain. No path has this form: it stands for a link that was looked up by its host. */
const domainKey = /^d\/[a-z0-9]{8}\/[a-z0-9][a-z0-9_-]{1,62}[a-z0-9]$/;

export const isDomainKey = (text: string): boolean => domainKey.test(text);

const placementKey = /^[a-z0-9-]{1,24}$/;
/** What browsers and crawlers ask every host for. They name no codes, and must not count as guesses. */
const wellKnownFile =
  /^\/(?:favicon|robots|sitemap|ads|humans|browserconfig|apple-touch-icon[a-z0-9-]*)\.(?:ico|txt|xml|png)$/i;

export const isWellKnownFile = (url: string): boolean => wellKnownFile.test(extractPath(url));

export function parsePlacedLink(url: string): PlacedLink | null {
  const match = isWellKnownFile(url) ? null : placedLink.exec(extractPath(url));
  if (!match) return null;
  const placement = match[2]!.toLowerCase();
  return { key: match[1]!.toLowerCase(), placement: placementKey.test(placement) ? placement : '' };
}

function extractPath(url: string): string {
  const end = url.search(/[?#]/);
  return end < 0 ? url : url.slice(0, end);
}

/** The key of the link that a path names, or null if no link has this form. */
export function parseLinkPath(url: string): string | null {
  const path = extractPath(url);
  const match = liveLink.exec(path) ?? testLink.exec(path);
  return match ? match[1]!.toLowerCase() : null;
}
