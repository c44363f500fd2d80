import { type Style, toCompact } from '@signpost/qr';
import { warningHeader } from '../http/validation/query-warning.ts';

/** Codes beyond these are only counted: a header has little room. */
const maxNames = 20;

type Printed = { readonly shortUrl: string; readonly style: Style };

/** A header that names the codes of a file that a compact style draws as usual, since their links cannot be compact. */
export function warnOfUsual(printed: readonly Printed[]): Record<string, string> {
  const usual = printed.filter(({ shortUrl, style }) => style.compact && !toCompact(shortUrl));
  const names = [...new Set(usual.map(({ shortUrl }) => shortUrl.slice(shortUrl.lastIndexOf('/') + 1)))];
  if (names.length === 0) return {};
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : '';
  const list = names.slice(0, maxNames).join(', ');
  return { [warningHeader]: `drawn as usual, since their links cannot be compact: ${list}${more}` };
}
