import { language } from '../../strings/language.ts';

type Option = { readonly value: string; readonly label: string };

/** Languages that scanners tell apart by region, and some of three letters. */
const further = [
  ...['en-GB', 'en-US', 'en-AU', 'en-CA', 'fr-CA', 'fr-CH', 'de-AT', 'de-CH', 'es-ES', 'es-MX', 'it-CH'],
  ...['nl-BE', 'pt-BR', 'pt-PT', 'zh-CN', 'zh-TW', 'zh-HK', 'fil', 'yue', 'haw', 'gsw'],
];

let options: readonly Option[] | null = null;

/** Languages by their names; of those with two letters every one that the browser can name. */
function knownLanguages(): readonly Option[] {
  if (options) return options;
  const names = languageNames('none');
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const pairs = letters.flatMap(first => letters.map(second => `${first}${second}`));
  const known = [...pairs, ...further].flatMap(value => {
    const label = Intl.getCanonicalLocales(value)[0] === value ? names.of(value) : undefined;
    return label === undefined ? [] : [{ value, label }];
  });
  // Some languages have two codes; the first is the common one.
  const byLabel = new Map(known.toReversed().map(option => [option.label, option]));
  options = [...byLabel.values()].sort((a, b) => a.label.localeCompare(b.label, language));
  return options;
}

const languageNames = (fallback: 'code' | 'none') =>
  new Intl.DisplayNames(language, { type: 'language', languageDisplay: 'standard', fallback });

/** All of them, and those that a rule has and the list does not: the API takes any. */
export function languageOptions(chosen: readonly string[]): Option[] {
  const known = knownLanguages();
  const values = new Set(known.map(({ value }) => value));
  const others = chosen.filter(value => !values.has(value));
  return [...others.map(value => ({ value, label: languageName(value) })), ...known];
}

export function languageName(value: string): string {
  try {
    return languageNames('code').of(value) ?? value;
  } catch {
    return value;
  }
}
