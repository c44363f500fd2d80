import { ruleInWords } from './explain.ts';
import { listPlaces, type PlaceNames, placeInWords } from './place-names.ts';
import type { Conditions, Rule } from './rule.ts';

type RuleToCheck = Pick<Rule, 'name' | 'active' | 'when' | 'unless'>;

type Known = {
  /** Keys of the code's placements. */
  readonly placements: readonly string[];
  /** Null where no rule names a place, or the files cannot be read. */
  readonly places: PlaceNames | null;
};

/** A long list is shown by its beginning. */
const maxWarnings = 50;

/** What no scan can have, in words: such a rule or value does nothing, silently. It may be saved all the same. */
export function warnOfRules(rules: readonly RuleToCheck[], known: Known): string[] {
  const placements = new Set(known.placements);
  const texts = rules.flatMap(({ name, when, unless }, index) =>
    [when, unless]
      .flatMap(conditions => warnOfConditions(conditions, placements, known.places))
      .map(text => `${ruleInWords({ name, index })}: ${text}`),
  );
  const warnings = [...new Set([...texts, ...warnOfUnreached(rules)])];
  if (warnings.length <= maxWarnings) return warnings;
  return [...warnings.slice(0, maxWarnings), `There are ${warnings.length - maxWarnings} more warnings.`];
}

function warnOfConditions(
  { country = [], language = [], placement = [], ...places }: Conditions,
  placements: ReadonlySet<string>,
  names: PlaceNames | null,
): string[] {
  return [
    ...country
      .filter(code => !countries.has(code))
      .map(code => `no country has the code ${code}, so no scan has it.`),
    ...language
      .filter(range => !isLanguage(range))
      .map(
        range => `${range} is not the code of a language, so no scan has it. Use a code such as de or pt-BR.`,
      ),
    ...placement
      .filter(key => !placements.has(key))
      .map(
        key => `the code has no placement ${key}, so no scan has it. Add the placement, or use another one.`,
      ),
    ...listPlaces(places)
      .filter(place => names !== null && !names.has(place))
      .map(
        place =>
          `${placeInWords(place)} is in no place file, so no scan has it. Use the name that scans show.`,
      ),
  ];
}

function warnOfUnreached(rules: readonly RuleToCheck[]): string[] {
  const isAlways = ({ active, when, unless }: RuleToCheck) =>
    active && Object.keys(when).length === 0 && Object.keys(unless).length === 0;
  const always = rules.findIndex(isAlways);
  if (always < 0) return [];
  return rules.flatMap(({ name, active }, index) =>
    active && index > always
      ? [
          `${ruleInWords({ name, index })}: it never applies, because ${ruleInWords({ name: rules[always]!.name, index: always })} comes before it and has no conditions.`,
        ]
      : [],
  );
}

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const pairs = letters.flatMap(first => letters.map(second => first + second));

/** Codes of two letters that Unicode has a name for. */
const listKnown = (type: 'region' | 'language', codes: readonly string[]) => {
  const names = new Intl.DisplayNames('en', { type, fallback: 'none' });
  return new Set(codes.filter(code => names.of(code) !== undefined));
};

/** Without other spellings (UK for GB) and pseudo-countries, which no scan has; with XX, which stands for an unknown country. */
const isCanonical = (code: string) => new Intl.Locale(`und-${code}`).region === code;
const countries = listKnown('region', pairs.filter(isCanonical)).add('XX');
for (const pseudo of ['ZZ', 'XA', 'XB', 'QO']) countries.delete(pseudo);

const shortLanguages = listKnown(
  'language',
  pairs.map(pair => pair.toLowerCase()),
);

/** Codes of three letters are too many to know: those are believed. */
function isLanguage(range: string): boolean {
  const [primary = ''] = range.toLowerCase().split('-', 1);
  return primary === '*' || primary.length === 3 || shortLanguages.has(primary);
}
