import type { Caller } from './caller.ts';

/** What a short link is named by: the space that its name is unique in, and its short code. */
export type LinkName = {
  /** Empty for live codes, `t/<tag>/` for the test codes of one account. */
  readonly keySpace: string;
  readonly shortCode: string;
};

/** Where the codes of a caller live. Names in two spaces never meet. */
export const keySpaceOf = ({ mode, testTag }: Pick<Caller, 'mode' | 'testTag'>): string =>
  mode === 'test' ? testSpace(testTag) : '';

const testSpace = (testTag: string) => `t/${testTag}/`;

/** The whole name, folded: codes that differ only in case are the same code. */
export const linkKeyOf = ({ keySpace, shortCode }: LinkName): string => keySpace + shortCode.toLowerCase();

/** The same in SQL, word for word as the unique index has it. */
export const linkKeySql = 'key_space || lower(short_code)';

export const shortUrlOf = (shortBaseUrl: string, { keySpace, shortCode }: LinkName): string =>
  `${shortBaseUrl}/${keySpace}${shortCode}`;

/** What the short links of an account's test codes begin with. */
export const testBaseUrlOf = (shortBaseUrl: string, testTag: string): string =>
  `${shortBaseUrl}/${testSpace(testTag)}`.slice(0, -1);

const liveLink = /^\/([A-Za-z0-9][A-Za-z0-9_-]{1,62}[A-Za-z0-9])\/?$/;
/** `/t/<tag>/<short code>`. A short code has three signs or more, so `t` is none. */
const testLink = /^\/([tT]\/[A-Za-z0-9]{8}\/[A-Za-z0-9][A-Za-z0-9_-]{1,62}[A-Za-z0-9])\/?$/;

/** The key of the link that a path names, or null where no link could have this form. */
export function linkKeyIn(url: string): string | null {
  const end = url.search(/[?#]/);
  const path = end < 0 ? url : url.slice(0, end);
  const match = liveLink.exec(path) ?? testLink.exec(path);
  return match ? match[1]!.toLowerCase() : null;
}
