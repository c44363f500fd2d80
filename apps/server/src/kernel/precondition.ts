import { AppError } from './errors.ts';

/** What a caller requires of an object before it is changed: the headers If-Match and If-None-Match. */
export type Precondition = {
  /** It exists, and has one of these revisions, where it is not any. */
  readonly ifMatch?: 'any' | readonly string[];
  /** It does not exist. */
  readonly ifNoneMatch?: true;
};

type Headers = { readonly 'if-match'?: string | undefined; readonly 'if-none-match'?: string | undefined };

export const toEtag = (revision: number): string => `"${revision}"`;

/** Of If-None-Match only `*` has a meaning: an object is never changed unless it has a certain revision. */
export function parsePrecondition({ 'if-match': match, 'if-none-match': noneMatch }: Headers): Precondition {
  return {
    ...(match === undefined ? {} : { ifMatch: parseIfMatch(match.trim()) }),
    ...(noneMatch?.trim() === '*' ? { ifNoneMatch: true } : {}),
  };
}

/** `*`, a revision alone, or a list of them in quotes. A weak tag in the list is allowed, and matches nothing. */
function parseIfMatch(text: string): 'any' | readonly string[] {
  if (text === '*') return 'any';
  if (/^\d+$/.test(text)) return [text];
  const tags = text.split(',').map(tag => tag.trim());
  const named = tags.filter(tag => tag !== '');
  if (named.length === 0 || !named.every(tag => /^(?:W\/"[^"]*"|"\d+")$/.test(tag)))
    throw new AppError(
      'invalid_request',
      'If-Match must be the revision of the code, such as "7", a list of them, or *.',
      { param: 'If-Match' },
    );
  return named.filter(tag => tag.startsWith('"')).map(tag => tag.slice(1, -1));
}

/** Whether an object in this revision fulfils it, or one that does not exist. */
export function isMet({ ifMatch, ifNoneMatch }: Precondition, revision: number | null): boolean {
  if (revision === null) return ifMatch === undefined;
  if (ifNoneMatch) return false;
  return ifMatch === undefined || ifMatch === 'any' || ifMatch.includes(String(revision));
}
