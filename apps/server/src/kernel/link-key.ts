import type { Caller } from './caller.ts';

/** The name of a short link: its short code, and the key space in which that is unique. */
export type LinkName = {
  /** Empty for live codes, `t/<tag>/` for the test codes of one account. */
  readonly keySpace: string;
  readonly shortCode: string;
};

/** The key space of a caller's codes. Names in different key spaces never collide. */
export const keySpaceOf = ({ mode, testTag }: Pick<Caller, 'mode' | 'testTag'>): string =>
  mode === 'test' ? testSpace(testTag) : '';

const testSpace = (testTag: string) => `t/${testTag}/`;

/** The whole name in lower case: codes that differ only in case are the same code. */
export const linkKeyOf = ({ keySpace, shortCode }: LinkName): string => keySpace + shortCode.toLowerCase();

/** The same in SQL, exactly as in the unique index. */
export const linkKeySql = 'key_space || lower(short_code)';

export const shortUrlOf = (shortBaseUrl: string, { keySpace, shortCode }: LinkName): string =>
  `${shortBaseUrl}/${keySpace}${shortCode}`;

/** What the short links of an account's test codes begin with. */
export const testBaseUrlOf = (shortBaseUrl: string, testTag: string): string =>
  `${shortBaseUrl}/${testSpace(testTag)}`.slice(0, -1);

const liveLink = /^\/([A-Za-z0-9][A-Za-z0-9_-]{1,62}[A-Za-z0-9])\/?$/;
/** `/t/<tag>/<short code>`. A short code has at least three characters, so `t` is none. */
const testLink = /^\/([tT]\/[A-Za-z0-9]{8}\/[A-Za-z0-9][A-Za-z0-9_-]{1,62}[A-Za-z0-9])\/?$/;

/** The key of the link that a path names, or null if no link has this form. */
export function linkKeyIn(url: string): string | null {
  const end = url.search(/[?#]/);
  const path = end < 0 ? url : url.slice(0, end);
  const match = liveLink.exec(path) ?? testLink.exec(path);
  return match ? match[1]!.toLowerCase() : null;
}
