import { queryMacros as macros } from '@signpost/contract/values.ts';

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
 * The destination with the forwarded query of the short link and the appended pairs. What the destination has already is
 * kept: a pair whose name it has is left out. A result that is too long loses what was added, never the redirect.
 */
export function extendQuery(
  location: string,
  rawQuery: string,
  { forward, append }: QueryOptions,
  values: () => MacroValues,
): string {
  const forwarded = forward ? forwardable(rawQuery) : '';
  if (forwarded === '' && append.length === 0) return location;
  const hash = location.indexOf('#');
  const base = hash < 0 ? location : location.slice(0, hash);
  const fragment = hash < 0 ? '' : location.slice(hash);
  const queryAt = base.indexOf('?');
  const names = parseNames(queryAt < 0 ? '' : base.slice(queryAt + 1));
  const added: string[] = [];
  for (const pair of forwarded.split('&')) if (pair !== '' && !names.has(parseName(pair))) added.push(pair);
  for (const pair of added) names.add(parseName(pair));
  for (const [name, value] of append) {
    if (names.has(name)) continue;
    names.add(name);
    added.push(`${encode(name)}=${encodeValue(value, values)}`);
  }
  if (added.length === 0) return location;
  const separator = queryAt < 0 ? '?' : /[?&]$/.test(base) ? '' : '&';
  const extended = base + separator + added.join('&') + fragment;
  return extended.length <= maxLocation ? extended : location;
}

/** Text that is too long or that a header cannot carry is dropped whole: half of a query could mean something else. */
const forwardable = (rawQuery: string) =>
  rawQuery.length <= maxForwarded && printable.test(rawQuery) && !rawQuery.includes('#') ? rawQuery : '';

const parseNames = (query: string): Set<string> =>
  new Set(query.split('&').flatMap(pair => (pair === '' ? [] : [parseName(pair)])));

function parseName(pair: string): string {
  const equals = pair.indexOf('=');
  const name = (equals < 0 ? pair : pair.slice(0, equals)).replaceAll('+', ' ');
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
