import { nearest } from './nearest.ts';

/** Names query parameters that were ignored. */
export const warningHeader = 'x-signpost-warning';

/** Unknown parameters beyond these are only counted. */
const maxNames = 3;

/** A warning about the parameters of a query that are not among these; null if all are. */
export function createQueryWarning(known: readonly string[]): (query: object) => string | null {
  const names = new Set(known);
  const takes = known.length > 0 ? `this operation takes ${known.join(', ')}` : 'this operation takes none';
  const warn = (name: string) => {
    const meant = nearest(name, known);
    return `unknown query parameter "${quoted(name)}"; ${meant ? `did you mean "${meant}"?` : takes}`;
  };
  return query => {
    const unknown: string[] = [];
    let more = 0;
    for (const name of Object.keys(query)) {
      if (names.has(name)) continue;
      if (unknown.length < maxNames) unknown.push(name);
      else more++;
    }
    if (unknown.length === 0) return null;
    return [...unknown.map(warn), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
  };
}

/** At most 40 letters, none of which can end the quotes, the line or the header: the rest is percent-encoded. */
function quoted(name: string): string {
  const encoded = encodeURIComponent(name.slice(0, 80).toWellFormed());
  const begin = /^(?:%[0-9A-F]{2}|[^%]){0,40}/.exec(encoded)![0];
  return begin.length < encoded.length ? `${begin}...` : begin;
}
