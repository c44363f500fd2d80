/** No browser sends more. What comes after is not read, so that a long header costs no more than a usual one. */
const maxLength = 500;
const maxEntries = 20;

const entry = /^\s*(([a-z]{1,8}|\*)(?:-[a-z0-9-]{1,40})?)\s*(?:;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/;

/**
 * The language that an Accept-Language header weighs highest, the first among equals, without its region. `accept` turns a
 * name, or `*` for any language, into a result; null skips it.
 */
export function preferredLanguage<Result>(
  header: string | undefined,
  accept: (name: string) => Result | null,
): Result | null {
  if (header === undefined) return null;
  let best: { readonly result: Result | null; readonly weight: number } = { result: null, weight: 0 };
  for (const { name, weight } of parseEntries(header)) {
    if (weight <= best.weight) continue;
    const result = accept(name);
    if (result !== null) best = { result, weight };
  }
  return best.result;
}

/** The preferred language among those that `isKnown` accepts; English for any language, and for everybody else. */
export const pickLanguage = <Known extends string>(
  header: string | undefined,
  isKnown: (name: string) => name is Known,
): Known | 'en' =>
  preferredLanguage(header, name => (name === '*' ? 'en' : isKnown(name) ? name : null)) ?? 'en';

/** All languages that share the highest weight, in lower case with their regions. Any language, `*`, names none. */
export function preferredLanguages(header: string): readonly string[] {
  let [best, highest]: [string[], number] = [[], 0];
  for (const { range, name, weight } of parseEntries(header)) {
    if (weight === 0 || weight < highest) continue;
    if (weight > highest) [best, highest] = [[], weight];
    if (name !== '*') best.push(range);
  }
  return best;
}

type Entry = { readonly range: string; readonly name: string; readonly weight: number };

function* parseEntries(header: string): Generator<Entry> {
  for (const text of header.slice(0, maxLength).toLowerCase().split(',', maxEntries)) {
    const [, range = '', name = '', quality = '1'] = entry.exec(text) ?? [];
    if (name !== '') yield { range, name, weight: Number(quality) };
  }
}
