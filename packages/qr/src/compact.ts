/**
 * A short link in two parts of which the second is written in the alphanumeric mode, which takes 5.5 bits per character in
 * place of 8. The scheme stays as it is: several scanners do not open `HTTPS://`.
 */
export type CompactLink = {
  readonly scheme: string;
  /** Host, port and path in upper case. */
  readonly rest: string;
};

/** What the alphanumeric mode can write, in the order of its values. */
export const alphanumerics = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:';

const linkParts = /^(https?:\/\/)([^/?#]+)((?:\/[^/?#]+)*)\/([^/?#]+)$/;
/** What stands before the short code of a test code: it may be written in any case, as the short code itself. */
const testTag = /\/t\/[a-z0-9]{8}$/;

/**
 * A short link as a compact code has it, or null where it cannot have one: where a character is missing from the mode, as `_`
 * is, or where the service lies under a path with lower-case letters, which a web server would not find in upper case.
 */
export function toCompact(link: string): CompactLink | null {
  const [, scheme = '', host = '', path = '', name = ''] = linkParts.exec(link) ?? [];
  const base = path.replace(testTag, '');
  if (scheme === '' || base !== base.toUpperCase()) return null;
  const rest = `${host}${path}/${name}`.toUpperCase();
  return [...rest].every(letter => alphanumerics.includes(letter)) ? { scheme, rest } : null;
}

/** What scanners read from the code of a text in a style. */
export function printedText(text: string, isCompact: boolean | undefined): string {
  const compact = isCompact ? toCompact(text) : null;
  return compact ? compact.scheme + compact.rest : text;
}
