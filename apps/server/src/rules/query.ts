import { queryMacros as macros } from '@signpost/contract/values.ts';
import { encodeOutsideUri, toUri } from '../kernel/addresses/location.ts';

/** How the query of a destination is extended. */
export type QueryOptions = {
  /** Whether the query of the short link is passed on. */
  readonly forward: boolean;
  /** Pairs to append; values may contain macros such as `{country}`. */
  readonly append: readonly (readonly [name: string, value: string])[];
};

type Macro = (typeof macros)[number];
export type MacroValues = Readonly<Record<Macro, string>>;

const maxForwarded = 2048;
/** Some proxies and phones refuse a longer header. */
const maxLocation = 8192;
const printable = /^[!-~]*$/;
const macroPattern = new RegExp(`\\{(${macros.join('|')})\\}`, 'g');

/**
 * The destination with the forwarded query of the short link and the appended pairs, as a URI of RFC 3986. The owner's word
 * counts: a name that the destination has is not added, and one that is appended is not forwarded. What would make the result
 * too long is left out: first the query of the scanner, then the appended pairs, never the redirect.
 */
export function extendQuery(
  location: string,
  rawQuery: string,
  { forward, append }: QueryOptions,
  values: () => MacroValues,
): string {
  const uri = toUri(location);
  const hash = uri.indexOf('#');
  const base = hash < 0 ? uri : uri.slice(0, hash);
  const fragment = hash < 0 ? '' : uri.slice(hash);
  const queryAt = base.indexOf('?');
  const names = parseNames(queryAt < 0 ? '' : base.slice(queryAt + 1));
  const appended: string[] = [];
  for (const [name, value] of append) {
    if (names.has(name)) continue;
    names.add(name);
    appended.push(`${encode(name)}=${encodeValue(value, values)}`);
  }
  const separator = queryAt < 0 ? '?' : /[?&]$/.test(base) ? '' : '&';
  const extend = (pairs: readonly string[]) =>
    pairs.length === 0 ? uri : base + separator + pairs.join('&') + fragment;
  const forwarded = forward ? forwardable(rawQuery).filter(pair => !names.has(parseName(pair))) : [];
  for (const pairs of [[...forwarded, ...appended], appended]) {
    const extended = extend(pairs);
    if (extended.length <= maxLocation) return extended;
  }
  return uri;
}

/** Text that is too long or that a header cannot carry is dropped whole: half of a query could mean something else. */
const forwardable = (rawQuery: string): string[] =>
  rawQuery.length <= maxForwarded && printable.test(rawQuery) && !rawQuery.includes('#')
    ? encodePairs(rawQuery)
    : [];

/** Some servers read `;` like `&`: encoded, it cannot begin a parameter of a name that the owner has set. */
const encodePairs = (rawQuery: string): string[] =>
  encodeOutsideUri(rawQuery)
    .replaceAll(';', '%3B')
    .split('&')
    .filter(pair => pair !== '');

const parseNames = (query: string): Set<string> =>
  new Set(query.split('&').flatMap(pair => (pair === '' ? [] : [parseName(pair)])));

function parseName(pair: string): string {
  const equals = pair.indexOf('=');
  const name = (equals < 0 ? pair : pair.slice(0, equals)).replaceAll('+', ' ');
  if (!name.includes('%')) return name;
  try {
    return decodeURIComponent(name);
  } catch {
    // Not valid percent-encoding: servers differ in how they read it, so it is compared as it is written.
    return name;
  }
}

const encodeValue = (value: string, values: () => MacroValues): string =>
  encode(value.replaceAll(macroPattern, (_, name: Macro) => values()[name]));

const encode = (text: string) => encodeURIComponent(text.toWellFormed());

/** The first text in braces that is not a macro; null if there is none. */
export function findUnknownMacro(value: string): string | null {
  for (const [text] of value.matchAll(/\{[^{}]*\}?|\}/g))
    if (!(macros as readonly string[]).includes(text.slice(1, -1)) || !/^\{.*\}$/.test(text)) return text;
  return null;
}
